// What many releases cost together. From the crudest rule to the exact one: 1000 releases of epsilon 0.01
// cost 10 by addition, 1.712 and 1.472 by the two conversions of zCDP, and 1.365 exactly (delta 1e-6).
//
// Lemma (optimal composition; Kairouz, Oh & Viswanath 2015, Thm 3.3): n releases that are each
// (eps, delta_0)-private, chosen adaptively, are at every epsilon' >= 0 private up to
//   1 - (1 - delta_0)^n (1 - d(epsilon')),
//   d(epsilon') = sum over l with (2l-n) eps > epsilon' of C(n, l) p^l q^(n-l) (1 - e^(epsilon' - (2l-n) eps)),
// p = e^eps/(1 + e^eps), q = 1 - p, and randomised response attains it. The theorem lists only the points
// epsilon' = (n-2i) eps; d is continuous and decreasing between them, since it is the exact trade-off of n
// randomised responses. The smallest epsilon' is therefore not on that lattice: 1.365, where the lattice
// has 1.36 (too small) and 1.38.
//
// Lemma (zCDP; Bun & Steinke 2016): releases of rho_1, rho_2, ..., chosen adaptively, cost their sum.
//
// Lemma (Steinke 2024): an epsilon-private release has rho = epsilon tanh(epsilon/2), and no smaller one in
// general. Its Renyi divergence of order alpha is at most that of randomised response, which is
// ln(cosh((2 alpha - 1) epsilon/2)/cosh(epsilon/2))/(alpha - 1); ln cosh sqrt(s) is concave in s, and its
// tangent at s = epsilon^2/4 gives alpha epsilon tanh(epsilon/2). As alpha falls to 1 this is attained.
#pragma once

#include <cstdint>
#include <span>

namespace tacit::accounting {

struct Cost {
  double epsilon = 0;
  double delta = 0;

  bool operator==(const Cost&) const = default;
};

// --- (epsilon, delta). A delta of 1 or more is given as 1: it promises nothing. ---

/// Addition, for releases chosen adaptively (Dwork & Roth 2014, Thm 3.16).
Cost basic_composition(const Cost& each, std::int64_t releases);
Cost basic_composition(std::span<const Cost> costs);

/// The largest: for releases on disjoint sets of rounds that do not depend on the data (McSherry 2009).
/// Where a user's data decide in which set the round lands, replacing it moves two of them.
Cost parallel_composition(std::span<const Cost> costs);

/// For a user who takes part in `rounds` rounds, when one round costs `each`.
Cost group_privacy(const Cost& each, std::int64_t rounds);

/// The smallest delta of `releases` releases of cost `each` at this epsilon; to 1e-9 relative up to 1e6
/// releases.
double optimal_delta(const Cost& each, std::int64_t releases, double epsilon);
/// The smallest epsilon with optimal_delta <= delta. Throws when delta is below what the releases' own
/// deltas cost, since no epsilon has it then.
double optimal_epsilon(const Cost& each, std::int64_t releases, double delta);

// --- zCDP ---

/// Of any release that is epsilon-private: epsilon tanh(epsilon/2), just below the epsilon^2/2 of Bun &
/// Steinke 2016, Prop. 1.4.
double rho_of_pure(double epsilon);
/// Of Laplace noise, less than of the worst release of its epsilon = l1/scale: epsilon + e^-epsilon - 1
/// (Harrison & Manurangsi 2025).
double rho_of_laplace(double scale, double l1);
/// Of Gaussian noise: l2^2/(2 sigma^2) (Bun & Steinke 2016, Prop. 1.6).
double rho_of_gaussian(double sigma, double l2);
/// For a user who takes part in `rounds` rounds: rounds^2 rho (Bun & Steinke 2016, Prop. 1.9).
double group_rho(double rho, std::int64_t rounds);

/// rho + 2 sqrt(rho ln(1/delta)) (Bun & Steinke 2016, Prop. 1.3). Never below zcdp_epsilon; for reading
/// papers that use it.
double zcdp_epsilon_simple(double rho, double delta);
/// The smallest delta that follows from rho by Canonne, Kamath & Steinke 2020, Prop. 12: the infimum over
/// alpha > 1 of e^((alpha-1)(alpha rho - epsilon)) (1 - 1/alpha)^alpha/(alpha - 1).
double zcdp_delta(double rho, double epsilon);
/// The smallest epsilon with zcdp_delta <= delta.
double zcdp_epsilon(double rho, double delta);
/// The largest rho with zcdp_delta(rho, epsilon) <= delta; what a budget allows.
double zcdp_rho(const Cost& budget);

}  // namespace tacit::accounting
