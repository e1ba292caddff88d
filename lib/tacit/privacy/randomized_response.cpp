#include "tacit/privacy/randomized_response.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tacit::privacy {

Loss RandomizedResponse::loss(const Sensitivity& sensitivity) const {
  // One bit hides one entry. A round that moves several would need a report for each.
  return {.epsilon = sensitivity.l0() <= 1 ? threshold_loss(epsilon_, threshold_, 1)
                                           : std::numeric_limits<double>::infinity(),
          .delta = 0,
          .mechanism = fmt::format("randomised response ({})", threshold_in_words(threshold_, 6)),
          .arithmetic = arithmetic_};
}

std::string threshold_in_words(std::uint64_t threshold, int digits) {
  const double lie = std::ldexp(static_cast<double>(0 - threshold), -64);
  if (lie < 1e-4) return fmt::format("false with probability {:.3g}", lie);
  return fmt::format("true with probability {:.{}g}", 1 - lie, digits);
}

std::uint64_t truth_threshold(double epsilon, int others, Arithmetic arithmetic) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const long double odds =  // of a lie
      static_cast<long double>(others) * std::exp(-static_cast<long double>(epsilon));
  if (arithmetic == Arithmetic::kIdealised) {
    const long double lies = std::ceil(std::ldexp(odds / (1 + odds), 64));
    return 0 - static_cast<std::uint64_t>(std::max(lies, 1.0L));
  }
  check::within("exact response", "epsilon", epsilon, 1e-9, 1e300);
  // A long double's 64 bits err by a few units at most; sixteen units are given away.
  constexpr long double kGivenAway = 16;
  const long double units = std::floor(std::ldexp(1 / (1 + odds), 64)) - kGivenAway;
  constexpr long double kMost = 0x1p64L - kGivenAway;
  return static_cast<std::uint64_t>(std::min(units, kMost));
}

double threshold_loss(double epsilon, std::uint64_t threshold, int others) {
  const auto truth = static_cast<long double>(threshold);
  const auto rest = static_cast<long double>(0 - threshold);  // 2^64 - threshold
  const long double loss = std::abs(std::log(truth * static_cast<long double>(others) / rest));
  return std::min(epsilon, static_cast<double>(loss) * (1 + 0x1p-50));  // its own rounding paid for
}

}  // namespace tacit::privacy
