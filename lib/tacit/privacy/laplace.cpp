#include "tacit/privacy/laplace.hpp"

#include <fmt/format.h>

namespace tacit::privacy {

Loss Laplace::loss(const Sensitivity& sensitivity) const {
  return {.epsilon = sensitivity.l1 / scale_,
          .delta = 0,
          .mechanism = fmt::format("Laplace(scale {:.6g})", scale_)};
}

}  // namespace tacit::privacy
