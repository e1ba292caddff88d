#include "tacit/privacy/laplace.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tacit::privacy {

Laplace::Laplace(double scale, Arithmetic arithmetic)
    : scale_(check::positive("Laplace", "scale", scale)), arithmetic_(arithmetic) {
  if (arithmetic == Arithmetic::kExact) grid_ = Grid::for_scale(scale);
}

Loss Laplace::loss(const Sensitivity& s) const {
  if (arithmetic_ == Arithmetic::kIdealised) {
    return {.epsilon = s.l1() / scale_,
            .delta = 0,
            .mechanism = fmt::format("Laplace(scale {:.6g})", scale_)};
  }
  // Cutting to the grid can add a step to every entry that moves by less than a whole number.
  const double moved =
      std::min(s.l1() + s.l0() * grid_.step(), std::max(s.l1(), s.l0() * std::ceil(s.linf())));
  return {.epsilon = moved / grid_.actual_scale(),
          .delta = 0,
          .mechanism = fmt::format("discrete Laplace(scale {:.6g}, steps of 2^-{})",
                                   grid_.actual_scale(), grid_.bits),
          .arithmetic = Arithmetic::kExact};
}

Secret<Sum> Laplace::on_grid(const Secret<Sum>& sum) const {
  if (arithmetic_ == Arithmetic::kIdealised) return sum;
  return Secret<Sum>(Sum::of_steps(Vault::open(sum).nearest_steps(grid_.bits), grid_.bits));
}

}  // namespace tacit::privacy
