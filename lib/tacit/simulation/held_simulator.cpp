#include "tacit/simulation/held_simulator.hpp"

#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/play_late.hpp"

namespace tacit::simulation {

HeldSimulator::HeldSimulator(const Request& request, const policies::Entry& entry)
    : Prepared(request, entry), entry_(entry), parameters_(request.parameters) {}

std::int64_t HeldSimulator::play(const Backstage& behind, const Stage& stage,
                                 AnyRecorder recorder) const {
  const auto learner = entry_.learner(setting(), parameters_, random::Dice(behind.key));
  const auto between =
      any_channel(entry_.plan(setting(), parameters_), stage.problem.arms(), behind);
  auto delays = behind.key.stream(random::Purpose::kDelays);
  return play_late(*learner, *between, entry_.card.feedback, stage, Delay{}, delays, recorder);
}

}  // namespace tacit::simulation
