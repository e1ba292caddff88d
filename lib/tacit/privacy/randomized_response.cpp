#include "tacit/privacy/randomized_response.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace tacit::privacy {

Loss RandomizedResponse::loss(const Sensitivity& sensitivity) const {
  // One bit hides one entry. A round that moves several would need a report for each.
  const double epsilon = sensitivity.l0 > 1 ? std::numeric_limits<double>::infinity() : epsilon_;
  const bool exact = arithmetic_ == Arithmetic::kExact;
  const bool one_bit = sensitivity.l0 <= 1;
  return {
      .epsilon = exact && one_bit ? std::min(epsilon, threshold_epsilon(threshold_, 1)) : epsilon,
      .delta = 0,
      .mechanism = fmt::format("randomised response (true with probability {:.6g})", truth_),
      .arithmetic = arithmetic_};
}

Released<bool> RandomizedResponse::report(const Secret<Outcome>& outcome,
                                          random::SecureSource& source) const {
  return exactly(outcome, truth_threshold(epsilon_, 1), source);
}

std::uint64_t truth_threshold(double epsilon, int others) {
  check::within("exact response", "epsilon", epsilon, 1e-9, 1e300);
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const long double truth =
      1 / (1 + static_cast<long double>(others) * std::exp(-static_cast<long double>(epsilon)));
  // A long double's 64 bits err by a few units at most; sixteen units are given away.
  constexpr long double kGivenAway = 16;
  const long double units = std::floor(std::ldexp(truth, 64)) - kGivenAway;
  constexpr long double kMost = 0x1p64L - kGivenAway;
  return static_cast<std::uint64_t>(std::min(units, kMost));
}

double threshold_epsilon(std::uint64_t threshold, int others) {
  const auto truth = static_cast<long double>(threshold);
  const auto rest = static_cast<long double>(0 - threshold);  // 2^64 - threshold
  return static_cast<double>(std::log(truth * static_cast<long double>(others) / rest));
}

}  // namespace tacit::privacy
