// A policy of which only its catalogue entry is known, ready to run: one from outside the library. Over virtual doors.
#pragma once

#include <cstdint>

#include "tacit/simulation/prepared.hpp"

namespace tacit::simulation {

class HeldSimulator final : public Prepared {
 public:
  HeldSimulator(const Request& request, const policies::Entry& entry);

 private:
  std::int64_t play(const Backstage& behind, const Stage& stage,
                    AnyRecorder recorder) const override;

  policies::Entry entry_;
  std::vector<policies::ParameterValue> parameters_;
};

}  // namespace tacit::simulation
