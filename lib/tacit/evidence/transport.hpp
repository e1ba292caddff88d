// How far apart two arms are by what it costs to move their means together, and the levels that papers on top two hold it to.
// What they stop by: our own evidence is the mixture's (mixture.hpp).
//
//   W(a, b) = g min(g, cap)/(2 sigma^2 (1/n_a + 1/n_b)),  g = (mean_a - mean_b)+;  bits, and outcomes in [0, 1], have sigma 1/2
// Kaufmann & Koolen 2021, "Mixture martingales revisited with applications to sequential tests and confidence intervals": for
// means of n_a and n_b observations and a wrong pair, W without a cap ever reaches
//   2 C(ln(1/d)/2) + 2 ln(4 + ln n_a) + 2 ln(4 + ln n_b)  with probability at most d,
//   C(x) = min over l in (1/2, 1) of (g(l) + x)/l,  g(l) = 2l - 2l ln(4l) + ln zeta(2l) - ln(1 - l)/2.
// Papers write C as about x + ln x, which is too small for x below 6: here it is what was proved.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace tacit::evidence {

struct Transport {
  double sigma = 0.5;
  double cap = std::numeric_limits<double>::infinity();

  double cost(double gap, double n_a, double n_b) const noexcept {
    if (!(gap > 0)) return 0;
    return gap * std::min(gap, cap) / (2 * sigma * sigma * (1 / n_a + 1 / n_b));
  }
};

/// C(x) for x > 0, at most some thousandths above.
double calibrated(double x);

/// Heuristic: what the authors' public code has instead of what they proved.
enum class Threshold { kProven, kHeuristic };

/// What W of means of all reports has to reach: constant() + part(n_a) + part(n_b). Proven: that the arm which is above all
/// others is ever a wrong one has probability at most `error`.
class ReportLevel {
 public:
  /// Of two arms or more.
  ReportLevel(Threshold threshold, int arms, double error);
  double constant() const noexcept { return constant_; }
  double part(double n) const noexcept {
    return proven_ ? 2 * std::log(4 + std::log(n)) : std::log(1 + std::log(n));
  }

 private:
  bool proven_;
  double constant_;
};

/// The last phase of an arm.
struct LastPhase {
  double n;       // observations in it
  double number;  // 1, 2, ...
};

/// What W of the last phases' means has to reach, each with Lap(1/(epsilon n)) in it. Proven: (x + y)^2 <= 2 x^2 + 2 y^2 parts
/// outcomes from noise, and half of the error is for each, shared over phases as 1/(zeta(2) number^2).
class PhaseLevel {
 public:
  PhaseLevel(Threshold threshold, int arms, double error, double epsilon);
  /// The W that it is made for, without a cap.
  Transport transport() const noexcept { return {.sigma = proven_ ? 0.5 : 1}; }
  double of(const LastPhase& a, const LastPhase& b) const;

 private:
  double of_noise(const LastPhase& phase) const;

  bool proven_;
  ReportLevel of_reports_;
  double arms_;
  double error_;
  double epsilon_;
};

}  // namespace tacit::evidence
