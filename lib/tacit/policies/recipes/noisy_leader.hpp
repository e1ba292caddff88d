// ftnl, rnm-ftnl, pf-ftnl: follow the noisy leader under full information.
//
// Hu, Huang, Mehta & Hegde (arXiv:2102.07929), section 5 and Algorithm 4.
//   L2  play the first action once
//   L4  play the leader for 2^s rounds
//   L5  leader = the action with the largest  (sum over those rounds) + noise
//   L6  forget the sums
//                           noise on each sum         what leaves         guarantee
//   ftnl                    Laplace(K/eps)            all K noisy sums    eps
//   rnm-ftnl-as-published   Laplace(1/eps)            the leader only     2 eps; the paper says eps (as_published/)
//   rnm-ftnl                Laplace(2/eps)            the leader only     eps
//   pf-ftnl (ours)          exponential, mean 2/eps   the leader only     eps
//
// Why 2 eps: report noisy max with Laplace(1/eps) costs eps when the scores move in one direction.
// Here one replaced outcome vector can raise one sum and lower another. With two actions a gap d
// apart the loss is 2 eps + ln[(1 + eps d/2)/(1 + eps (d+2)/2)], which approaches 2 eps as d grows.
// pf-ftnl: one-sided exponential noise is permute-and-flip (McKenna & Sheldon 2020), which picks a
// worse action less often than Laplace noise of the same cost.
// Privacy: one round enters the sums of one epoch, from which one selection is made.
// Cost: one decision an epoch, O(K) each.
// Bound: theory/hu.hpp, hu-theorem-9 and its variants (finite).
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/epoch_leader_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct Ftnl {
  static constexpr Card kCard =
      central("ftnl", "Follow the noisy leader, naive", "Hu et al. (arXiv:2102.07929), sec. 5")
          .with_full_information();
  using Parameters = NoParameters;
  using Learner = EpochLeaderLearner<Leaves::kSums>;

  static curators::NoisySumsPlan plan(const Setting& s, const Parameters&) {
    return {s.arms / required_epsilon(kCard.name, s)};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {s.arms, s.pace, dice};
  }
};

/// What the others share.
struct NoisyLeaderOfEpochs {
  using Parameters = NoParameters;
  using Learner = EpochLeaderLearner<Leaves::kLeader>;
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return {s.arms, s.pace, dice};
  }
};

struct RnmFtnl : NoisyLeaderOfEpochs {
  static constexpr Card kCard =
      central("rnm-ftnl", "RNM-FTNL, corrected", "Hu et al. (arXiv:2102.07929), Alg. 4")
          .with_full_information();
  static curators::NoisyLeaderPlan plan(const Setting& s, const Parameters&) {
    return {.one_sided = false, .scale = 2 / required_epsilon(kCard.name, s)};
  }
};

struct PfFtnl : NoisyLeaderOfEpochs {
  static constexpr Card kCard =
      central("pf-ftnl", "Permute-and-flip FTNL", "tacit; McKenna & Sheldon 2020")
          .with_full_information();
  static curators::NoisyLeaderPlan plan(const Setting& s, const Parameters&) {
    return {.one_sided = true, .scale = 2 / required_epsilon(kCard.name, s)};
  }
};

}  // namespace tacit::policies::recipes
