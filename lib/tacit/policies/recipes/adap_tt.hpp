// adap-tt, adap-tt-star: find the best arm and stop when it is known. A leader and the challenger that is hardest to tell from
// it are played in turn; an arm's noisy mean is released whenever its pulls have doubled.
//
// Azize, Jourdan, Al Marjani & Basu 2023, "On the complexity of differentially private best-arm identification with fixed
// confidence", arXiv:2309.02202 (AdaP-TT); the same 2024, "Differentially private best-arm identification", arXiv:2406.06408
// (AdaP-TT*).
//   L1  play every arm once
//   L2  an arm's phase ends when its pulls have doubled: k phases so far, the last of w pulls, with
//       mean = (sum of that phase + Lap(1/eps))/w; earlier phases are forgotten
//   L3  the leader B maximises  mean + sqrt(ln t/(2 w)) + ln t/(eps w) (bonus=rounds), or mean + sqrt(k/w) + k/(eps w)
//       (bonus=phases)
//   L4  the challenger C minimises  W(B, c), the transportation cost with sigma 1/2 (evidence/transport.hpp);
//       adap-tt-star: with g min(g, 3 eps) in the place of the square g^2 of the gap
//   L5  play B if, as a leader, it was played in at most a share beta of the rounds in which it led, else C
//   L6  stop when for the arm h of the largest mean, and every other b,
//         W(h, b) >= 2 c(w, error/(2 zeta(2)^2 k_h^2 k_b^2)) + sum over j = h, b of 4 ln^2(2 arms zeta(2) k_j^2/error)/(eps^2 w_j)
//       and recommend h; c is the level of means without noise. h is then played to the end
// bonus=rounds is what the authors' public code has (github.com/achraf-azize/DP-BAI). With k in its place, as it may be read, an
// arm that is not played keeps its index: one whose first release is far too low comes back only as a challenger, when all
// others are told apart from the leader; so where others than the best are equal it may never stop: of 300 runs with error 0.01
// on .95 .9 .9 .9 .5 a fifth had not at eps 0.1, a tenth at eps 1, after 1e9 rounds.
// threshold=heuristic is what that code stops by, and nobody has proved: W with sigma 1 against
// ln(1/error) + ln(1 + ln w_h) + ln(1 + ln w_b) + (1/w_h + 1/w_b) ln^2(1/error)/eps^2.
// Symbols: delta -> error, a, b -> arms.
// Departures: 1. between two releases B and C stand, and the rounds of each come in a row, not in turn: as many of each, since
// the one whose phase ends comes last. 2. k counts phases, where the paper has log2 w + 2, which is the same from an arm's second
// phase on. 3. Ties are broken at random (W is 0 wherever c has the larger mean), and L1 comes in random order. 4. C(x) in c as it
// was proved, not x + ln x. 5. adap-tt-star is held to the level of adap-tt, which is safe: its W is never larger.
// Late answers: B and C are chosen as if full phases had come out at their arm's mean; L6 waits for releases.
// Privacy: one round enters one phase's sum, which is released once: eps. What is played, when it stops and what it recommends
// follow from releases.
// Cost per decision: O(arms); O(arms log n) decisions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/evidence/transport.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/tracking.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// What both share.
struct AdapTopTwo {
  static constexpr const char* kErrorParameter = "error";
  enum class Bonus { kPhases, kRounds };
  struct Parameters {
    double error = 0.05;  // in (0, 1)
    double beta = 0.5;    // in (0, 1)
    Bonus bonus = Bonus::kRounds;
    evidence::Threshold threshold = evidence::Threshold::kProven;
    template <class V>
    static void fields(V& v) {
      v.real("error", &Parameters::error, 0, 1, "chance that the recommendation may be wrong");
      v.real("beta", &Parameters::beta, 0, 1, "the leader's share of what is played");
      v.choice("bonus", &Parameters::bonus,
               {{"rounds", Bonus::kRounds}, {"phases", Bonus::kPhases}},
               "of a leader: by all rounds, as its authors' code has it; by its own phases");
      v.choice("threshold", &Parameters::threshold,
               {{"proven", evidence::Threshold::kProven},
                {"heuristic", evidence::Threshold::kHeuristic}},
               "when it stops: proven; heuristic, by its authors' code: no error is guaranteed");
    }
  };

  class Learner {
   public:
    using Feedback = feedback::Bandit;
    using Book = estimators::PhaseBook<estimators::ForgetButCount>;

    /// The cap is that of the gap in W.
    Learner(int arms, double epsilon, const Parameters& p, double cap, Pace pace,
            const random::Dice& dice)
        : epsilon_(epsilon),
          counts_rounds_(p.bonus == Bonus::kRounds),
          level_(p.threshold, arms, p.error, epsilon),
          transport_(level_.transport()),
          pace_(pace),
          dice_(dice),
          book_(arms, estimators::PhaseSchedule::cumulative(1, 2)),  // L2
          tracking_(arms, p.beta),
          scores_(arms) {
      transport_.cap = cap;
      if (arms == 1) verdict_ = {0};
    }

    int recorded() const noexcept { return 1; }
    std::span<const Arm> verdict() const noexcept { return verdict_; }
    View show(Arm arm) const { return view_of(book_, arm); }

    void choose(const Situation& situation, Choice& choice) {
      const Round t = situation.t;
      if (!verdict_.empty() && situation.is_eligible(verdict_[0])) {
        choice.unrecorded(verdict_[0], pace_ == Pace::kPlain ? t : kLastRound);
        return;
      }
      const Turn* turn = whose_turn(situation);
      if (turn == nullptr) {
        begin(situation);
        turn = whose_turn(situation);
      }
      choice.one(turn->arm, book_.slot(turn->arm), pace_ == Pace::kPlain ? t : t + turn->left - 1);
    }

    Round assign(Slot slot, Round n) {
      for (Turn* turn : {&first_, &second_}) {
        if (turn->arm == slot.arm) turn->left = std::max<Round>(0, turn->left - n);
      }
      if (leader_ != kNobody) tracking_.count(leader_, slot.arm, n);
      return book_.assign(slot, n);
    }
    Round seal(Slot slot) { return book_.seal(slot); }
    void deliver(Slot slot, Values values, Round, int noises) {
      book_.deliver(slot, values[0].value(), noises);
      first_.left = second_.left = 0;  // who leads may be another now
      decide();
    }

    template <class Archive>
    void state(Archive& archive) {
      archive(book_, tracking_, first_, second_, leader_, verdict_, dice_);
    }

   private:
    static constexpr Arm kNobody = -1;

    /// Rounds in a row.
    struct Turn {
      Arm arm = kNobody;
      Round left = 0;
      template <class Archive>
      void state(Archive& archive) {
        archive(arm, left);
      }
    };

    const Turn* whose_turn(const Situation& situation) const {
      for (const Turn* turn : {&first_, &second_}) {
        if (turn->left > 0 && situation.is_eligible(turn->arm)) return turn;
      }
      return nullptr;
    }

    /// As if what is under way had come out at the arm's mean; at 1/2 before the first release.
    estimators::ForgetButCount reckoned(Arm arm) const {
      const estimators::ForgetButCount& released = book_.released(arm);
      if (!book_.anything_under_way(arm)) return released;
      return book_.expected(arm, released.n > 0 ? std::clamp(released.mean(), 0.0, 1.0) : 0.5);
    }
    double optimistic(Arm arm, Round t) const {  // L3; L1: who was never observed comes first
      const auto known = reckoned(arm);
      if (known.n == 0) return std::numeric_limits<double>::infinity();
      const double growing = counts_rounds_ ? std::log(static_cast<double>(t)) : known.phases;
      const double spread = counts_rounds_ ? growing / 2 : growing;
      return known.mean() + std::sqrt(spread / known.n) + growing / (epsilon_ * known.n);
    }

    void begin(const Situation& situation) {
      constexpr double kNever = -std::numeric_limits<double>::infinity();
      const auto best = [&](auto score, std::uint64_t draw) {
        for (Arm arm = 0; arm < book_.arms(); ++arm) {
          scores_[arm] = situation.is_eligible(arm) ? score(arm) : kNever;
        }
        return actions::largest(scores_, situation.t, dice_, draw).arm;
      };
      const Arm leader = best([&](Arm arm) { return optimistic(arm, situation.t); }, 0);
      const auto known = reckoned(leader);
      Arm challenger = leader;
      if (known.n > 0) {
        challenger = best(
            [&](Arm arm) {  // L4
              if (arm == leader) return kNever;
              const auto other = reckoned(arm);
              return -transport_.cost(known.mean() - other.mean(), known.n, other.n);
            },
            1);
      }
      if (challenger == leader || !situation.is_eligible(challenger)) {
        leader_ = kNobody;
        first_ = {leader, book_.remaining(leader)};
        second_ = {};
        return;
      }
      leader_ = leader;
      const Round of_leader = book_.remaining(leader);
      const Round rounds = tracking_.rounds_until(leader, of_leader, book_.remaining(challenger));
      const Round leads = tracking_.share(leader, rounds);  // L5
      first_ = {leader, leads};
      second_ = {challenger, rounds - leads};
      if (leads == of_leader) std::swap(first_, second_);
    }

    void decide() {  // L6
      if (!verdict_.empty()) return;
      Arm best = 0;
      for (Arm arm = 0; arm < book_.arms(); ++arm) {
        if (book_.released(arm).n == 0) return;
        if (book_.released(arm).mean() > book_.released(best).mean()) best = arm;
      }
      for (Arm arm = 0; arm < book_.arms(); ++arm) {
        if (arm != best && !are_apart(book_.released(best), book_.released(arm))) return;
      }
      verdict_ = {best};
    }
    bool are_apart(const estimators::ForgetButCount& a, const estimators::ForgetButCount& b) const {
      return transport_.cost(a.mean() - b.mean(), a.n, b.n) >=
             level_.of({a.n, static_cast<double>(a.phases)}, {b.n, static_cast<double>(b.phases)});
    }

    double epsilon_;
    bool counts_rounds_;
    evidence::PhaseLevel level_;
    evidence::Transport transport_;
    Pace pace_;
    random::Dice dice_;
    Book book_;
    Tracking tracking_;
    Turn first_;
    Turn second_;           // whose phase ends with it, where there is one
    Arm leader_ = kNobody;  // of the two; nobody where one arm is played alone
    std::vector<Arm> verdict_;
    PerArm<double> scores_;  // lent again and again
  };
};

struct AdapTt : AdapTopTwo {
  static constexpr Card kCard = central("adap-tt", "AdaP-TT", "Azize et al. 2023");

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L2
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(s.arms, required_epsilon(kCard.name, s), p,
                   std::numeric_limits<double>::infinity(), s.pace, dice);
  }
};

struct AdapTtStar : AdapTopTwo {
  static constexpr Card kCard = central("adap-tt-star", "AdaP-TT*", "Azize et al. 2024");

  static curators::PhasePlan plan(const Setting& s, const Parameters&) {
    return {.scale = 1 / required_epsilon(kCard.name, s)};  // L2
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return Learner(s.arms, epsilon, p, 3 * epsilon, s.pace, dice);  // L4
  }
};

}  // namespace tacit::policies::recipes
