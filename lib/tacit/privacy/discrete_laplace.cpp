#include "tacit/privacy/discrete_laplace.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::privacy {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 31;

/// True with probability exp(-a/b), a <= b: the parity of how long a product of a/(b k) coins
/// lasts.
bool bernoulli_exp(std::uint64_t a, std::uint64_t b, random::SecureSource& source) {
  std::uint64_t k = 1;
  while (source.below(b * k) < a) ++k;
  return k % 2 == 1;
}

}  // namespace

DiscreteLaplace::DiscreteLaplace(std::int64_t epsilon_numerator, std::int64_t epsilon_denominator)
    : numerator_(static_cast<std::uint64_t>(epsilon_numerator)),
      denominator_(static_cast<std::uint64_t>(epsilon_denominator)) {
  for (const std::int64_t part : {epsilon_numerator, epsilon_denominator}) {
    if (part < 1 || part > kLargest) {
      throw InvalidParameter("DiscreteLaplace", "epsilon",
                             fmt::format("{}/{}", epsilon_numerator, epsilon_denominator),
                             "must be a fraction of integers from 1 to 2^31");
    }
  }
}

Loss DiscreteLaplace::loss(const Sensitivity& sensitivity) const {
  return {.epsilon =
              sensitivity.l1 * static_cast<double>(numerator_) / static_cast<double>(denominator_),
          .delta = 0,
          .mechanism = fmt::format("discrete Laplace(epsilon {}/{})", numerator_, denominator_)};
}

std::int64_t DiscreteLaplace::sample(random::SecureSource& source) const {
  for (;;) {
    const std::uint64_t remainder = source.below(denominator_);
    if (!bernoulli_exp(remainder, denominator_, source)) continue;
    std::uint64_t whole = 0;
    while (bernoulli_exp(1, 1, source)) ++whole;
    const auto magnitude =
        static_cast<std::int64_t>((remainder + denominator_ * whole) / numerator_);
    const bool negative = source.coin();
    if (negative && magnitude == 0) continue;  // zero would count twice
    return negative ? -magnitude : magnitude;
  }
}

Released<std::int64_t> DiscreteLaplace::release(const Secret<Sum>& sum,
                                                random::SecureSource& source) const {
  return Vault::release(Vault::open(sum).floor() + sample(source));
}

}  // namespace tacit::privacy
