#include "tacit/evidence/release_law.hpp"

#include <cmath>
#include <limits>

#include "tacit/core/check.hpp"

namespace tacit::evidence {

NoiseLaw NoiseLaw::laplace(double scale) {
  return {Kind::kLaplace, check::positive("NoiseLaw", "scale", scale), 0};
}

NoiseLaw NoiseLaw::discrete_laplace(double scale, double step) {
  check::positive("NoiseLaw", "scale", scale);
  return {Kind::kDiscrete, scale, check::positive("NoiseLaw", "step", step)};
}

NoiseLaw NoiseLaw::gaussian(double sigma, double step) {
  return {Kind::kGaussian, check::positive("NoiseLaw", "sigma", sigma), step};
}

double NoiseLaw::below() const {
  const bool ends = kind_ == Kind::kLaplace || kind_ == Kind::kDiscrete;
  return ends ? 1 / scale_ : std::numeric_limits<double>::infinity();
}

double NoiseLaw::charge(double l) const {
  switch (kind_) {
    case Kind::kNone: return 0;
    case Kind::kGaussian: return 0.5 * l * l * scale_ * scale_ + l * step_;
    case Kind::kLaplace: return -std::log1p(-(l * scale_) * (l * scale_));
    case Kind::kDiscrete: break;
  }
  // (1 - p)^2/((1 - p e^x)(1 - p e^-x)) with p = e^-h, in differences that do not cancel.
  const double h = step_ / scale_;
  const double x = l * step_;
  const double spread =
      2 * std::log(-std::expm1(-h)) - std::log(-std::expm1(x - h)) - std::log(-std::expm1(-x - h));
  return spread + x;
}

ReleaseLaw ReleaseLaw::responses(double epsilon) {
  check::positive("ReleaseLaw", "epsilon", epsilon);
  const double lie = 1 / (1 + std::exp(epsilon));
  return {.offset = lie, .slope = std::tanh(epsilon / 2)};
}

}  // namespace tacit::evidence
