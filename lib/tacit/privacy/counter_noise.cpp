#include "tacit/privacy/counter_noise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::privacy {
namespace {

constexpr int kLargestArity = 64;

/// Calls f(level, digit) for the digits of n in base `arity`, lowest first; signed ones if asked for.
template <class F>
void for_each_digit(Round n, int arity, bool balanced, F f) {
  const int half = (arity - 1) / 2;
  for (int level = 0; n > 0; ++level) {
    auto digit = static_cast<int>(n % arity);
    if (balanced && digit > half) digit -= arity;
    n = (n - digit) / arity;
    f(level, digit);
  }
}

int terms(Round n, int arity, bool balanced) {
  int sum = 0;
  for_each_digit(n, arity, balanced, [&](int, int digit) { sum += std::abs(digit); });
  return sum;
}

/// Calls f(n) for T and for every n that agrees with T in its high digits, is one smaller in the next, and has
/// the largest digits below. Digits have no signs here: any number up to T is at most one of these in every
/// digit, so that what grows with each digit is largest at one of them.
template <class F>
void for_each_largest_below(Round horizon, int arity, F f) {
  f(horizon);
  for (Round unit = 1; unit <= horizon; unit *= arity) f(horizon / unit * unit - 1);
}

int most_tree_terms(Round horizon, int arity) {
  int most = 0;
  for_each_largest_below(horizon, arity,
                         [&](Round n) { most = std::max(most, tree_terms(n, arity)); });
  return most;
}

/// n = arity m + d is at most T when m is at most (T - d)/arity: no lowest digit d leaves more room above than
/// -half, and none is larger. So it is taken, as long as T has a second digit.
int most_signed_terms(Round horizon, int arity) {
  const int half = (arity - 1) / 2;
  int most = 0;
  Round rest = horizon;
  for (; rest > half; rest = (rest + half) / arity) most += half;
  return most + static_cast<int>(rest);
}

double largest_variance(Counter kind, Round horizon, int arity) {
  return CounterNoise(kind, horizon, arity).largest_variance();
}

/// Calls f(n) for the sums of a hybrid counter that have the most nodes, in the last tree and in the last full one:
/// trees before that have fewer, and less noise on each.
template <class F>
void for_each_largest_hybrid(Round horizon, F f) {
  const auto power = static_cast<Round>(std::bit_floor(static_cast<std::uint64_t>(horizon)));
  f(power);
  for_each_largest_below(horizon - power, 2, [&](Round m) { f(power + m); });
  if (power > 1) f(power - 1);
}

int best_arity(Counter kind, Round horizon) {
  if (kind == Counter::kToeplitz || kind == Counter::kHybrid) return 2;
  int best = kind == Counter::kSigned ? 3 : 2;
  double smallest = std::numeric_limits<double>::infinity();
  for (int arity = best; arity <= kLargestArity; arity += kind == Counter::kSigned ? 2 : 1) {
    const double variance = largest_variance(kind, horizon, arity);
    if (variance >= smallest) continue;
    smallest = variance;
    best = arity;
  }
  return best;
}

}  // namespace

int tree_levels(Round horizon, int arity) {
  int levels = 0;
  for (Round rest = horizon; rest > 0; rest /= arity) ++levels;
  return levels;
}

int signed_levels(Round horizon, int arity) {
  const Round half = (arity - 1) / 2;
  int levels = 0;
  for (Round reach = 0; reach < horizon; ++levels) {
    reach = reach > (horizon - half) / arity ? horizon : arity * reach + half;
  }
  return levels;
}

int tree_terms(Round n, int arity) { return terms(n, arity, false); }
int signed_terms(Round n, int arity) { return terms(n, arity, true); }

HybridParts hybrid_parts(Round n) {
  const auto count = static_cast<std::uint64_t>(n);
  const std::uint64_t power = std::bit_floor(count);
  const std::uint64_t rest = count - power;
  const auto levels = static_cast<int>(std::bit_width(power)) - 1;
  if (rest == 0) return {levels, 0, n / 2, true};
  const std::uint64_t without_last = rest & (rest - 1);
  return {levels, std::popcount(rest), static_cast<Round>(power + without_last), false};
}

double toeplitz_squares(Round n) {
  constexpr Round kTable = 4096;
  static const auto table = [] {
    std::array<double, kTable + 1> sums{};
    double c = 1;
    for (std::size_t k = 0; k < kTable; ++k) {
      sums[k + 1] = sums[k] + c * c;
      const auto next = static_cast<double>(k) + 1;
      c *= (next - 0.5) / next;
    }
    return sums;
  }();
  if (n <= kTable) return table[static_cast<std::size_t>(n)];
  // c_k^2 = 1/(pi (k + 1/4 + 1/(32 k) - ...)): its integral, by the midpoint rule with its correction.
  const auto integral = [](double x) { return std::log(x + 0.25) + 1 / (64 * x * x); };
  const auto slope = [](double x) { return -1 / ((x + 0.25) * (x + 0.25)); };
  const double from = kTable - 0.5;
  const double to = static_cast<double>(n) - 0.5;
  return table[kTable] +
         (integral(to) - integral(from) - (slope(to) - slope(from)) / 24) * std::numbers::inv_pi;
}

CounterNoise::CounterNoise(Counter kind, Round horizon, int arity)
    : kind_(kind),
      horizon_(check::at_least("CounterNoise", "horizon", horizon, 1)),
      arity_(arity == 0 ? best_arity(kind, horizon) : arity) {
  const bool even = arity_ % 2 == 0;
  if (kind == Counter::kHybrid && arity_ != 2) {
    throw InvalidParameter("CounterNoise", "arity", fmt::format("{}", arity_),
                           "the trees of a hybrid counter are binary: must be 2, or 0");
  }
  if (arity_ < 2 || arity_ > kLargestArity || (kind == Counter::kSigned && even)) {
    throw InvalidParameter(
        "CounterNoise", "arity", fmt::format("{}", arity_),
        kind == Counter::kSigned
            ? fmt::format("digits with signs need an odd number from 3 to {}", kLargestArity - 1)
            : fmt::format("must be from 2 to {}", kLargestArity));
  }
  levels_ = kind == Counter::kToeplitz ? 1
            : kind == Counter::kHybrid ? 2
            : kind == Counter::kSigned ? signed_levels(horizon, arity_)
                                       : tree_levels(horizon, arity_);
  term_scale_ = is_gaussian() ? std::sqrt(toeplitz_squares(horizon)) : levels_;
}

double CounterNoise::largest_term_scale() const noexcept {
  if (kind_ != Counter::kHybrid) return term_scale_;
  return term_scale_ * std::max(1, hybrid_parts(horizon_).levels);
}

double CounterNoise::refined_share(int level) const {
  double precision = 1;
  for (int l = 1; l <= level; ++l) precision = 1 + precision / arity_;
  return 1 / precision;
}

double CounterNoise::variance(Round n) const {
  const double of_a_term = (is_gaussian() ? 1 : 2) * term_scale_ * term_scale_;
  switch (kind_) {
    case Counter::kTree: return of_a_term * tree_terms(n, arity_);
    case Counter::kSigned: return of_a_term * signed_terms(n, arity_);
    case Counter::kToeplitz: return of_a_term * toeplitz_squares(n);
    case Counter::kRefined: {
      double shares = 0;
      for_each_digit(n, arity_, false,
                     [&](int level, int digit) { shares += digit * refined_share(level); });
      return of_a_term * shares;
    }
    case Counter::kHybrid: {
      const HybridParts parts = hybrid_parts(n);
      return of_a_term * (parts.totals() + parts.levels * parts.levels * parts.nodes);
    }
  }
  return 0;
}

double CounterNoise::largest_variance() const {
  if (is_gaussian()) return variance(horizon_);
  double largest = 0;
  const auto look = [&](Round n) { largest = std::max(largest, variance(n)); };
  if (kind_ == Counter::kHybrid) {
    for_each_largest_hybrid(horizon_, look);
    return largest;
  }
  if (kind_ != Counter::kRefined) return 2 * term_scale_ * term_scale_ * most_terms();
  for_each_largest_below(horizon_, arity_, look);
  return largest;
}

int CounterNoise::most_terms() const {
  if (is_gaussian()) return 1;
  if (kind_ == Counter::kHybrid) {
    int most = 0;
    for_each_largest_hybrid(horizon_, [&](Round n) {
      const HybridParts parts = hybrid_parts(n);
      most = std::max(most, parts.totals() + parts.nodes);
    });
    return most;
  }
  return kind_ == Counter::kSigned ? most_signed_terms(horizon_, arity_)
                                   : most_tree_terms(horizon_, arity_);
}

}  // namespace tacit::privacy
