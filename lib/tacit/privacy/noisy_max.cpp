#include "tacit/privacy/noisy_max.hpp"

#include <fmt/format.h>

namespace tacit::privacy {

NoisyMax::NoisyMax(Noise noise, double scale, Arithmetic arithmetic)
    : noise_(noise), scale_(check::positive("NoisyMax", "scale", scale)), arithmetic_(arithmetic) {
  if (arithmetic == Arithmetic::kIdealised) return;
  if (noise == Noise::kGumbel) {
    throw InvalidParameter("NoisyMax", "noise", "Gumbel",
                           "has no exact sampler; one-sided exponential noise is as good");
  }
  grid_ = Grid::for_scale(scale);
}

Loss NoisyMax::loss(const Sensitivity& sensitivity) const {
  const bool one_direction = sensitivity.monotone() || sensitivity.l0() <= 1;
  const char* noise = noise_ == Noise::kLaplace  ? "Laplace"
                      : noise_ == Noise::kGumbel ? "Gumbel"
                                                 : "one-sided exponential";
  const bool exact = arithmetic_ == Arithmetic::kExact;
  const double moved = exact ? std::ceil(sensitivity.linf()) : sensitivity.linf();
  const double scale = exact ? grid_.actual_scale() : scale_;
  return {.epsilon = (one_direction ? 1 : 2) * moved / scale,
          .delta = 0,
          .mechanism = fmt::format("noisy max with {} noise (scale {:.6g}{}) at {}", noise, scale,
                                   exact ? fmt::format(", steps of 2^-{}", grid_.bits) : "",
                                   one_direction ? "sensitivity/scale: scores move together"
                                                 : "2 sensitivity/scale: one score can rise "
                                                   "while another falls"),
          .arithmetic = arithmetic_};
}

}  // namespace tacit::privacy
