// cucb-ldp-gaussian-as-published: the policy that Algorithm 4 of "Cascading bandit under differential
// privacy" (Wang, Dong, Wang, Li & Shao) prints, kept to show what it leaks.
//
//   L1  sigma^2 = 2 K ln(1.25/delta)/eps^2
//   L2  observe u_0: one outcome of every arm, used as it is; n_i = 1
//   L3  for t = m+1, m+2, ...: as cucb-ldp-gaussian
// Privacy: none. The user behind u_0 is not protected at all: every later choice depends on the raw
// outcomes. Nor is sigma enough for eps >= 1: the formula is proved for eps < 1 only.
// Cost per decision: one index an arm and one choice, every round.
// Bound: theory/combinatorial.hpp, wang-theorem-10 (finite).
#pragma once

#include <cmath>
#include <utility>

#include "tacit/policies/recipes/cucb_ldp_gaussian.hpp"
#include "tacit/privacy/exact.hpp"

namespace tacit::policies::recipes {

class GaussianFromRawOutcomes
    : public SetIndexPolicy<estimators::AveragedReports<privacy::Gaussian>, indices::LateUcb> {
 public:
  static constexpr bool kStartsFromRawOutcomes = true;
  using Base = SetIndexPolicy<estimators::AveragedReports<privacy::Gaussian>, indices::LateUcb>;
  GaussianFromRawOutcomes(Base base, int arms) : Base(std::move(base)), arms_(arms) {}

  void learn_before_the_first_round(const privacy::SecretVector<Outcome>& outcomes) {
    for (Arm arm = 0; arm < arms_; ++arm) {  // L2
      const auto& outcome = outcomes[static_cast<std::size_t>(arm)];
      start(arm, {privacy::declassify(outcome).value().value(), 1, 0});
    }
  }
  /// What the user before the first round has; the others are better off.
  privacy::Guarantee guarantee() const {
    return privacy::compose(privacy::Notion::kLocal,
                            "the raw outcomes of all arms, when it is the one before the first,", 1,
                            privacy::Exact::loss(Feedback::sensitivity(arms_)));
  }

 private:
  int arms_;
};

struct CucbLdpGaussianAsPublished {
  static constexpr Card kCard =
      local("cucb-ldp-gaussian-as-published", "CUCB-LDP with Gaussian noise as published",
            "Wang et al. (Cascading bandit under DP), Alg. 4")
          .with_semi_bandit_feedback()
          .taking_delta()
          .promising({privacy::Notion::kLocal, 1, true});
  using Parameters = NoParameters;

  static GaussianFromRawOutcomes make(const Setting& s, const Parameters&) {
    const auto actions = action_set(s);
    const double delta = s.delta.value_or(kDefaultDelta);
    const double sigma = std::sqrt(2 * actions->size() * std::log(1.25 / delta)) /
                         required_epsilon(kCard.name, s);  // L1
    return {GaussianFromRawOutcomes::Base(
                actions, {s.arms, privacy::Gaussian(sigma, delta, s.arithmetic), s.releases()},
                indices::LateUcb(gaussian_root(sigma), s.arms), Record::kAll, s.pace, s.key),  // L3
            s.arms};
  }
};

}  // namespace tacit::policies::recipes
