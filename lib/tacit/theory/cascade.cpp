#include "tacit/theory/cascade.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/basu.hpp"
#include "tacit/theory/instance.hpp"
#include "tacit/theory/tails.hpp"

namespace tacit::theory {
namespace {

constexpr double kPiSquared = std::numbers::pi * std::numbers::pi;

/// factor ln T (sum over items of 1/gap_e) + an item's share of rounds that no gap explains, at most T.
double list_upper(const char* function, std::span<const double> means, int size, Round horizon,
                  double factor, double unexplained) {
  check_means(function, means);
  check::within(function, "size", size, 1, static_cast<double>(means.size()));
  const double rounds = static_cast<double>(check::horizon(function, horizon));
  const Ranking items = ranked(means, size);
  double sum = static_cast<double>(means.size()) * unexplained;
  for (double item : items.others) {
    // The smallest positive gap: the last of the best that is better at all.
    const auto better =
        std::find_if(items.best.rbegin(), items.best.rend(), [&](double w) { return w > item; });
    if (better != items.best.rend()) sum += factor * std::log(rounds) / (*better - item);
  }
  return std::min(sum, rounds);
}

struct TwoLevels {
  double others, p, gap;  // items outside the best list, and the two attractions
};

Answer<TwoLevels> two_levels(const char* function, std::span<const double> means, int size) {
  check_means(function, means);
  const auto most = static_cast<double>(means.size()) - 1;
  if (auto unmet = check::unless_within(function, "size", size, 1, most)) return *unmet;
  const Ranking items = ranked(means, size);
  const double p = items.best.front();
  const double low = items.others.front();
  if (items.best.back() != p || items.others.back() != low) {
    return Refusal{Parameter{function, "means"}, fmt::format("{} to {}", items.others.back(), p),
                   fmt::format("the {} best must be equal, and so must the others", size)};
  }
  if (auto unmet = check::unless_strictly_within(function, "p", p, 0, 1)) return *unmet;
  if (auto unmet = check::unless_strictly_within(function, "gap", p - low, 0, p)) return *unmet;
  return TwoLevels{static_cast<double>(items.others.size()), p, p - low};
}

}  // namespace

double cascade_ucb1_upper(std::span<const double> means, int size, Round horizon) {
  return list_upper("cascade_ucb1_upper", means, size, horizon, 12, kPiSquared / 3);
}

Number cascade_laplace_upper(std::span<const double> means, int size, double scale, Round horizon) {
  const char* function = "cascade_laplace_upper";
  if (auto unmet = check::unless_positive(function, "scale", scale)) return *unmet;
  const double root = std::sqrt(1.5) + std::sqrt(24.0) * scale;
  return list_upper(function, means, size, horizon, 8 * root * root,
                    kPiSquared / 3 + stray_rounds(horizon));
}

Number cascade_gaussian_upper(std::span<const double> means, int size, double sigma,
                              Round horizon) {
  const char* function = "cascade_gaussian_upper";
  if (auto unmet = check::unless_positive(function, "sigma", sigma)) return *unmet;
  const double root = 2 * std::sqrt(1.5) + 4 * std::numbers::sqrt2 * sigma;
  return list_upper(function, means, size, horizon, 2 * root * root, 2 * kPiSquared / 3);
}

Number cascade_local_lower(std::span<const double> means, int size, double epsilon, Round horizon) {
  const char* function = "cascade_local_lower";
  check::positive(function, "epsilon", epsilon);
  check::horizon(function, horizon);
  const Answer<TwoLevels> found = two_levels(function, means, size);
  if (!found) return found.why_not();
  const auto& [others, p, gap] = *found;
  const double scale = local_contraction(epsilon);
  return others * p * std::pow(1 - p, size) / (2 * scale * scale * gap) * log_of(horizon);
}

Number cascade_lower(std::span<const double> means, int size, Round horizon) {
  const char* function = "cascade_lower";
  check::horizon(function, horizon);
  const Answer<TwoLevels> found = two_levels(function, means, size);
  if (!found) return found.why_not();
  const auto& [others, p, gap] = *found;
  return others * std::pow(1 - p, size - 1) * gap / indices::kl(p - gap, p) * log_of(horizon);
}

Number cascade_central_lower(std::span<const double> means, int size, double epsilon,
                             Round horizon) {
  const char* function = "cascade_central_lower";
  check::positive(function, "epsilon", epsilon);
  check::horizon(function, horizon);
  const Answer<TwoLevels> found = two_levels(function, means, size);
  if (!found) return found.why_not();
  const auto& [others, p, gap] = *found;
  const double an_item = std::max(gap / indices::kl(p - gap, p), 1 / (200 * epsilon));
  return others * std::pow(1 - p, size - 1) * an_item * log_of(horizon);
}

}  // namespace tacit::theory
