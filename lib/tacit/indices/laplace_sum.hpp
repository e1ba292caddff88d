// The exact law of a sum of k independent Laplace(1) variables, and its upper quantiles.
//
// The density is e^-x times a polynomial of degree k-1 for x >= 0 (a difference of two Gamma(k)),
// so the tail is too: P(X > x) = e^-x sum_j c_j x^j.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/memory.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/indices/noise_tail.hpp"
#include "tacit/indices/quantile_table.hpp"

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

/// Quantiles at 1 - 1/t for every k up to a bound and every round.
class LaplaceSumQuantiles {
 public:
  /// The table for k in 1..max_terms, made once a process. Thread safe.
  static const LaplaceSumQuantiles& up_to(int max_terms);
  const QuantileTable& of(int terms) const noexcept {
    return tables_[static_cast<std::size_t>(terms - 1)];
  }

 private:
  explicit LaplaceSumQuantiles(int max_terms);
  std::vector<QuantileTable> tables_;  // [terms - 1]
};

/// For the sums of a counter: mean + sqrt(2 ln t/n) + scale q/n, q a 1/t upper bound on the noise
/// (noise_tail.hpp), exact for whole Laplace(1) terms and for those of a hybrid counter.
class NoiseAwareUcb {
 public:
  struct State {
    double mean = std::numeric_limits<double>::infinity();  // an unobserved arm comes first
    double a = 0;
    double noise = 0;                          // scale/n; 0: unobserved
    const QuantileTable* quantiles = nullptr;  // of the noise in the sum, where its law has a table
    double terms = 0;                          // else how much of it there is
  };
  /// For a counter whose terms have this scale.
  NoiseAwareUcb(const privacy::CounterNoise& shape, double scale)
      : shape_(shape),
        scale_(scale),
        quantiles_(has_whole_terms(shape) ? &LaplaceSumQuantiles::up_to(shape.most_terms())
                                          : nullptr) {}

  Clock clock(Round t) const noexcept {
    Clock clock = Clock::at(t);
    clock.place = QuantileTable::place(clock.log_t);
    return clock;
  }
  State prepare(const estimators::Running& e) const {
    if (e.n == 0) return {};
    const double inverse = 1 / e.n;
    // sqrt(2/n), whose root need not wait for the division.
    State state{e.sum * inverse, std::sqrt(2 * e.n) * inverse, scale_ * inverse};
    if (quantiles_ != nullptr) {
      state.quantiles = &quantiles_->of(e.noises);
    } else {
      prepare_other_noise(e, state);
    }
    return state;
  }
  double value(const State& s, const Clock& clock) const noexcept {
    return s.mean + s.a * clock.sqrt_log_t + s.noise * tail(s, clock);
  }

 private:
  void prepare_other_noise(const estimators::Running& e, State& state) const;
  double tail(const State& s, const Clock& clock) const noexcept {
    if (s.quantiles != nullptr) [[likely]] {
      return clock.place.knot < 0 ? s.quantiles->at(clock.log_t) : s.quantiles->at(clock.place);
    }
    return s.noise == 0 ? 0 : tail_of_other_noise(shape_, s.terms, clock.log_t);
  }

  privacy::CounterNoise shape_;
  double scale_;
  const LaplaceSumQuantiles* quantiles_;  // where the noise has whole terms of one scale
};

}  // namespace tacit::indices
