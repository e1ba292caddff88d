// Beta(a + 1, b + 1), a, b >= 0: logarithms of its distribution function, at one point or at many.
//
// Boost's incomplete beta function is accurate up to some 1e5 observations, and takes a fraction of a microsecond. Beyond,
// and between points that are close, the density is integrated by its Taylor series: it solves
// x(1-x) f' = (a - (a+b) x) f, which gives the coefficients by a recurrence and needs no logarithm.
#pragma once

#include <span>

namespace tacit::indices {

class BetaLaw {
 public:
  BetaLaw(double a, double b) noexcept;

  /// Nothing is said to be less likely than e^kLowest.
  static constexpr double kLowest = -700;

  /// ln P(X < y), y in (0, 1), accurate where it is near 0 too.
  double log_below(double y) const noexcept;
  /// The same at each of some points, which fall from one to the next.
  void log_below(std::span<const double> points, std::span<double> results) const noexcept;

 private:
  /// P(X < y) and P(X >= y), each accurate where it is small.
  struct Sides {
    double below;
    double above;
  };
  struct Step {
    double mass;     // between here and there
    double density;  // there
  };
  Sides sides(double y) const noexcept;
  double log_of(const Sides& sides) const noexcept;
  double log_density(double x) const noexcept;
  Step step(double x, double density, double width) const noexcept;
  /// How wide a step may be, so that its series converges fast.
  double reach(double x) const noexcept;
  double tail(double x, double direction) const noexcept;

  double a_, b_, n_;
  double mode_;
  double deviation_;
  double log_height_;  // of the density at the mode
  bool smooth_;        // enough outcomes of both kinds for Stirling's formula
};

}  // namespace tacit::indices
