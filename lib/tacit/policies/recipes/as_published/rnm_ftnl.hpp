// rnm-ftnl-as-published: Algorithm 4 of Hu, Huang, Mehta & Hegde (arXiv:2102.07929) as printed, kept to show what it
// costs. noisy_leader.hpp has its lines, and why its guarantee is 2 eps where the paper says eps.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/epoch_leader_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct RnmFtnlAsPublished {
  static constexpr Card kCard = central("rnm-ftnl-as-published", "RNM-FTNL as published",
                                        "Hu et al. (arXiv:2102.07929), Alg. 4")
                                    .with_full_information();
  using Parameters = NoParameters;
  using Learner = EpochLeaderLearner<Leaves::kLeader>;

  static curators::NoisyLeaderPlan plan(const Setting& s, const Parameters&) {
    return {.one_sided = false, .scale = 1 / required_epsilon(kCard.name, s)};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {s.arms, s.pace, dice};
  }
};

}  // namespace tacit::policies::recipes
