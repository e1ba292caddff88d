// cascade-dp-hybrid-as-published, cascade-ldp-laplace-as-published, cascade-ldp-gaussian-as-published,
// cascade-ldp-composed-as-published: what "Cascading bandit under differential privacy" (Wang, Dong,
// Wang, Li & Shao) prints, kept to show what it leaks.
//
//   L1  observe w_0: one outcome of every item, used as it is; n_e = 1
//   L2  show the K items with the largest  mean_e + sqrt(1.5 ln t/n_e) + bonus
//   L3  the user stops at position C; the items up to C are updated, and only they:
//                    noise on an observation                        bonus
//       hybrid       a hybrid counter an item, eps/L each           3 c1 L ln^1.5(n_e) ln t/(eps n_e)
//       laplace      Lap(K/eps)                                     (K/eps) sqrt(24 ln t/n_e)
//       gaussian     N(0, sigma^2), sigma^2 = 2 K ln(1.25/delta)/eps^2   sigma sqrt(2 ln(2 t^3)/n_e)
//       composed     Lap(sqrt(4 K ln(e + eps/delta))/eps)           (4/eps) sqrt(6 K ln(e + eps/delta) ln t/n_e)
// Algorithms 1, 2, 3 and Theorem 8. The experiments of the paper multiply the noise by 0.01:
// noise_multiplier, 1 unless given, which is shown with the run.
// Departures: 1. "K hybrid mechanisms" is a slip for L, one an item; n in the bonus is the item's count,
// as its proof needs.
// Privacy: none, in all four. How many items are updated is the stop position itself, un-noised: whoever
// sees the counts n_e, or the later lists, reads it off. The user behind w_0 is not protected at all.
// Cost per decision: one index an item, every round.
// Bound: theory/cascade.hpp, wang-theorem-4, -6 and -8 (finite); wang-theorem-2, an order.
#pragma once

#include <cmath>
#include <numbers>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/cascade_index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// mean + sqrt(1.5 ln t/n) + sqrt(root ln t + constant)/sqrt n + linear ln^1.5(n) ln t/n.
class PrintedBonus {
 public:
  struct Shape {
    double root = 0;
    double constant = 0;
    double linear = 0;
  };
  struct State {
    double mean = 0;
    double inverse_n = 0;
    double linear = 0;
  };
  explicit PrintedBonus(Shape shape) : shape_(shape) {}
  State prepare(const estimators::Estimate& e) const noexcept {
    return {e.mean(), 1 / e.n, shape_.linear * std::pow(std::log(e.n), 1.5) / e.n};
  }
  double value(const State& s, const indices::Clock& clock) const noexcept {
    return s.mean + std::sqrt(1.5 * clock.log_t * s.inverse_n) +
           std::sqrt((shape_.root * clock.log_t + shape_.constant) * s.inverse_n) +
           s.linear * clock.log_t;
  }

 private:
  Shape shape_;
};

struct NoiseMultiplier {
  double noise_multiplier = 1;
  template <class V>
  static void fields(V& v) {
    v.real("noise_multiplier", &NoiseMultiplier::noise_multiplier, 0, 1e6,
           "factor on the noise; the paper's experiments use 0.01");
  }
};

constexpr Card leaking_local(const char* name, const char* title, const char* where, bool delta) {
  const Card card = local(name, title, where)
                        .with_cascade_feedback()
                        .promising({privacy::Notion::kLocal, 1, delta});
  return delta ? card.taking_delta() : card;
}

using NoisyCascadeLearner = CascadeIndexLearner<PrintedBonus, Counts::kAddUp>;

struct CascadeLdpLaplaceAsPublished {
  static constexpr Card kCard =
      leaking_local("cascade-ldp-laplace-as-published", "Cascading-UCB-LDP, Laplace, as published",
                    "Wang et al. (Cascading bandit under DP), Alg. 2", false);
  using Parameters = NoiseMultiplier;
  using Learner = NoisyCascadeLearner;

  static double scale(const Setting& s) {
    return action_set(s)->size() / required_epsilon(kCard.name, s);
  }
  static curators::LeakingStopPlan plan(const Setting& s, const Parameters& p) {
    return {{}, curators::LeakingStopPlan::Noise::kLaplace, p.noise_multiplier * scale(s), 0};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {*action_set(s), PrintedBonus({.root = 24 * scale(s) * scale(s)}), s.pace, dice};
  }
};

struct CascadeLdpGaussianAsPublished {
  static constexpr Card kCard = leaking_local(
      "cascade-ldp-gaussian-as-published", "Cascading-UCB-LDP, Gaussian, as published",
      "Wang et al. (Cascading bandit under DP), Alg. 3", true);
  using Parameters = NoiseMultiplier;
  using Learner = NoisyCascadeLearner;

  static double sigma(const Setting& s) {
    return std::sqrt(2 * action_set(s)->size() * std::log(1.25 / s.delta_or_default())) /
           required_epsilon(kCard.name, s);
  }
  static curators::LeakingStopPlan plan(const Setting& s, const Parameters& p) {
    return {{},
            curators::LeakingStopPlan::Noise::kGaussian,
            p.noise_multiplier * sigma(s),
            s.delta_or_default()};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    const double variance = sigma(s) * sigma(s);
    // 2 ln(2 t^3) = 6 ln t + 2 ln 2.
    return {*action_set(s),
            PrintedBonus({.root = 6 * variance, .constant = 2 * std::numbers::ln2 * variance}),
            s.pace, dice};
  }
};

struct CascadeLdpComposedAsPublished {
  static constexpr Card kCard = leaking_local(
      "cascade-ldp-composed-as-published", "Cascading-UCB-LDP, composed, as published",
      "Wang et al. (Cascading bandit under DP), Thm 8", true);
  using Parameters = NoiseMultiplier;
  using Learner = NoisyCascadeLearner;
  /// Up to which epsilon the rule that shares it out is stated (accounting/printed_composition.hpp has all of it).
  static constexpr double kRuleEnds = 0.9;

  static double spread(const Setting& s) {
    return action_set(s)->size() *
           std::log(std::numbers::e + required_epsilon(kCard.name, s) / s.delta_or_default());
  }
  static curators::LeakingStopPlan plan(const Setting& s, const Parameters& p) {
    return {{},
            curators::LeakingStopPlan::Noise::kLaplace,
            p.noise_multiplier * std::sqrt(4 * spread(s)) / required_epsilon(kCard.name, s),
            0};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    const double epsilon = required_epsilon(kCard.name, s);
    return {*action_set(s), PrintedBonus({.root = 96 * spread(s) / (epsilon * epsilon)}), s.pace,
            dice};
  }
};

struct CascadeDpHybridAsPublished {
  static constexpr Card kCard =
      central("cascade-dp-hybrid-as-published", "Cascading-UCB-DP, hybrid counters, as published",
              "Wang et al. (Cascading bandit under DP), Alg. 1")
          .with_cascade_feedback();
  struct Parameters {
    double c1 = 1;                // constant of the bonus; > 0
    double noise_multiplier = 1;  // > 0
    template <class V>
    static void fields(V& v) {
      v.real("c1", &Parameters::c1, 0, 1e6, "the constant that the paper leaves open");
      v.real("noise_multiplier", &Parameters::noise_multiplier, 0, 1e6,
             "factor on the noise; the paper's experiments use 0.01");
    }
  };
  using Learner = CascadeIndexLearner<PrintedBonus, Counts::kReplace>;

  static curators::LeakingStopPlan plan(const Setting& s, const Parameters& p) {
    const double share = s.arms / required_epsilon(kCard.name, s);
    return {{}, curators::LeakingStopPlan::Noise::kHybrid, p.noise_multiplier * share, 0};
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const double share = s.arms / required_epsilon(kCard.name, s);
    return {*action_set(s), PrintedBonus({.linear = 3 * p.c1 * share}), s.pace, dice};
  }
};

}  // namespace tacit::policies::recipes
