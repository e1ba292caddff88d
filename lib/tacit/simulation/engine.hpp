// The one loop. It asks the learner, draws as many rounds as the learner will not look at, and hands them to the
// curator at once, or the users' devices report them one by one. Instantiated per recipe, in a file of its own
// (loops/), so that a plain run costs no virtual call into the policy.
//
// Late answers: what is due is delivered before a choice, of an arm in order, and a delivery ends what stands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/curators/release.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/make_entry.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/problems/problem.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/simulation/delay.hpp"

namespace tacit::simulation {

/// Where and how long a run is played.
struct Stage {
  const problems::Problem& problem;
  int size;  // arms in an action at most
  Round horizon;
  random::SimulationStream& outcomes;
  random::SimulationStream& delays;
  Delay delay;
  privacy::Ledger* ledger;
};

/// Whether a channel keeps sums by slot, or passes reports on.
template <class Channel>
concept BySlot = requires(Channel& channel, Slot slot) {
  channel.release(slot, Round{1});
};

template <class Learner, class Channel>
class Engine {
  using Feedback = typename Learner::Feedback;
  using Choice = policies::Choice;
  static constexpr bool kFull = std::is_same_v<Feedback, feedback::FullInformation>;
  static constexpr bool kFirst = std::is_same_v<Feedback, feedback::CascadeFirst>;
  static constexpr bool kStops = std::is_same_v<Feedback, feedback::Cascade>;
  static constexpr bool kSingle = std::is_same_v<Feedback, feedback::Bandit>;
  static constexpr bool kBySlot = BySlot<Channel>;

 public:
  Engine(Learner& learner, Channel& channel, const Stage& stage)
      : learner_(learner),
        channel_(channel),
        stage_(stage),
        sums_(static_cast<std::size_t>(kFull ? stage.problem.arms() : stage.size)),
        outcomes_(static_cast<std::size_t>(stage.size)) {}

  /// Plays rounds 1..horizon and returns how many decisions that took.
  template <class Recorder>
  std::int64_t play(Recorder& recorder) {
    if constexpr (policies::kStartsFromRawOutcomes<Learner>) open();
    return stage_.delay.none() ? play_rounds<false>(recorder) : play_rounds<true>(recorder);
  }

 private:
  template <bool kLate, class Recorder>
  std::int64_t play_rounds(Recorder& recorder) {
    std::int64_t decisions = 0;
    for (Round t = 1; t <= stage_.horizon; ++decisions) {
      if constexpr (kLate) deliver_what_is_due(t);
      learner_.choose({t}, choice_);
      Round n = std::min(choice_.until, stage_.horizon) - t + 1;
      if constexpr (kLate) n = stage_.delay.geometric ? 1 : std::min(n, next_due() - t);
      const Arm first = choice_.arm();
      recorder.hold(kSingle || kFull ? std::span(&first, 1) : choice_.arms(), t, n);
      if (stage_.ledger != nullptr) [[unlikely]] {
        stage_.ledger->set_round(t + n - 1, static_cast<int>(choice_.slots().size()));
        stage_.ledger->see_action(choice_.arms(), n);
      }
      if constexpr (kBySlot) {
        fill_slots<kLate>(t, n);
      } else {
        report<kLate>(first, t);  // who takes reports never promises more than one round
      }
      t += n;
    }
    return decisions;
  }

  using Secrets = std::vector<privacy::Secret<Sum>>;
  struct DueSlot {
    Slot slot;
    Round n;
    Round at;
  };
  struct DueReport {
    Choice choice;
    std::vector<privacy::Released<double>> reports;
  };
  /// A user's late answer: a sum for each slot.
  struct DueAnswer {
    std::vector<Slot> slots;
    Secrets sums;
  };

  /// Every arm's first outcome, for policies that begin with it; a click, where rounds are lists.
  void open() {
    std::vector<Arm> all(static_cast<std::size_t>(stage_.problem.arms()));
    std::iota(all.begin(), all.end(), 0);
    privacy::SecretVector<Outcome> first(all.size());
    if constexpr (kStops) {
      for (const Arm item : all) {
        first.set(static_cast<std::size_t>(item),
                  stage_.problem.draw_click(item, 1, stage_.outcomes));
      }
    } else {
      stage_.problem.draw_each_one(all, 1, stage_.outcomes, first);
    }
    for (const Arm arm : all) {
      learner_.start(arm, channel_.open(arm, first[static_cast<std::size_t>(arm)]));
    }
  }

  /// The arms whose outcomes are recorded.
  void look_at_slots() {
    observed_.clear();
    for (const Slot& slot : choice_.slots()) observed_.push_back(slot.arm);
  }

  // ---- slots

  template <bool kLate>
  void fill_slots(Round t, Round n) {
    if (choice_.slots().empty()) return;  // not recorded: nothing of these rounds is looked at
    if constexpr (kSingle || kFirst) {
      const privacy::Secret<Sum> sum =
          kFirst ? stage_.problem.draw_clicks(choice_.arm(), t, n, stage_.outcomes)
                 : stage_.problem.draw(choice_.arm(), t, n, stage_.outcomes);
      fill<kLate>(choice_.slots()[0], t, n, sum);
    } else if constexpr (kFull) {
      stage_.problem.draw_all(t, n, stage_.outcomes, sums_);
      fill<kLate>(choice_.slots()[0], t, n, sums_);
    } else {
      look_at_slots();
      stage_.problem.draw_each(observed_, t, n, stage_.outcomes, sums_);
      for (std::size_t i = 0; i < observed_.size(); ++i)
        fill<kLate>(choice_.slots()[i], t, n, sums_[i]);
    }
    if constexpr (kLate) {
      if (stage_.delay.geometric) answer_later(t);
    }
  }

  template <bool kLate, class Secret>
  void fill(Slot slot, Round t, Round n, const Secret& secret) {
    const Round full = learner_.assign(slot, n);
    if constexpr (!kLate) {
      channel_.add(slot, secret);
      if (full > 0) deliver(slot, full);
      return;
    }
    const Round last = t + n - 1;
    if (!stage_.delay.geometric) {
      channel_.add(slot, secret);
      if (full > 0) slots_due_.push_back({slot, full, last + stage_.delay.rounds + 1});
      return;
    }
    answer_.slots.push_back(slot);
    if constexpr (kFull) {
      for (std::size_t i = 0; i < secret.size(); ++i) answer_.sums.push_back(secret[i]);
    } else {
      answer_.sums.push_back(secret);
    }
    if (full > 0) filled_.push_back({slot, full, last});
  }

  /// The round's user answers some time: all slots at once. What is full comes back with its last answer.
  void answer_later(Round t) {
    const Round arrives = t + 1 + draw_delay();
    for (const Slot& slot : answer_.slots) {
      Round& last_answer = last_answers_[slot];
      last_answer = std::max(last_answer, arrives);
    }
    for (DueSlot due : filled_) {
      due.at = stage_.delay.wait ? due.at + *stage_.delay.wait + 1 : last_answers_[due.slot];
      last_answers_.erase(due.slot);
      // Of an arm in order.
      Round& before = last_due_[due.slot.arm];
      before = std::max(before, due.at);
      due.at = before;
      slots_due_.insert(
          std::upper_bound(slots_due_.begin(), slots_due_.end(), due,
                           [](const DueSlot& a, const DueSlot& b) { return a.at < b.at; }),
          due);
    }
    filled_.clear();
    answers_due_.emplace(arrives, std::move(answer_));
    answer_ = {};
  }

  Round draw_delay() {
    // P(more than d) = q^(d+1) with mean q/(1-q) = N.
    const auto mean = static_cast<double>(stage_.delay.rounds);
    if (mean == 0) return 0;
    const double log_q = std::log(mean / (mean + 1));
    return static_cast<Round>(std::floor(std::log(random::uniform_open(stage_.delays)) / log_q));
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

  Round next_due() const {
    if constexpr (kBySlot) {
      return slots_due_.empty() ? kLastRound + 1 : slots_due_.front().at;
    } else {
      return kLastRound + 1;  // asked every round anyway
    }
  }

  void deliver_what_is_due(Round t) {
    for (auto next = answers_due_.begin(); next != answers_due_.end() && next->first <= t;
         next = answers_due_.erase(next)) {
      add_answer(next->second);
    }
    while (!slots_due_.empty() && slots_due_.front().at <= t) {
      const DueSlot due = slots_due_.front();
      slots_due_.pop_front();
      if constexpr (kBySlot) deliver(due.slot, due.n);
    }
    for (auto next = reports_due_.begin(); next != reports_due_.end() && next->first <= t;
         next = reports_due_.erase(next)) {
      learner_take(next->second.choice, next->second.reports);
    }
  }

  void add_answer(const DueAnswer& answer) {
    if constexpr (kBySlot) {
      if constexpr (kFull) {
        privacy::SecretVector<Sum> sums(answer.sums.size());
        for (std::size_t i = 0; i < answer.sums.size(); ++i) sums.set(i, answer.sums[i]);
        channel_.add(answer.slots[0], sums);
      } else {
        for (std::size_t i = 0; i < answer.slots.size(); ++i)
          channel_.add(answer.slots[i], answer.sums[i]);
      }
    }
  }

  // ---- reports

  template <bool kLate>
  void report(Arm arm, Round t) {
    if constexpr (kSingle || kFirst) {
      const privacy::Released<double> report =
          channel_.report(arm, kFirst ? stage_.problem.draw_click(arm, t, stage_.outcomes)
                                      : stage_.problem.draw_one(arm, t, stage_.outcomes));
      pass_on<kLate>({&report, 1}, t);
    } else {
      pass_on<kLate>(reports_of(t), t);
    }
  }
  std::vector<privacy::Released<double>> reports_of(Round t) {
    if constexpr (kStops) {
      const privacy::Secret<Stop> stop =
          stage_.problem.draw_stop(choice_.arms(), t, stage_.outcomes);
      if constexpr (requires { channel_.report(choice_.arms(), stop); }) {
        return channel_.report(choice_.arms(), stop);
      } else {
        return channel_.report(stop);
      }
    } else {
      std::vector<privacy::Released<double>> reports;
      if constexpr (kFull) {
        stage_.problem.draw_all(t, 1, stage_.outcomes, sums_);
        for (std::size_t i = 0; i < sums_.size(); ++i) {
          reports.push_back(channel_.report_sum_of_one(static_cast<Arm>(i), sums_[i]));
        }
      } else {
        look_at_slots();
        stage_.problem.draw_each_one(observed_, t, stage_.outcomes, outcomes_);
        for (std::size_t i = 0; i < observed_.size(); ++i) {
          reports.push_back(channel_.report(observed_[i], outcomes_[i]));
        }
      }
      return reports;
    }
  }

  template <bool kLate>
  void pass_on(policies::Values reports, Round t) {
    if constexpr (!kLate) {
      learner_take(choice_, reports);
      return;
    }
    const Round late = stage_.delay.geometric ? draw_delay() : stage_.delay.rounds;
    if (stage_.delay.wait && late > *stage_.delay.wait) return;  // lost
    reports_due_.emplace(t + 1 + late, DueReport{choice_, {reports.begin(), reports.end()}});
  }
  void learner_take(const Choice& choice, policies::Values reports) {
    if constexpr (!kBySlot) learner_.take(choice, reports);
  }

  Learner& learner_;
  Channel& channel_;
  Stage stage_;
  Choice choice_;
  privacy::SecretVector<Sum> sums_;
  privacy::SecretVector<Outcome> outcomes_;
  std::vector<Arm> observed_;
  // Late answers.
  std::deque<DueSlot> slots_due_;  // by `at`, of an arm in order
  std::multimap<Round, DueReport> reports_due_;
  std::multimap<Round, DueAnswer> answers_due_;
  DueAnswer answer_;
  std::vector<DueSlot> filled_;  // in this round; `at` is its last choice
  std::map<Slot, Round>
      last_answers_;  // when the last answer so far to a slot that is filling arrives
  std::map<Arm, Round> last_due_;
};

}  // namespace tacit::simulation
