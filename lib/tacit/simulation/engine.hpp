// The one loop. It asks the learner, draws as many rounds as the learner will not look at, and hands them to the
// curator at once, or the users' devices report them one by one. Instantiated per recipe, in a file of its own
// (loops/), so that a plain run costs no virtual call into the policy.
// Answers that come late do so behind its back (late_answers.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/simulation/stage.hpp"

namespace tacit::simulation {

template <class Learner, class Channel>
class Engine {
  using Feedback = typename Learner::Feedback;
  using Choice = policies::Choice;
  static constexpr bool kFull = std::is_same_v<Feedback, feedback::FullInformation>;
  static constexpr bool kFirst = std::is_same_v<Feedback, feedback::CascadeFirst>;
  static constexpr bool kStops = std::is_same_v<Feedback, feedback::Cascade>;
  static constexpr bool kSingle = std::is_same_v<Feedback, feedback::Bandit>;
  static constexpr bool kBySlot = curators::BySlot<Channel>;

 public:
  Engine(Learner& learner, Channel& channel, const Stage& stage)
      : learner_(learner),
        channel_(channel),
        stage_(stage),
        sums_(static_cast<std::size_t>(kFull ? stage.problem.arms() : stage.size)),
        outcomes_(static_cast<std::size_t>(stage.size)) {}

  /// Plays rounds 1..horizon, or until a learner that can be over is, and returns how many decisions that took.
  template <class Recorder>
  std::int64_t play(Recorder& recorder) {
    if constexpr (policies::kStartsFromRawOutcomes<Learner>) {
      start_from_raw_outcomes(learner_, channel_, stage_, kStops);
    }
    std::int64_t decisions = 0;
    for (Round t = 1; t <= stage_.horizon; ++decisions) {
      if (stage_.stop != nullptr && stage_.stop->load(std::memory_order_relaxed)) [[unlikely]]
        throw Stopped();
      learner_.choose({t}, choice_);
      if constexpr (requires { learner_.over(); }) {
        if (learner_.over()) break;  // nothing is played of this choice
      }
      const Round n = std::min(choice_.until, stage_.horizon) - t + 1;
      const Arm first = choice_.arm();
      recorder.hold(kSingle || kFull ? std::span(&first, 1) : choice_.arms(), t, n);
      if (stage_.ledger != nullptr) [[unlikely]] {
        stage_.ledger->set_round(t + n - 1, static_cast<int>(choice_.slots().size()));
        stage_.ledger->see_action(choice_.arms(), n);
      }
      if constexpr (kBySlot) {
        fill_slots(t, n);
      } else {
        report(first, t);  // who takes reports never promises more than one round
      }
      t += n;
    }
    return decisions;
  }

 private:
  /// The arms whose outcomes are recorded.
  void look_at_slots() {
    observed_.clear();
    for (const Slot& slot : choice_.slots()) observed_.push_back(slot.arm);
  }

  // ---- slots

  void fill_slots(Round t, Round n) {
    if (choice_.slots().empty()) return;  // not recorded: nothing of these rounds is looked at
    if constexpr (kSingle || kFirst) {
      const privacy::Secret<Sum> sum =
          kFirst ? stage_.problem.draw_click_sum(choice_.arm(), t, n, stage_.outcomes)
                 : stage_.problem.draw_sum(choice_.arm(), t, n, stage_.outcomes);
      fill(choice_.slots()[0], n, sum);
    } else if constexpr (kFull) {
      stage_.problem.draw_all_sums(t, n, stage_.outcomes, sums_);
      fill(choice_.slots()[0], n, sums_);
    } else {
      look_at_slots();
      stage_.problem.draw_sums(observed_, t, n, stage_.outcomes, sums_);
      for (std::size_t i = 0; i < observed_.size(); ++i) fill(choice_.slots()[i], n, sums_[i]);
    }
  }

  template <class Secret>
  void fill(Slot slot, Round n, const Secret& secret) {
    const Round full = learner_.assign(slot, n);
    channel_.add(slot, secret);
    if (full > 0) deliver(slot, full);
  }

  void deliver(Slot slot, Round n) {
    if constexpr (kFull) {
      const auto values = channel_.release(slot, n);
      learner_.deliver(slot, values, n, 1);
    } else {
      const curators::Release release = channel_.release(slot, n);
      learner_.deliver(slot, {&release.value, 1}, n, release.noises);
    }
  }

  // ---- reports

  void report(Arm arm, Round t) {
    if constexpr (kSingle || kFirst) {
      const privacy::Released<double> report =
          channel_.report(arm, kFirst ? stage_.problem.draw_click(arm, t, stage_.outcomes)
                                      : stage_.problem.draw_outcome(arm, t, stage_.outcomes));
      learner_.take(choice_, {&report, 1});
    } else {
      look_at_reports(t);
      learner_.take(choice_, reports_);
    }
  }
  /// Into reports_, whose memory is lent again and again.
  void look_at_reports(Round t) {
    if constexpr (kStops) {
      const privacy::Secret<Stop> stop =
          stage_.problem.draw_stop(choice_.arms(), t, stage_.outcomes);
      if constexpr (requires { channel_.report(choice_.arms(), stop, reports_); }) {
        channel_.report(choice_.arms(), stop, reports_);
      } else if constexpr (requires { channel_.report(choice_.arms(), stop); }) {
        reports_ = channel_.report(choice_.arms(), stop);
      } else {
        channel_.report(stop, reports_);
      }
    } else if constexpr (kFull) {
      reports_.clear();
      stage_.problem.draw_all_sums(t, 1, stage_.outcomes, sums_);
      for (std::size_t i = 0; i < sums_.size(); ++i) {
        reports_.push_back(channel_.report_sum_of_one(static_cast<Arm>(i), sums_[i]));
      }
    } else {
      reports_.clear();
      look_at_slots();
      stage_.problem.draw_outcomes(observed_, t, stage_.outcomes, outcomes_);
      for (std::size_t i = 0; i < observed_.size(); ++i) {
        reports_.push_back(channel_.report(observed_[i], outcomes_[i]));
      }
    }
  }

  Learner& learner_;
  Channel& channel_;
  Stage stage_;
  Choice choice_;
  privacy::SecretVector<Sum> sums_;
  privacy::SecretVector<Outcome> outcomes_;
  std::vector<Arm> observed_;
  std::vector<privacy::Released<double>> reports_;
};

}  // namespace tacit::simulation
