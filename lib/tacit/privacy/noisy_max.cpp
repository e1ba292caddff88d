#include "tacit/privacy/noisy_max.hpp"

#include <fmt/format.h>

namespace tacit::privacy {

Loss NoisyMax::loss(const Sensitivity& sensitivity) const {
  const bool one_direction = sensitivity.monotone || sensitivity.l0 <= 1;
  const char* noise = noise_ == Noise::kLaplace  ? "Laplace"
                      : noise_ == Noise::kGumbel ? "Gumbel"
                                                 : "one-sided exponential";
  return {.epsilon = (one_direction ? 1 : 2) * sensitivity.linf / scale_,
          .delta = 0,
          .mechanism = fmt::format("noisy max with {} noise (scale {:.6g}) at {}", noise, scale_,
                                   one_direction ? "sensitivity/scale: scores move together"
                                                 : "2 sensitivity/scale: one score can rise "
                                                   "while another falls")};
}

}  // namespace tacit::privacy
