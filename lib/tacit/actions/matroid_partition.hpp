// The fewest independent sets that hold all arms: matroid partition (Edmonds 1965, "Minimum partition of a matroid into
// independent subsets"). Independent sets can be filled up to bases, so that this is also in how few rounds a policy
// that plays bases can see every arm. Chandak's thesis names it as the better start of DPUCB-MAT and DPTS-MAT.
//
// Theorem (Edmonds 1965): as many sets are needed as the largest ceil(|X|/rank(X)) over sets X of arms.
//
// Algorithm. Sets are filled one after the other, greedily, as many as ceil(arms/rank). An arm x that fits nowhere
// asks for room: y of a set I could make room for x if I - y + x is independent. All who could ask in turn, and so on, until
// somebody fits into a set as it is; then all along the path from x move. Since everybody whom an arm could replace
// asks before the next arm's turn, the path has no shortcuts, which is what keeps the sets independent. If nobody
// does, the arms X that asked are a proof that one more set is needed: every set has rank(X) arms of X, which span X,
// and one arm of X is left over. With all other arms that X spans it may be more than one.
// Only the incremental independence test is used: with those of I that have asked first, then x, then the others, what is
// refused is one that could make room and has not asked yet; if x itself is refused, there is none.
//
// Cost: one independence test for every arm and set until it is placed. For every arm that fits nowhere at once, at
// most arms x sets x rank tests more, mostly a few.
#pragma once

#include <span>
#include <vector>

#include "tacit/actions/matroid.hpp"
#include "tacit/core/indexed.hpp"

namespace tacit::actions {

struct Partition {
  Indexed<std::vector<Arm>> sets;  // independent and disjoint; none is empty
  /// Arms X with ceil(|X|/rank(X)) sets, which proves that fewer do not do.
  std::vector<Arm> tightest;
};

/// Of these arms, which are distinct, but for loops, which are in no independent set. Among the partitions into the
/// fewest sets it is one that depends on the order of the arms.
Partition fewest_independent_sets(const Matroid& matroid, std::span<const Arm> arms);

}  // namespace tacit::actions
