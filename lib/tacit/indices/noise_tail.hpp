// Upper bounds on the noise in a counter's sum: x with P(noise > x) <= e^-level.
//   Laplace terms of one scale    the exact quantile of their number (laplace_sum.hpp)
//   a hybrid counter              the exact quantile of its terms of two scales (hybrid_noise_law.hpp)
//   a refined tree                Chernoff. A term with weight a <= 1 has -ln(1 - a^2 u) <= -a^2 ln(1 - u) for
//                                 its log moment generating function, u = (lambda scale)^2, so all terms
//                                 together behave like r = (sum of a^2) whole ones at most:
//                                 x = min over lambda of (level - r ln(1 - u))/lambda
//   Gaussian noise                sqrt(2 level variance)
#pragma once

#include <cmath>

#include "tacit/estimators/memory.hpp"
#include "tacit/privacy/counter_noise.hpp"

namespace tacit::indices {

/// min over lambda in (0, 1) of (level - r ln(1 - lambda^2))/lambda: what r Laplace(1) terms exceed with
/// probability e^-level at most; r > 0 need not be whole.
double chernoff_laplace(double r, double level);

/// How many Laplace terms' worth of variance the noise in an estimate has, or how much Gaussian variance, in
/// units of a term's.
inline double noise_in_terms(const privacy::CounterNoise& shape, const estimators::Running& e) {
  const double of_a_term = (shape.is_gaussian() ? 1 : 2) * shape.term_scale() * shape.term_scale();
  return shape.variance(static_cast<Round>(e.noisy_n())) / of_a_term;
}

/// Whether a counter's noise is a number of whole Laplace terms of one scale.
inline bool has_whole_terms(const privacy::CounterNoise& shape) {
  return shape.kind() == privacy::Counter::kTree || shape.kind() == privacy::Counter::kSigned;
}

/// For those that are not, and have no exact law either: in units of a term's scale.
inline double tail_of_other_noise(const privacy::CounterNoise& shape, double terms, double level) {
  return shape.is_gaussian() ? std::sqrt(2 * level * terms) : chernoff_laplace(terms, level);
}

}  // namespace tacit::indices
