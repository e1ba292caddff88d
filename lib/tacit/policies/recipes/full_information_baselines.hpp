// ftl, hedge-decreasing: the full-information baselines. Not private.
//
// ftl: play the action with the largest sum so far (Kotlowski 2018).
// hedge-decreasing: play action j with probability proportional to exp(eta_t S_j),
// eta_t = 2 sqrt(ln K/t), S_j its sum before round t (Mourtada & Gaiffas 2019). One sampled action a
// round, as in Hu et al. (arXiv:2102.07929).
// Departures: none.
// Cost per decision: O(K), every round.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/actions/single.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies::recipes {

/// The exact sums of all actions, known after every round, and scores made of them.
class LeaderOfExactSums {
 public:
  using Feedback = feedback::FullInformation;
  LeaderOfExactSums(int arms, const random::Dice& dice)
      : dice_(dice), sums_(arms, 0.0), scores_(arms) {}

  int recorded() const noexcept { return sums_.arms(); }
  void take(const Choice&, Values reports) {
    for (Arm arm = 0; arm < sums_.arms(); ++arm) {
      sums_[arm] += reports[static_cast<std::size_t>(arm)].value();
    }
    ++n_;
  }
  View show(Arm arm) const { return {sums_[arm], static_cast<double>(n_), 0, 0}; }

  template <class Archive>
  void state(Archive& archive) {
    archive(sums_, n_, dice_);
  }

 protected:
  /// The arm with the largest score, of those that are eligible.
  void play_largest(const Situation& situation, Choice& choice) {
    for (Arm arm = 0; arm < scores_.arms(); ++arm) {
      if (!situation.is_eligible(arm)) scores_[arm] = -std::numeric_limits<double>::infinity();
    }
    const Arm arm = actions::largest(scores_, situation.t, dice_).arm;
    choice.one(arm, {kAllArms, 0}, situation.t);
  }

  random::Dice dice_;
  PerArm<double> sums_;
  Round n_ = 0;
  PerArm<double> scores_;
};

struct Ftl {
  static constexpr Card kCard =
      baseline("ftl", "Follow the leader", "Kotlowski 2018").with_full_information();
  using Parameters = NoParameters;

  class Learner : public LeaderOfExactSums {
   public:
    using LeaderOfExactSums::LeaderOfExactSums;
    void choose(const Situation& situation, Choice& choice) {
      scores_ = sums_;
      play_largest(situation, choice);
    }
  };

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(s.arms, dice);
  }
};

struct HedgeDecreasing {
  static constexpr Card kCard =
      baseline("hedge-decreasing", "Decreasing Hedge", "Mourtada & Gaiffas 2019")
          .with_full_information();
  using Parameters = NoParameters;

  class Learner : public LeaderOfExactSums {
   public:
    using LeaderOfExactSums::LeaderOfExactSums;
    void choose(const Situation& situation, Choice& choice) {
      const auto arms = static_cast<double>(scores_.arms());
      const double rate = 2 * std::sqrt(std::log(arms) / static_cast<double>(situation.t));
      // The largest of rate S_j + Gumbel noise has exactly these probabilities.
      for (Arm arm = 0; arm < scores_.arms(); ++arm) {
        scores_[arm] = rate * sums_[arm] + random::gumbel(dice_.decisions(), 1);
      }
      play_largest(situation, choice);
    }
  };

  static curators::ExactPlan plan(const Setting&, const Parameters&) { return {}; }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(s.arms, dice);
  }
};

}  // namespace tacit::policies::recipes
