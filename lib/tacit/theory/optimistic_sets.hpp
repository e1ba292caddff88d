// Upper bounds for optimism on sets and on bases of a matroid, derived here for what is played: cucb (Chen, Wang, Yuan
// & Wang 2016; CombUCB1 of Kveton, Wen, Ashkan & Szepesvari 2015 has the same radius), cucb-dp and cucb-dp-weakest
// (Chen et al. 2020, Thm 8 and the end of section 3.2), omm (Kveton et al. 2014).
//
// Sets. Let U_i = min(1, mean + radius), radius(n) = sqrt(root/n) + linear/n, and let every mean be within its radius.
// A bad action S of observed arms is then played only if, U_i - mu_i being at most min(1, 2 radius),
//   (1)  Delta_S <= B_1 sum_{i in S} min(1, 2 radius(n_i))      and      (2)  Delta_S <= B_inf min(1, 2 radius(min n_i)).
// From (1), by taking Delta_S twice and once away (Wang & Chen 2017; the proof of Thm 8 of Chen et al. 2020 does the same):
//   Delta_S <= sum_{i in S} [2 B_1 min(1, 2 radius(n_i)) - Delta_i/K],   Delta_i the smallest gap of a bad action with i.
// All arms of S are observed, so arm i pays once for every n, and no more than the integral over n of the positive part.
// For radius sqrt(c ln T/n) alone that is at most 16 c K B_1^2 ln T/Delta_i: 24 for cucb.
// From (2) the least observed arm pays, again once for every n, which holds also where it alone is recorded: the integral
// of min(Delta_max, B_inf, 2 B_inf radius(n)) up to the n at which it falls to Delta_i, at most 8 c B_inf^2 ln T/Delta_i.
// Both hold, so the smaller counts. Rounds with an unobserved arm are at most as many as arms. Rounds in which a mean
// strays from its radius are counted apart:
//   cucb     radius sqrt(c ln t/n), c = 1.5, fails for one arm on one side at one n with t^(-2c) (Hoeffding), n < t: the
//            sum over t of (t-1) t^(-2c) is 0.443.
//   cucb-dp  each side of each n fails with 1/T^2: 2 rounds an arm.
//
// Bases. The basis A_t that is best for the indices can be matched with the best basis A*: every f of A* that is not in
// A_t with its own e of A_t, outside A*, so that A_t - e + f is a basis. So the index of e is at least that of f, and
// with D = w(f) - w(e) > 0 that needs 2 radius(n_e) >= D, n_e <= 4 c ln T/D^2, or an index that strays. Let D_1 >= D_2 >= ...
// be the positive gaps of e to arms of A*, N(D) = floor(4 c ln T/D^2) + 1: e costs at most
//   D_1 N(D_1) + sum_{j>1} D_j (N(D_j) - N(D_{j-1})),
// at most 8 c ln T/D_k + D_1, which is 16 ln T/D_k for omm (c = 2); and straying costs
// sum_t (t-1) t^(-2c) times the largest gaps of all arms.
//
// Asymptotically, of every policy that is consistent and of kl-osm (Talebi & Proutiere 2016): arm e outside A* costs
// D/kl(w(e), w(s)) ln T, s the weakest arm of A* that e can replace and D = w(s) - w(e). (e must be known to be worse than
// s, or A* would not be the best; and every play of e costs D at least, since A_t and A* can also be matched so that
// A* - f + e is a basis.)
#pragma once

#include <span>

#include "tacit/theory/instance.hpp"
#include "tacit/theory/number.hpp"

namespace tacit::theory {

/// sqrt(root/n) + linear/n.
struct Radius {
  double root = 0;
  double linear = 0;

  double at(double n) const;
  /// The n, not always whole, at which it has fallen to `level` > 0.
  double reaches(double level) const;
};

/// Whose outcomes of a set are recorded.
enum class Recorded { kAll, kLeastObserved };

/// The integrals above, all arms together, plus one round an arm and `stray` rounds of the largest gap; at most T of
/// them. Rewards monotone and smooth, gaps known.
Number optimistic_sets_upper(const Instance& instance, const Radius& radius, Recorded recorded,
                             double stray);

/// Of cucb: sets, and bases where the actions are those of a matroid, whichever is smaller.
Number cucb_upper(const Instance& instance);
/// Of cucb-dp (or cucb-dp-weakest) with the noise that its recipe has. T is the horizon that it is told.
Number cucb_counters_upper(const char* policy, const Instance& instance);
/// Of cucb-dp-as-published: its radius, and by Chernoff how often its noise leaves it.
Number cucb_dp_as_published_upper(const Instance& instance);

/// Of an index mean + sqrt(factor ln t/n), clipped to 1 or not, on the bases of a matroid.
Number optimistic_bases_upper(const Instance& instance, double factor);

/// sum_{t>1} (t-1) t^(-2 factor): rounds in which a mean is, on one side, further off than sqrt(factor ln t/n) for some n.
double stray_rounds_of_root(double factor);

/// Talebi & Proutiere 2016: sum over arms outside the best basis of (w(s) - w(e))/kl(w(e), w(s)) ln T. Bernoulli arms,
/// independent. The lower bound of every consistent policy, and what kl-osm comes to. Asymptotic.
Number bases_asymptotic(const Instance& instance);

/// Kveton, Wen, Ashkan & Szepesvari 2015: disjoint sets whose arms have equal outcomes are a bandit of sets, so sum over
/// all arms of (w* - w_i)/kl(w_i, w*) ln T, at least (m-K) K/(4 Delta) ln T on k-path. Every consistent policy.
Number disjoint_sets_lower(const Instance& instance);

/// Lemma 2 of Chen et al. 2020, its event F_t: the largest gap that a set of arms observed so often may have,
///   B_1 sum_i (4 sqrt(ln(m T)/n_i) + 24 K ln^3 T/(n_i eps)).
/// The paper has ln T for ln(m T), which is what its radius has. Besides F_t a run costs at most lemma2_rest. Numbers of
/// observations are above 0; epsilon is given.
double lemma2_allows(const Instance& instance, std::span<const double> observed);
/// 3 sum_i Delta_max^i, here with Delta_max for every arm that is in a bad action.
Number lemma2_rest(const Instance& instance);

}  // namespace tacit::theory
