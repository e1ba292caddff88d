// How a released sum comes about, as numbers: n outcomes in [0, 1] of an unknown mean, each reported as it is or as a
// randomised bit, and noise terms of a known law.
#pragma once

namespace tacit::evidence {

/// The law of one noise term Z, by ln E exp(l Z). It is the same for l and -l.
class NoiseLaw {
 public:
  static NoiseLaw none() { return {Kind::kNone, 0, 0}; }
  static NoiseLaw laplace(double scale);
  /// On the multiples of `step`, P(k step) proportional to exp(-|k| step/scale), with what cutting a sum to them may
  /// lose: a step at most (privacy/grid.hpp).
  static NoiseLaw discrete_laplace(double scale, double step);
  /// Of this deviation, or the discrete one on the multiples of `step`, which is no wider; with what cutting to them may lose.
  static NoiseLaw gaussian(double sigma, double step = 0);

  /// ln E exp(l Z) for 0 <= l < below(), and at least that.
  double charge(double l) const;
  /// Where the charge ends to be finite; infinite where it never does.
  double below() const;

 private:
  enum class Kind { kNone, kLaplace, kDiscrete, kGaussian };
  NoiseLaw(Kind kind, double scale, double step) : kind_(kind), scale_(scale), step_(step) {}

  Kind kind_;
  double scale_;  // a Gaussian's deviation
  double step_;
};

/// A report lies in [0, 1] before noise and has the mean offset + slope * (mean of the outcome).
struct ReleaseLaw {
  NoiseLaw noise = NoiseLaw::none();
  double offset = 0;
  double slope = 1;
  /// Every report has its own noise term, however many the book counts.
  bool noise_a_report = false;

  /// Of bits that are the truth with probability 1/(1 + e^-epsilon).
  static ReleaseLaw responses(double epsilon);
  double seen(double mean) const noexcept { return offset + slope * mean; }
  double mean_of(double seen) const noexcept { return (seen - offset) / slope; }
};

}  // namespace tacit::evidence
