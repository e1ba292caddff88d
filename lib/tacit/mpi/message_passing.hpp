// The same program on many machines: `mpirun tacit run ...`.
//
// Every rank reads the experiment and its files itself, so they have to be the same on all machines;
// ranks that disagree about the plan are refused.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/ranks.hpp"

namespace tacit::mpi {

/// Joins the other ranks if the program was started by mpirun; without it, it is the only rank. One in a
/// program.
class MessagePassing final : public lab::Ranks {
 public:
  MessagePassing();
  ~MessagePassing() override;

  std::vector<std::string> agree(const std::string& digest) override;
  lab::Progress run(const lab::Plan& plan, lab::Results& results,
                    const lab::RunOptions& options) override;
  void dismiss() override;
  void serve(const lab::Plan& plan) override;

 private:
  int waiting_ = 0;  // ranks that are to be told when there is no more
  bool joined_ = false;
};

}  // namespace tacit::mpi
