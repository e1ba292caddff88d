#include "tacit/privacy/randomized_response.hpp"

#include <limits>

#include <fmt/format.h>

namespace tacit::privacy {

Loss RandomizedResponse::loss(const Sensitivity& sensitivity) const {
  // One bit hides one entry. A round that moves several would need a report for each.
  const double epsilon = sensitivity.l0 > 1 ? std::numeric_limits<double>::infinity() : epsilon_;
  return {.epsilon = epsilon,
          .delta = 0,
          .mechanism = fmt::format("randomised response (true with probability {:.6g})", truth_)};
}

}  // namespace tacit::privacy
