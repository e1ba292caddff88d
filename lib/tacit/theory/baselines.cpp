#include "tacit/theory/baselines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tacit/core/check.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

void check_all(const char* function, std::span<const double> means, double epsilon, Round horizon) {
  check_means(function, means);
  check::positive(function, "epsilon", epsilon);
  check::horizon(function, horizon);
}

/// sum of gap min(T, pulls(gap)), at most T times the largest gap.
template <class Pulls>
double sum_over_gaps(std::span<const double> means, Round horizon, Pulls pulls) {
  const auto rounds = static_cast<double>(horizon);
  double sum = 0;
  for (double gap : positive_gaps(means)) sum += gap * std::min(rounds, pulls(gap));
  return std::min(sum, rounds * largest_gap(means));
}

/// An upper bound on sum_{t=1}^{T} min(1, factor t^(-1-power)), power >= 0.
double capped_power_sum(double factor, double power, double rounds) {
  const double capped = std::pow(factor, 1 / (1 + power));  // below it the summand would exceed 1
  if (!(capped < rounds)) return rounds;
  const double from = std::max(1.0, std::ceil(capped));
  // from rounds of at most 1, and the rest below the integral from there.
  const double tail = power * std::log(rounds / from) < 1e-9
                          ? std::log(rounds / from)
                          : -std::expm1(-power * std::log(rounds / from)) / power;
  return from + factor * std::pow(from, -power) * tail;
}

/// Rounds in which the best arm's kl index is below best - below.
double underrated_rounds(double best, double below, double rounds) {
  const double q = best - below;
  if (best >= 1) return 0;  // its mean is always 1
  const double rate = indices::kl(q, best);
  return capped_power_sum(-1 / std::expm1(-rate), rate / -std::log1p(-q), rounds);
}

}  // namespace

double response_ucb_upper(std::span<const double> means, double epsilon, Round horizon) {
  check_all("response_ucb_upper", means, epsilon, horizon);
  const double shrink = std::tanh(epsilon / 2);
  return sum_over_gaps(means, horizon, [&](double gap) {
    return 8 * log_of(horizon) / (shrink * gap * shrink * gap) + 1 +
           std::numbers::pi * std::numbers::pi / 3;
  });
}

double laplace_ucb_upper(std::span<const double> means, double epsilon, Round horizon) {
  check_all("laplace_ucb_upper", means, epsilon, horizon);
  const double root = std::sqrt(2.0) + std::sqrt(32.0) / epsilon;
  return sum_over_gaps(means, horizon, [&](double gap) {
    const double told = 4 * root * root * log_of(horizon) / (gap * gap);
    return std::max(4 * std::log1p(static_cast<double>(horizon)), told) + 1 + 0.32;
  });
}

double kl_index_upper(std::span<const double> means, std::span<const double> costs, double level,
                      Round horizon) {
  check_means("kl_index_upper", means);
  const auto rounds = static_cast<double>(check::horizon("kl_index_upper", horizon));
  const double best = *std::max_element(means.begin(), means.end());
  constexpr std::array kShares{0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45};
  double sum = 0;
  for (std::size_t a = 0; a < means.size(); ++a) {
    const double gap = best - means[a];
    if (gap <= 0) continue;
    double least = rounds;
    for (double above : kShares) {
      for (double below : kShares) {
        const double h = above * gap;
        const double g = below * gap;
        const double pulls = 1 + level / indices::kl(means[a] + h, best - g) +
                             1 / std::expm1(indices::kl(means[a] + h, means[a])) +
                             underrated_rounds(best, g, rounds);
        least = std::min(least, pulls);
      }
    }
    sum += costs[a] * least;
  }
  return std::min(sum, rounds * *std::max_element(costs.begin(), costs.end()));
}

double kl_ucb_upper(std::span<const double> means, Round horizon) {
  check_means("kl_ucb_upper", means);
  const double best = *std::max_element(means.begin(), means.end());
  std::vector<double> gaps;
  for (double mean : means) gaps.push_back(best - mean);
  return kl_index_upper(means, gaps, log_of(horizon), horizon);
}

double kl_ucb_cf_upper(std::span<const double> means, double epsilon, Round horizon) {
  check_all("kl_ucb_cf_upper", means, epsilon, horizon);
  const double best = *std::max_element(means.begin(), means.end());
  std::vector<double> bits;
  std::vector<double> gaps;
  for (double mean : means) {
    bits.push_back(response_mean(mean, epsilon));
    gaps.push_back(best - mean);
  }
  const double log_t = log_of(horizon);
  return kl_index_upper(bits, gaps, log_t + (log_t > 1 ? 3 * std::log(log_t) : 0), horizon);
}

double elimination_upper(std::span<const double> means, double epsilon, Round horizon) {
  check_all("elimination_upper", means, epsilon, horizon);
  const auto rounds = static_cast<double>(horizon);
  const double best = *std::max_element(means.begin(), means.end());
  double sum = 0;
  std::vector<double> pulls(means.size(), 0.0);
  for (int e = 1; e <= 60; ++e) {
    const double gap = std::ldexp(1.0, -e);
    // In epoch e are those that epoch e - 1 need not have dropped.
    const auto is_in = [&](double mean) { return best - mean < 2 * gap || e == 1; };
    const auto survivors = static_cast<double>(std::count_if(means.begin(), means.end(), is_in));
    const double over = survivors * e * e * rounds;
    const double length = std::ceil(
        std::max(32 * std::log(8 * over) / (gap * gap), 8 * std::log(4 * over) / (epsilon * gap)) +
        1);
    for (std::size_t a = 0; a < means.size(); ++a) {
      if (is_in(means[a])) pulls[a] = std::min(rounds, pulls[a] + length);
    }
    if (length >= rounds) break;
  }
  for (std::size_t a = 0; a < means.size(); ++a) sum += (best - means[a]) * pulls[a];
  const double failed = std::numbers::pi * std::numbers::pi / 12;  // of 1/T a run, T rounds each
  return std::min(sum + failed * largest_gap(means), rounds * largest_gap(means));
}

double doubling_episodes_upper(std::span<const double> means, double epsilon, double a,
                               Round horizon) {
  check_all("doubling_episodes_upper", means, epsilon, horizon);
  check::within("doubling_episodes_upper", "a", a, 1.1, 1e6);
  const double level = a * log_of(horizon);
  double stray = 0;
  constexpr int kExplicit = 1000;
  for (int r = 3; r <= kExplicit; ++r) {
    // t >= r/2 + 1, rounded up
    stray += 3 * std::pow((r + 1) / 2 + 1, -a) * (std::floor(std::log2(r)) + 1);
  }
  // The integral of 3 (r/2)^-a (log2 r + 1) from there on.
  const double m = kExplicit;
  stray += 3 * std::pow(2, a) * std::pow(m, 1 - a) / (a - 1) *
           (std::log2(m) + 1 + 1 / ((a - 1) * std::numbers::ln2));
  return sum_over_gaps(means, horizon, [&](double gap) {
    double n = 1;
    while (n < 0x1p62 && !(std::sqrt(level / (2 * n)) + level / (epsilon * n) < gap / 2)) n *= 2;
    return 2 * n + stray;
  });
}

double noisy_exp3_upper(std::span<const double> means, double epsilon, Round horizon) {
  check_all("noisy_exp3_upper", means, epsilon, horizon);
  const auto rounds = static_cast<double>(horizon);
  const auto arms = static_cast<double>(means.size());
  const double range = 1 + 2 * log_of(horizon) / epsilon;
  const double regret =
      range * 2 * std::sqrt((std::numbers::e - 1) * rounds * arms * std::log(arms)) + 1 / epsilon;
  return std::min(regret, rounds * largest_gap(means));
}

double decreasing_hedge_upper(std::span<const double> means, Round horizon) {
  check_means("decreasing_hedge_upper", means);
  const auto rounds = static_cast<double>(check::horizon("decreasing_hedge_upper", horizon));
  const std::vector<double> gaps = positive_gaps(means);
  const double log_arms = std::log(static_cast<double>(means.size()));
  const double largest = largest_gap(means);
  const auto in_round = [&](double t) {
    double sum = 0;
    for (double gap : gaps) {
      sum += gap * (std::exp(-(t - 1) * gap * gap / 8) +
                    std::exp(-std::sqrt(log_arms / t) * (t - 1) * gap));
    }
    return std::min(sum, largest);
  };
  // Falls with t, so a stretch costs at most its length times its first round. From the last one back: what the
  // rounds after a change cost, and the least over all changes.
  std::vector<double> starts{1};
  while (starts.back() <= rounds) {
    starts.push_back(std::max(starts.back() + 1, std::floor(starts.back() * 1.02)));
  }
  double after = 0;
  double least = std::min(std::sqrt(rounds * log_arms), rounds * largest);
  for (std::size_t i = starts.size() - 1; i-- > 0;) {
    const double end = std::min(starts[i + 1], rounds + 1);
    after += (end - starts[i]) * in_round(starts[i]);
    least = std::min(least, after + std::sqrt((starts[i] - 1) * log_arms));
  }
  return least;
}

}  // namespace tacit::theory
