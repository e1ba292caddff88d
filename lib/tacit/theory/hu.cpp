#include "tacit/theory/hu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tacit/core/check.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

/// 1 + ln(K-1): the price of K-1 competitors.
double competitors(int arms) { return 1 + std::log(arms - 1.0); }

int arms_of(std::span<const double> means) { return static_cast<int>(means.size()); }

}  // namespace

double epoch_that_tells(double gap, double epsilon, double log_term) {
  const double least = 24 * log_term / (gap * std::min(gap, epsilon));
  return std::exp2(std::max(0.0, std::ceil(std::log2(least))));
}

double lazy_ucb_upper(std::span<const double> means, double epsilon, Round horizon) {
  const char* function = "lazy_ucb_upper";
  check_means(function, means);
  check::positive(function, "epsilon", epsilon);
  const double rounds = static_cast<double>(check::horizon(function, horizon));
  double sum = 0;
  for (double gap : positive_gaps(means)) {
    sum += gap * std::min(rounds, 2 * epoch_that_tells(gap, epsilon, std::log(rounds)) - 0.75);
  }
  return sum;
}

double lazy_ucb_worst_upper(int arms, double epsilon, Round horizon) {
  const char* function = "lazy_ucb_worst_upper";
  const double others = static_cast<double>(check::at_least(function, "arms", arms, 2)) - 1;
  check::positive(function, "epsilon", epsilon);
  const double rounds = static_cast<double>(check::horizon(function, horizon));
  const double log_term = 96 * others * std::log(rounds);
  return 2 * std::sqrt(log_term * rounds) + log_term / epsilon + others / 4;
}

double noisy_leader_upper(std::span<const double> means, double epsilon, Round horizon) {
  const char* function = "noisy_leader_upper";
  check_means(function, means);
  check::positive(function, "epsilon", epsilon);
  check::horizon(function, horizon);
  const double least = smallest_gap(means);
  std::map<int, int> brackets;  // how many actions are in each
  for (double gap : positive_gaps(means)) ++brackets[std::ilogb(gap / least)];
  double sum = 0;
  for (const auto& [level, count] : brackets) {
    sum += 256 * (1 + std::log(count)) / std::min(std::ldexp(least, level), epsilon);
  }
  return std::min(sum, static_cast<double>(horizon) * largest_gap(means));
}

Number noisy_leader_small_gaps_upper(std::span<const double> means, double epsilon) {
  const char* function = "noisy_leader_small_gaps_upper";
  check_means(function, means);
  check::positive(function, "epsilon", epsilon);
  if (auto unmet = check::unless_within(function, "largest gap", largest_gap(means), 0, epsilon)) {
    return *unmet;
  }
  const double least = smallest_gap(means);
  return least > 0 ? 512 * competitors(arms_of(means)) / least : 0.0;
}

Number noisy_leader_similar_gaps_upper(std::span<const double> means, double epsilon) {
  const char* function = "noisy_leader_similar_gaps_upper";
  check_means(function, means);
  check::positive(function, "epsilon", epsilon);
  const double least = smallest_gap(means);
  if (auto unmet =
          check::unless_within(function, "largest gap", largest_gap(means), 0, 2 * least)) {
    return *unmet;
  }
  return least > 0 ? 512 * competitors(arms_of(means)) / std::min(least, epsilon) : 0.0;
}

Number noisy_leader_worst_upper(int arms, double epsilon, Round horizon) {
  const char* function = "noisy_leader_worst_upper";
  check::at_least(function, "arms", arms, 2);
  check::positive(function, "epsilon", epsilon);
  const double rounds = static_cast<double>(check::horizon(function, horizon));
  const double critical = std::sqrt(std::log(arms) / rounds);
  if (auto unmet = check::unless_within(function, "sqrt(ln K/T)", critical, 0, 1)) return *unmet;
  // Gaps are at most 1, so brackets above eps start in (max(eps, D), 1].
  const double brackets = epsilon < 1 ? std::floor(-std::log2(std::max(epsilon, critical))) + 1 : 0;
  return rounds * critical + competitors(arms) * (512 / critical + 256 * brackets / epsilon);
}

Number full_information_lower(int arms, double gap, double epsilon, Round horizon) {
  const char* function = "full_information_lower";
  check::positive(function, "epsilon", epsilon);
  if (auto unmet = check::unless_at_least(function, "arms", arms, 4)) return *unmet;
  if (auto unmet = check::unless_strictly_within(function, "gap", gap, 0, 0.25)) return *unmet;
  const double needed =
      std::max(std::log(arms) / (16 * gap * gap), std::log(arms) / (10 * epsilon * gap));
  if (auto unmet = unless_long_enough(function, horizon, needed)) return *unmet;
  return 0.2 * 0.49 * gap * std::floor(needed);
}

}  // namespace tacit::theory
