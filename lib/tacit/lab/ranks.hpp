// The processes that run one experiment together. The first rank owns the results and hands out pieces, itself
// included; the others compute and send back. Which rank computes what changes nothing: a piece's result depends
// on the piece alone.
//
// This one is alone; mpi/message_passing.hpp has many.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/coordinator.hpp"

namespace tacit::lab {

class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }

  /// Every rank says which plan it has, or "" when it failed; returns what all said. Each calls it once,
  /// before run() or serve().
  virtual std::vector<std::string> agree(const std::string& digest) { return {digest}; }

  /// The first rank: like lab::run; where there are others, with one thread of its own and all of them.
  virtual Progress run(const Plan& plan, Results& results, const RunOptions& options);
  /// The first rank, when it fails before run(): the others are told that there is nothing to do.
  virtual void dismiss() {}
  /// The other ranks: computes what it is handed until there is no more.
  virtual void serve(const Plan& /*plan*/) {}

 protected:
  int rank_ = 0;
  int count_ = 1;
};

/// What is wrong with what the ranks said of their plans, in words; "" when they agree.
std::string disagreement(const std::vector<std::string>& all);

}  // namespace tacit::lab
