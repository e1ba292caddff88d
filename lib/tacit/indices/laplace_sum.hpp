// The exact law of a sum of k independent Laplace(1) variables, and its upper quantiles.
//
// The density is e^-x times a polynomial of degree k-1 for x >= 0 (a difference of two Gamma(k)),
// so the tail is too: P(X > x) = e^-x sum_j c_j x^j.
#pragma once

#include <vector>

#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/noise_tail.hpp"

namespace tacit::indices {

class LaplaceSum {
 public:
  /// k >= 1.
  explicit LaplaceSum(int k);

  /// ln P(X > x) for x >= 0.
  double log_tail(double x) const;
  /// -d/dx log_tail(x), the hazard rate.
  double hazard(double x) const;
  /// The x >= 0 with P(X > x) = e^-level; 0 when level <= ln 2.
  double upper_quantile(double level) const;

 private:
  // Of a wide type: for some two hundred terms factorials and powers leave the range of doubles.
  std::vector<long double> tail_;     // coefficients c_j of the tail
  std::vector<long double> density_;  // coefficients of the density
};

/// Quantiles at 1 - 1/t for every k up to a bound and every round, tabulated in ln t: cubic Hermite
/// interpolation with the exact slopes, within 1e-6 (1 + q) of the exact quantile q.
class LaplaceSumQuantiles {
 public:
  /// The table for k in 1..max_terms, made once a process. Thread safe.
  static const LaplaceSumQuantiles& up_to(int max_terms);
  double at(int terms, double log_t) const noexcept;

 private:
  explicit LaplaceSumQuantiles(int max_terms);
  struct Knot {
    double value;
    double slope;
  };
  std::vector<std::vector<Knot>> knots_;  // [terms - 1][i]
};

/// For the sums of a counter: mean + sqrt(2 ln t/n) + scale q/n, q a 1/t upper bound on the noise
/// (noise_tail.hpp), exact for whole Laplace(1) terms.
class NoiseAwareUcb {
 public:
  struct State {
    double mean = 0;
    double inverse_n = 0;  // 0: unobserved
    double a = 0;
    double terms = 0;  // of noise, in the sum
  };
  /// For a counter whose terms have this scale.
  NoiseAwareUcb(const privacy::CounterNoise& shape, double scale)
      : shape_(shape),
        scale_(scale),
        quantiles_(has_whole_terms(shape) ? &LaplaceSumQuantiles::up_to(shape.most_terms())
                                          : nullptr) {}

  State prepare(const estimators::Estimate& e) const;
  double value(const State& s, const Clock& clock) const noexcept;

 private:
  privacy::CounterNoise shape_;
  double scale_;
  const LaplaceSumQuantiles* quantiles_;  // where the noise has whole terms
};

}  // namespace tacit::indices
