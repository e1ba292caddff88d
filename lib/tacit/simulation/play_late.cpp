#include "tacit/simulation/play_late.hpp"

#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/late_answers.hpp"

namespace tacit::simulation {
namespace {

/// The learner as the loop sees it: no slot of it is ever full.
template <class Told>
struct LateLearner {
  using Feedback = Told;
  LateAnswers& late;
  const Over& ends;

  bool over() const { return ends && ends(); }
  void choose(const policies::Situation& situation, policies::Choice& choice) const {
    late.choose(situation, choice);
  }
  Round assign(Slot slot, Round n) const {
    late.assign(slot, n);
    return 0;
  }
  static void deliver(Slot, policies::Values, Round, int) {}
  void take(const policies::Choice& choice, policies::Values reports) const {
    late.report(choice, reports);
  }
};

/// The curator as the loop sees it.
template <class Feedback>
struct LateSums {
  static constexpr bool kFull = std::is_same_v<Feedback, feedback::FullInformation>;
  using Released =
      std::conditional_t<kFull, std::vector<privacy::Released<double>>, curators::Release>;
  LateAnswers& late;

  void add(Slot slot, const privacy::Secret<Sum>& sum) const { late.add(slot, {sum}); }
  void add(Slot slot, const privacy::SecretVector<Sum>& sums) const {
    LateAnswers::Secrets each;
    for (std::size_t i = 0; i < sums.size(); ++i) each.push_back(sums[i]);
    late.add(slot, std::move(each));
  }
  static Released release(Slot, Round) { throw std::logic_error("no slot is full for the loop"); }
};

/// The devices as the loop sees them. What they report is on its way from there on.
struct Devices {
  AnyChannel& channel;

  privacy::Released<double> report(Arm arm, const privacy::Secret<Outcome>& outcome) const {
    return channel.report(arm, outcome);
  }
  privacy::Released<double> report_sum_of_one(Arm arm, const privacy::Secret<Sum>& sum) const {
    return channel.report_sum_of_one(arm, sum);
  }
  std::vector<privacy::Released<double>> report(std::span<const Arm> list,
                                                const privacy::Secret<Stop>& stop) const {
    return channel.report(list, stop);
  }
};

template <class Feedback, class Rule>
std::int64_t play(LateAnswers& late, AnyChannel& channel, const Stage& stage,
                  Recorder<Rule>& recorder, const Over& over) {
  LateLearner<Feedback> learner{late, over};
  if constexpr (!std::is_same_v<Feedback, feedback::Cascade>) {
    if (channel.keeps_sums()) {
      LateSums<Feedback> sums{late};
      return Engine(learner, sums, stage).play(recorder);
    }
  }
  Devices devices{channel};
  return Engine(learner, devices, stage).play(recorder);
}

}  // namespace

std::int64_t play_late(policies::Learner& learner, AnyChannel& channel, feedback::Kind kind,
                       const Stage& stage, const Delay& delay, random::SimulationStream& delays,
                       AnyRecorder recorder, const Over& over) {
  if (learner.starts_from_raw_outcomes()) {
    start_from_raw_outcomes(learner, channel, stage, channel.takes_stops());
  }
  LateAnswers late(learner, channel, delay, delays);
  const auto arms = [&] { return std::get<Recorder<PullsTimesGap>*>(recorder); };
  const auto sets = [&] { return std::get<Recorder<ValueOfSets>*>(recorder); };
  const auto decisions = [&] {
    switch (kind) {
      case feedback::Kind::kBandit:
        return play<feedback::Bandit>(late, channel, stage, *arms(), over);
      case feedback::Kind::kFull:
        return play<feedback::FullInformation>(late, channel, stage, *arms(), over);
      case feedback::Kind::kSemi:
        return play<feedback::SemiBandit>(late, channel, stage, *sets(), over);
      case feedback::Kind::kCascade: break;
    }
    return channel.takes_stops()
               ? play<feedback::Cascade>(late, channel, stage, *sets(), over)
               : play<feedback::CascadeFirst>(late, channel, stage, *sets(), over);
  }();
  // At once is at once in the last round too.
  if (delay.none() && !(over && over())) late.deliver_what_is_due(stage.horizon + 1);
  return decisions;
}

}  // namespace tacit::simulation
