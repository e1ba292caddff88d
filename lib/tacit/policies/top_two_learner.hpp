// Finds the best arms and says when it knows them, by the evidence of all that was released (evidence/mixture.hpp).
//
//   L1  play every arm for a first phase
//   L2  the leaders are the `top` arms of largest released means. Of a leader a and another arm b let G(a, b) be the evidence
//       that a has the larger mean
//   L3  stop when G(a, b) >= ln(top (arms - top)/error) for every such pair, and recommend the leaders
//   L4  else look at the pair that minimises  G(a, b) + ln n_a + ln n_b,  and play the one of the two that is behind its
//       share: n_a/sqrt(s_a) against n_b/sqrt(s_b), where s_a counts the others that a is compared with, each by the share
//       of b's observations that it has, and s_b the leaders likewise. (For one leader and m equal others the best shares are
//       sqrt(m) to 1; arms that are clearly worse ask for little of the leader)
//   L5  play it until its observations have grown by the factor  (f + 3)/(G + 3), f the level of L3, between 1.2 and 4: about
//       what is still missing if evidence goes on to grow like observations. Each phase costs a noise term, so that few long ones
//       are better than many; but a phase that is too long is lost when it was not needed
// Why the recommendation is right: a wrong pair has mean_a < mean_b, and by Ville's inequality the chance that its G ever
// reaches the level is at most error/(top (arms - top)); whatever decides what is played and how long phases are, as long
// as only releases do.
//
// With `budget` it never stops: phases grow by at most the half, since there is no level to plan for.
//
// Late answers: who is played next is decided as if full phases had come out at their arm's mean (arm_states.hpp says the
// same of indices); the verdict waits for releases.
// Where users' devices report, every report comes by itself, and a phase is only a time at which nothing is decided.
//
// Cost per decision: evidence of the pairs that changed, some microseconds each. Decisions: O(arms log of the samples).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "tacit/core/arms_by.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/evidence/mixture.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/held_arm.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

struct Identification {
  double error;  // chance that the recommendation is wrong, in (0, 1)
  int top = 1;   // how many arms are recommended, fewer than there are
  bool budget = false;
  double first;  // observations of an arm's first phase, and ...
  double least;  // ... of later ones, at least
};

template <class Book>
class TopTwoLearner {
  static constexpr bool kReports = requires(Book & book) { book.add(0, 0.0); };

 public:
  using Feedback = feedback::Bandit;

  TopTwoLearner(Book book, const evidence::ReleaseLaw& law, const Identification& asked, Pace pace,
                const random::Dice& dice)
      : book_(std::move(book)),
        mixture_(law),
        asked_(asked),
        level_(std::log(pairs() / asked.error)),
        pace_(pace),
        dice_(dice),
        known_(book_.arms()),
        changes_(book_.arms(), 1),
        rows_(book_.arms()) {
    if (book_.arms() <= asked.top) settle_at_once();
  }

  int recorded() const noexcept { return 1; }
  std::span<const Arm> verdict() const noexcept { return verdict_; }

  void choose(const Situation& situation, Choice& choice) {
    const Round t = situation.t;
    if (!verdict_.empty() && situation.is_eligible(verdict_[0])) {
      playing_ = verdict_[0];
      left_ = 0;
      if constexpr (kReports) {
        choice.one(playing_, book_.slot(playing_), t);  // devices report whether or not it helps
      } else {
        choice.unrecorded(playing_, pace_ == Pace::kPlain ? t : kLastRound);
      }
      return;
    }
    if (!may_hold(situation)) {
      begin(situation);
      if constexpr (!kReports) held_.begin(book_, playing_);
    }
    choice.one(playing_, book_.slot(playing_), t);
    if constexpr (kReports) {
      --left_;
    } else if (pace_ == Pace::kSkipping) {
      choice.until = t + book_.remaining(playing_) - 1;
    }
  }

  Round assign(Slot slot, Round n) requires(!kReports) { return book_.assign(slot, n); }
  Round seal(Slot slot) requires(!kReports) { return book_.seal(slot); }
  void deliver(Slot slot, Values values, Round, int noises) requires(!kReports) {
    book_.deliver(slot, values[0].value(), noises);
    learn(slot.arm);
    decide();
  }
  void take(const Choice& choice, Values reports) requires kReports {
    book_.add(choice.arm(), reports[0].value());
    learn(choice.arm());
    if (left_ == 0) decide();
  }

  View show(Arm arm) const { return view_of(book_, arm); }

  template <class Archive>
  void state(Archive& archive) {
    archive(book_, verdict_, playing_, held_, left_, dice_);
    for (Arm arm = 0; arm < arms(); ++arm) learn(arm);
  }

 private:
  static constexpr double kOffset = 3;  // L5, nats
  static constexpr double kLeastGrowth = 1.2;
  static constexpr double kMostGrowth = 4;
  static constexpr double kMostGrowthOfBudgets = 1.5;
  static constexpr double kClose = 1e-4;  // of evidence, which is never overstated

  struct Pair {
    Arm leader;
    Arm other;
    double evidence;
  };
  /// The evidence of a pair, when it was last looked at.
  struct Known {
    int of_leader = 0;
    int of_other = 0;
    double apart = 0;
  };

  int arms() const noexcept { return known_.arms(); }
  double pairs() const {
    return static_cast<double>(asked_.top) * static_cast<double>(book_.arms() - asked_.top);
  }

  void settle_at_once() {
    verdict_.resize(static_cast<std::size_t>(book_.arms()));
    std::iota(verdict_.begin(), verdict_.end(), 0);
  }

  void learn(Arm arm) {
    const auto& released = book_.released(arm);
    known_[arm] = {released.sum, released.n, static_cast<double>(released.noises)};
    ++changes_[arm];
  }

  // ---- what is known

  bool is_under_way(Arm arm) const {
    if constexpr (kReports) {
      return false;
    } else {
      return book_.anything_under_way(arm);
    }
  }
  /// As if what is under way had come out at the arm's mean; at 1/2 before the first release.
  evidence::Record reckoned(Arm arm) const {
    if constexpr (!kReports) {
      if (is_under_way(arm)) {
        const double mean =
            known_[arm].empty() ? 0.5 : std::clamp(known_[arm].sum / known_[arm].n, 0.0, 1.0);
        const auto expected = book_.expected(arm, mean);
        return {expected.sum, expected.n, static_cast<double>(expected.noises)};
      }
    }
    return known_[arm];
  }

  double evidence_of(Arm a, Arm b) {
    if (is_under_way(a) || is_under_way(b)) {
      return mixture_.apart_near(reckoned(a), reckoned(b), kClose);
    }
    auto& row = rows_[a];
    row.resize(static_cast<std::size_t>(arms()));
    Known& known = row[static_cast<std::size_t>(b)];
    if (known.of_leader != changes_[a] || known.of_other != changes_[b]) {
      known.apart = mixture_.apart_near(known_[a], known_[b], kClose);
      known.of_leader = changes_[a];
      known.of_other = changes_[b];
    }
    return known.apart;
  }

  /// Among these, the `top` of largest means first; ties in the order of arms.
  void lead(std::vector<Arm>& candidates) const {
    const auto mean = [this](Arm arm) {
      const evidence::Record record = reckoned(arm);
      return record.sum / record.n;
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](Arm a, Arm b) { return mean(a) > mean(b); });
  }

  // ---- L2, L3

  void decide() {
    if (asked_.budget || !verdict_.empty()) return;
    for (Arm arm = 0; arm < arms(); ++arm) {
      if (known_[arm].empty()) return;
    }
    candidates_ =
        arms_by(arms(), arms(), [this](Arm arm) { return known_[arm].sum / known_[arm].n; });
    const auto top = static_cast<std::size_t>(asked_.top);
    for (std::size_t j = top; j < candidates_.size(); ++j) {
      for (std::size_t i = 0; i < top; ++i) {
        if (released_evidence(candidates_[i], candidates_[j]) < level_) return;
      }
    }
    verdict_.assign(candidates_.begin(), candidates_.begin() + asked_.top);
  }
  /// Of releases alone.
  double released_evidence(Arm a, Arm b) {
    if (is_under_way(a) || is_under_way(b)) {
      return mixture_.apart_near(known_[a], known_[b], kClose);
    }
    return evidence_of(a, b);
  }

  // ---- L1, L4, L5

  bool may_hold(const Situation& situation) {
    if constexpr (kReports) {
      return left_ > 0 && situation.is_eligible(playing_);
    } else {
      const Arm held = held_.find(book_, situation);
      if (held == HeldArm::kNobody) return false;
      playing_ = held;
      return true;
    }
  }

  void begin(const Situation& situation) {
    candidates_.assign(situation.eligible.begin(), situation.eligible.end());
    if (candidates_.empty()) {
      candidates_.resize(static_cast<std::size_t>(arms()));
      std::iota(candidates_.begin(), candidates_.end(), 0);
    }
    if (begin_unknown(situation.t)) return;  // L1
    lead(candidates_);
    if (candidates_.size() <= static_cast<std::size_t>(asked_.top)) {
      const Arm least =
          *std::min_element(candidates_.begin(), candidates_.end(),
                            [this](Arm a, Arm b) { return reckoned(a).n < reckoned(b).n; });
      play_on(least, kMostGrowthOfBudgets);
      return;
    }
    const Pair pair = closest_pair();
    const double missing = (level_ + kOffset) / std::max(0.1, pair.evidence + kOffset);
    play_on(who_is_behind(pair),
            std::clamp(missing, kLeastGrowth, asked_.budget ? kMostGrowthOfBudgets : kMostGrowth));
  }

  bool begin_unknown(Round t) {
    std::vector<Arm> unknown;
    for (const Arm arm : candidates_) {
      if (reckoned(arm).empty()) unknown.push_back(arm);
    }
    if (unknown.empty()) return false;
    auto draw = dice_.ties(t);
    playing_ = unknown[static_cast<std::size_t>(
        random::uniform_index(draw, static_cast<int>(unknown.size())))];
    set_length(asked_.first);
    return true;
  }

  Pair closest_pair() {
    Pair closest{candidates_[0], candidates_.back(), 0};
    double least = std::numeric_limits<double>::infinity();
    const auto top = static_cast<std::size_t>(asked_.top);
    for (std::size_t i = 0; i < top; ++i) {
      const Arm a = candidates_[i];
      const double log_n = std::log(reckoned(a).n);
      for (std::size_t j = top; j < candidates_.size(); ++j) {
        const Arm b = candidates_[j];
        const double apart = evidence_of(a, b);
        const double score = apart + log_n + std::log(reckoned(b).n);
        if (score < least) {
          least = score;
          closest = {a, b, apart};
        }
      }
    }
    return closest;
  }

  Arm who_is_behind(const Pair& pair) const {
    const double of_leader = reckoned(pair.leader).n;
    const double of_other = reckoned(pair.other).n;
    double leaders = 0;
    double others = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const double n = reckoned(candidates_[i]).n;
      if (i < static_cast<std::size_t>(asked_.top)) {
        leaders += std::min(1.0, n / of_leader);
      } else {
        others += std::min(1.0, n / of_other);
      }
    }
    return of_leader * std::sqrt(leaders) <= of_other * std::sqrt(others) ? pair.leader
                                                                          : pair.other;
  }

  void play_on(Arm arm, double growth) {
    playing_ = arm;
    set_length(std::max((growth - 1) * reckoned(arm).n, asked_.least));
  }
  void set_length(double length) {
    const auto rounds =
        static_cast<Round>(std::clamp(std::ceil(length), 1.0, static_cast<double>(kLastRound)));
    if constexpr (kReports) {
      left_ = rounds;
    } else if (!book_.in_phase(playing_)) {  // one that is filling is as long as it was planned
      book_.set_length(playing_, rounds);
    }
  }

  Book book_;
  evidence::Mixture mixture_;
  Identification asked_;
  double level_;
  Pace pace_;
  random::Dice dice_;
  PerArm<evidence::Record> known_;
  PerArm<int> changes_;              // how often an arm's record changed
  PerArm<std::vector<Known>> rows_;  // of those who have led
  std::vector<Arm> verdict_;
  std::vector<Arm> candidates_;
  HeldArm held_;
  Arm playing_ = 0;
  Round left_ = 0;  // reports: of the present phase
};

}  // namespace tacit::policies
