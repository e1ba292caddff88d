// The exact law of the noise in a hybrid counter's sum (privacy/counter_noise.hpp), in units of the scale that its
// totals have: `totals` Laplace(1) terms and `nodes` Laplace(w) ones, w the levels of its last tree.
//
// Its moment generating function is (1 - s^2)^-totals (1 - w^2 s^2)^-nodes. In partial fractions it is a sum of
// A_j/(1 - s)^j and B_j/(1 - w s)^j, and of their mirror images; these are the transforms of Gamma densities, so that
//   P(X > x) = sum_j A_j Q_j(x) + sum_j B_j Q_j(x/w),  Q_j(y) = e^-y sum_{i<j} y^i/i!.
// The A_j have one sign, and only the w that are small, with few terms, let them be large: nothing much cancels.
#pragma once

#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/indices/quantile_table.hpp"

namespace tacit::indices {

class HybridNoiseLaw {
 public:
  /// Of the sum of n >= 1 outcomes.
  explicit HybridNoiseLaw(Round n);

  /// ln P(X > x) for x >= 0.
  double log_tail(double x) const;
  /// -d/dx log_tail(x), the hazard rate.
  double hazard(double x) const;
  /// The x >= 0 with P(X > x) = e^-level; 0 when level <= ln 2.
  double upper_quantile(double level) const;

 private:
  /// Coefficients of e^-y y^i.
  struct Part {
    std::vector<long double> tail;
    std::vector<long double> density;
  };
  static Part part(const std::vector<long double>& fractions);

  double width_;  // w; 1 where all terms have one scale
  Part narrow_;   // in y = x
  Part wide_;     // in y = x/w
};

/// There are few laws: they depend on n by how many binary digits it has, and how many of these are ones. A number for each of
/// them, from 0 on.
int hybrid_law_number(Round n);
/// The smallest n with this number.
Round first_with_hybrid_law(int number);

/// The 1 - 1/t quantiles of the noise in a sum of n outcomes, made when they are first asked for. Thread safe.
const QuantileTable& hybrid_quantiles(Round n);

}  // namespace tacit::indices
