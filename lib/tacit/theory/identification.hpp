// How many samples it takes at least to know the best arm.
//
// Whoever is wrong with probability at most delta on every instance needs on average at least  kl(delta, 1 - delta) T*  samples,
//   1/T* = max over shares w of  min over b other than the best arm a  of  min over q of  w_a d(mean_a, q) + w_b d(mean_b, q),
// where d is what a sample of an arm tells at most:
//   nobody protected  kl (Garivier & Kaufmann 2016)
//   central           d_eps, between the means as they lie (Jourdan & Azize 2025, arXiv:2510.17348)
//   local             the smaller of kl and min(4, e^(2 eps)) (e^eps - 1)^2 (p - q)^2 (Azize, Jourdan, Al Marjani & Basu 2024,
//                     arXiv:2406.06408), and never more than d_eps: whoever is locally private is centrally
//
// It is found over the level y that all pairs share in units of w_a: the share x_b(y) of w_a that b needs is an increasing
// function of y, and T* is the smallest (1 + sum of x_b(y))/y.
#pragma once

#include <optional>
#include <vector>

#include "tacit/privacy/guarantee.hpp"

namespace tacit::theory {

/// What results and figures call the bound below, and what a policy that identifies says of itself: its error.
inline constexpr const char* kFewestSamples = "fewest-samples";
inline constexpr const char* kPromisedError = "promised-error";

/// T*: infinite where two arms are best, or so near each other that rounding hides it. Two arms or more, means in [0, 1]; an epsilon for the notions central and local.
double characteristic_time(const std::vector<double>& means, privacy::Notion notion,
                           std::optional<double> epsilon);

/// kl(error, 1 - error) T*, for an error below 1/2; 0 beyond, where a guess may do.
double fewest_samples(const std::vector<double>& means, privacy::Notion notion,
                      std::optional<double> epsilon, double error);
/// The same where T* is known, which takes some milliseconds an arm.
double fewest_samples(double characteristic_time, double error);

}  // namespace tacit::theory
