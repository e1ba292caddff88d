#include "tacit/privacy/stop_response.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tacit/privacy/randomized_response.hpp"

namespace tacit::privacy {

StopResponse::StopResponse(double epsilon, int positions, Arithmetic arithmetic)
    : StopResponse(epsilon, positions,
                   positions - 1 < 3 * std::exp(epsilon) ? Kind::kResponse : Kind::kEncoding,
                   arithmetic) {}

StopResponse::StopResponse(double epsilon, int positions, Kind kind, Arithmetic arithmetic)
    : epsilon_(check::positive("StopResponse", "epsilon", epsilon)),
      positions_(static_cast<int>(check::at_least("StopResponse", "positions", positions, 1))),
      kind_(kind),
      arithmetic_(arithmetic),
      threshold_(truth_threshold(epsilon_, alternatives(), arithmetic)) {
  // Written in e^-eps, which does not overflow.
  const double e = std::exp(-epsilon_);
  p_ = kind_ == Kind::kResponse ? 1 / (1 + positions_ * e) : 0.5;
  q_ = kind_ == Kind::kResponse ? e / (1 + positions_ * e) : e / (1 + e);
  const double lost = -std::expm1(-epsilon_);  // 1 - e^-eps, without cancellation
  gap_ = kind_ == Kind::kResponse ? lost / (1 + positions_ * e) : lost / (2 * (1 + e));
  yes_ = (1 - q_) / gap_;
  no_ = (0 - q_) / gap_;
}

Loss StopResponse::loss(const Sensitivity&) const {
  return {.epsilon = threshold_loss(epsilon_, threshold_, alternatives()),
          .delta = 0,
          .mechanism = kind_ == Kind::kResponse
                           ? fmt::format("{}-ary randomised response ({})", positions_ + 1,
                                         threshold_in_words(threshold_, 4))
                           : fmt::format("unary encoding of {} positions", positions_),
          .arithmetic = arithmetic_};
}

}  // namespace tacit::privacy
