// The same program on many machines: `mpirun tacit run ...`. The first rank owns the results and hands
// out pieces, itself included; the others compute and send back. Which rank computes what changes
// nothing: a piece's result depends on the piece alone.
//
// Every rank reads the experiment and its files itself, so they have to be the same on all machines;
// ranks that disagree about the plan are refused.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/coordinator.hpp"

namespace tacit::lab {

/// Joins the other ranks if the program was started by mpirun; without it, or without MPI, it is the
/// only rank. One in a program.
class MessagePassing {
 public:
  MessagePassing();
  ~MessagePassing();
  MessagePassing(const MessagePassing&) = delete;
  MessagePassing& operator=(const MessagePassing&) = delete;

  int count() const { return count_; }
  bool is_first() const { return rank_ == 0; }

  /// Every rank says which plan it has, or "" when it failed; returns what all said. Each calls it once,
  /// before run() or serve().
  std::vector<std::string> agree(const std::string& digest);
  /// What is wrong with what the ranks said, in words; "" when they agree.
  static std::string disagreement(const std::vector<std::string>& all);

  /// The first rank: like lab::run, with one thread of its own and every other rank.
  Progress run(const Plan& plan, Results& results, const RunOptions& options);
  /// The first rank, when it fails before run(): the others are told that there is nothing to do.
  void dismiss();
  /// The other ranks: computes what it is handed until there is no more.
  void serve(const Plan& plan);

 private:
  int rank_ = 0;
  int count_ = 1;
  int waiting_ = 0;  // ranks that are to be told when there is no more
  bool joined_ = false;
};

}  // namespace tacit::lab
