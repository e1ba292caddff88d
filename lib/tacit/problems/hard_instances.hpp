// Instances on which policies have to be slow, as plain data: the lower bounds for sets of arms of Chen,
// Zheng, Zhou, Yang, Chen & Wang (2020), and the two usual ones for single arms.
//
// The reward of an action is the sum of its arms' outcomes, so B_1 = 1. Play one with
//   SharedOutcomes(instance.means, instance.group_of_arm).
#pragma once

#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::problems {

struct HardInstance {
  std::vector<double> means;              // of each group
  std::vector<int> group_of_arm;          // arms of a group have the same outcome in a round
  std::vector<std::vector<Arm>> actions;  // the best one first; empty: single arms
};

/// `arms`/k disjoint paths of k arms each; a path is a group. The first has mean 1/2, the others
/// 1/2 - gap/(factor k): where rewards count `factor` times, an action's is gap below the best. k divides arms and there
/// are two paths or more; 0 < gap/(factor k) < 0.35.
HardInstance k_path(int arms, int k, double gap, double factor = 1);

/// The best action has k independent arms of mean 1/2 (arms 0..k-1). Every other consists of the same k-1
/// public arms (k..2k-2, one group) and one arm of its own; all of these have mean 1/2 - gap/(factor k), so
/// that what is learnt about public arms tells none of these actions from another. arms >= 2k; 0 < gap/(factor k) < 0.35.
HardInstance public_arms(int arms, int k, double gap, double factor = 1);

/// `sets` actions of the same k-1 arms (0..k-2, mean 1/2) and one arm of their own: of mean 0.05 + gap in the first, 0.05 in
/// the others. All arms are independent. Two sets or more; 0 < gap <= 0.95.
HardInstance common_arms(int sets, int k, double gap);

/// Arm 0 has mean (1 + gap)/2, the others (1 - gap)/2. Two arms or more; 0 < gap <= 1.
HardInstance equal_gaps(int arms, double gap);

/// Arm 0 has mean 0.9, arm i falls short of it by smallest * 2^(i-1). Two arms or more; smallest > 0 and the
/// largest gap at most 0.9.
HardInstance doubling_gaps(int arms, double smallest);

/// B(items, k, p, gap) of Kveton, Szepesvari, Wen & Ashkan (2015): the first k items attract with
/// probability p, the others with p - gap. 1 <= k <= items; 0 < gap <= p <= 1.
HardInstance cascade_instance(int items, int k, double p, double gap);

}  // namespace tacit::problems
