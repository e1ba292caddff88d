// ctb-tt: find the best arm from one randomised bit a user, and stop when it is known.
//
// Azize, Jourdan, Al Marjani & Basu 2024, "Differentially private best-arm identification", arXiv:2406.06408 (CTB-TT: convert to
// Bernoulli, then top two).
//   L1  the played arm's user reports one randomised-response bit; play every arm once
//   L2  the leader B maximises  mean + sqrt(ln t/(2 n)),  mean that of the arm's n bits
//   L3  the challenger C minimises  W(B, c), the transportation cost with sigma 1/2 (evidence/transport.hpp)
//   L4  play B if, as a leader, it was played in at most a share beta of the rounds in which it led, else C
//   L5  stop when for the arm h of the largest mean, and every other b,  W(h, b) >= c(n, error), the level of means of reports,
//       and recommend h, which is played from then on
// Debiasing is the same increasing line for every arm: bits are compared as they are, and have sigma 1/2 as outcomes do.
// threshold=heuristic: W against  ln(1/error) + ln(1 + ln n_h) + ln(1 + ln n_b), of the kind that the authors' public code has;
// nobody has proved it.
// Symbols: delta -> error, n -> t.
// Departures: 1. the bonus of L2 is Chernoff's for bits at level 1/t; top-two UCB may have any that grows like ln t, and smaller
// constants find the best sooner. 2. Ties, and the order of the first rounds, are broken at random. 3. C(x) in c as it was
// proved, not x + ln x.
// Late answers: rounds count for L4 when they are chosen, bits when they come in.
// Privacy: one round is one report of one outcome: eps, local.
// Cost: O(arms) a round.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/evidence/transport.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/tracking.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CtbTt {
  static constexpr Card kCard =
      local("ctb-tt", "CTB-TT: top two on randomised bits", "Azize et al. 2024");
  static constexpr const char* kErrorParameter = "error";
  struct Parameters {
    double error = 0.05;  // in (0, 1)
    double beta = 0.5;    // in (0, 1)
    evidence::Threshold threshold = evidence::Threshold::kProven;
    template <class V>
    static void fields(V& v) {
      v.real("error", &Parameters::error, 0, 1, "chance that the recommendation may be wrong");
      v.real("beta", &Parameters::beta, 0, 1, "the leader's share of what is played");
      v.choice("threshold", &Parameters::threshold,
               {{"proven", evidence::Threshold::kProven},
                {"heuristic", evidence::Threshold::kHeuristic}},
               "when it stops: proven; heuristic, after its authors' code: no error is guaranteed");
    }
  };

  class Learner {
   public:
    using Feedback = feedback::Bandit;

    Learner(int arms, const Parameters& p, const random::Dice& dice)
        : level_(p.threshold, arms, p.error),
          dice_(dice),
          book_(arms),
          tracking_(arms, p.beta),
          known_(arms),
          scores_(arms) {
      if (arms == 1) verdict_ = {0};
    }

    int recorded() const noexcept { return 1; }
    std::span<const Arm> verdict() const noexcept { return verdict_; }
    View show(Arm arm) const { return view_of(book_, arm); }

    void choose(const Situation& situation, Choice& choice) {
      const Arm arm = !verdict_.empty() && situation.is_eligible(verdict_[0])
                          ? verdict_[0]
                          : leader_or_challenger(situation);
      choice.one(arm, book_.slot(arm), situation.t);
    }
    void take(const Choice& choice, Values reports) {
      book_.add(choice.arm(), reports[0].value());
      learn(choice.arm());
      decide();
    }

    template <class Archive>
    void state(Archive& archive) {
      archive(book_, tracking_, verdict_, dice_);
      for (Arm arm = 0; arm < book_.arms(); ++arm) learn(arm);
    }

   private:
    /// Of an arm, computed when a report changes it.
    struct Known {
      double mean = 0;
      double n = 0;
      double part = 0;  // in the level
    };

    void learn(Arm arm) {
      const estimators::Estimate& bits = book_.released(arm);
      if (bits.n > 0) known_[arm] = {bits.mean(), bits.n, level_.part(bits.n)};
    }
    double cost(const Known& a, const Known& b) const noexcept {
      return evidence::Transport{}.cost(a.mean - b.mean, a.n, b.n);
    }

    /// The arm of the largest score among those that may be played.
    template <class Score>
    Arm best(const Situation& situation, std::uint64_t draw, Score score) {
      for (Arm arm = 0; arm < book_.arms(); ++arm) {
        scores_[arm] = situation.is_eligible(arm) ? score(arm) : kNever;
      }
      return actions::largest(scores_, situation.t, dice_, draw).arm;
    }
    Arm leader_or_challenger(const Situation& situation) {
      const double half_log = std::log(static_cast<double>(situation.t)) / 2;
      const Arm leader = best(situation, 0, [&](Arm arm) {  // L2; L1: who was never observed
        const Known& known = known_[arm];
        return known.n > 0 ? known.mean + std::sqrt(half_log / known.n) : -kNever;
      });
      if (known_[leader].n == 0) return leader;
      Arm played = leader;
      if (!tracking_.plays_leader(leader)) {  // L4
        const Arm challenger = best(situation, 1, [&](Arm arm) {
          return arm == leader ? kNever : -cost(known_[leader], known_[arm]);  // L3
        });
        if (situation.is_eligible(challenger)) played = challenger;
      }
      tracking_.count(leader, played, 1);
      return played;
    }

    void decide() {  // L5
      if (!verdict_.empty()) return;
      Arm leader = 0;
      for (Arm arm = 0; arm < book_.arms(); ++arm) {
        if (known_[arm].n == 0) return;
        if (known_[arm].mean > known_[leader].mean) leader = arm;
      }
      const Known& first = known_[leader];
      const double level = level_.constant() + first.part;
      for (Arm arm = 0; arm < book_.arms(); ++arm) {
        if (arm != leader && cost(first, known_[arm]) < level + known_[arm].part) return;
      }
      verdict_ = {leader};
    }

    static constexpr double kNever = -std::numeric_limits<double>::infinity();

    evidence::ReportLevel level_;
    random::Dice dice_;
    estimators::ReportBook book_;
    Tracking tracking_;
    PerArm<Known> known_;
    std::vector<Arm> verdict_;
    PerArm<double> scores_;  // lent again and again
  };

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};  // L1
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return Learner(s.arms, p, dice);
  }
};

}  // namespace tacit::policies::recipes
