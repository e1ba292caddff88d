// A basis' regret by pairs of arms: section 4.1.3 of Chandak's thesis, after Lemma 1 of Kveton, Wen, Ashkan, Eydgahi &
// Eriksson 2014. Let a_1, ..., a_K be the arms of the played basis by falling index, e_1, ..., e_K those of the best one by
// falling mean. The thesis pairs a_k with e_pi(k), from k = K down to 1:
//   B_k = {a_1, ..., a_{k-1}, e_pi(k+1), ..., e_pi(K)};  pi(k) = i if a_k = e_i, else the least i such that e_i is not in B_k
//   and B_k + e_i is independent.
// Claim 12: each B_k + e_pi(k) has K arms; it is a basis. Corollary 13: pi is a permutation, so
//   regret = sum_k w(e_pi(k)) - w(a_k),   at most the sum of the positive differences            (4.7)
// Since {a_1, ..., a_{k-1}, e_pi(k)} is independent, greedy could have taken e_pi(k) when it took a_k: the index of a_k is
// the larger one. This is all that the proof of Thm 9 needs.
//
// Lemma 22 says more: the played basis with e_pi(k) in the place of a_k is independent. That is wrong for this pi. In the
// plane let a_1 = (1,0), a_2 = (0,1), e_1 = (1,1), e_2 = (0,2): then pi = (2, 1), and with e_2 for a_1 there are
// two arms on one line. Its proof adds a_{k+1}, ..., a_K to {a_1, ..., a_{k-1}, e_pi(k)} where the augmentation property may
// add a_k itself. There is a permutation for which the lemma holds, all pairs at once (Brualdi 1969, "Comments on bases
// in dependence structures"): exchanges() finds it. It has the other properties too, but for Claim 12, and
// optimistic_sets.hpp reckons with it.
#pragma once

#include <span>
#include <vector>

#include "tacit/actions/matroid.hpp"
#include "tacit/core/round.hpp"

namespace tacit::theory {

/// For every arm of the played basis, in its order, the one of the best basis that it is paired with: the thesis' pi. Both are
/// bases of the matroid; `played` is by falling index, `best` by falling mean. Throws InvalidParameter otherwise.
std::vector<Arm> paired_arms(const actions::Matroid& matroid, std::span<const Arm> played,
                             std::span<const Arm> best);

/// The same by a permutation for which Lemma 22 holds: `played` stays a basis with any one arm exchanged for its pair.
std::vector<Arm> exchanges(const actions::Matroid& matroid, std::span<const Arm> played,
                           std::span<const Arm> best);

}  // namespace tacit::theory
