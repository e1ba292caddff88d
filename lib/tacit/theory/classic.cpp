#include "tacit/theory/classic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tacit/core/check.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

/// Sum over suboptimal arms of Delta_a/distance(mu_a, mu*), times ln T.
template <class Distance>
double log_lower(const char* function, std::span<const double> means, Round horizon,
                 Distance distance) {
  check_means(function, means);
  check::horizon(function, horizon);
  const double best = *std::max_element(means.begin(), means.end());
  double sum = 0;
  for (double mean : means) {
    if (mean < best) sum += (best - mean) / distance(mean, best);
  }
  return sum * log_of(horizon);
}

}  // namespace

double lai_robbins_lower(std::span<const double> means, Round horizon) {
  return log_lower("lai_robbins_lower", means, horizon, indices::kl);
}

double auer_upper(std::span<const double> means, Round horizon) {
  check_means("auer_upper", means);
  check::horizon("auer_upper", horizon);
  double sum = 0;
  for (double gap : positive_gaps(means)) {
    sum += 8 * log_of(horizon) / gap + (1 + std::numbers::pi * std::numbers::pi / 3) * gap;
  }
  return sum;
}

double shariff_sheffet_lower(std::span<const double> means, double epsilon, Round horizon) {
  check::positive("shariff_sheffet_lower", "epsilon", epsilon);
  return log_lower("shariff_sheffet_lower", means, horizon,
                   [&](double mean, double best) { return 200 * epsilon * (best - mean); });
}

double azize_basu_lower(std::span<const double> means, double epsilon, Round horizon) {
  check::positive("azize_basu_lower", "epsilon", epsilon);
  return log_lower("azize_basu_lower", means, horizon, [&](double mean, double best) {
    return std::min(indices::kl(mean, best), 6 * epsilon * (best - mean));
  });
}

Number azize_basu_minimax_lower(int arms, double epsilon, Round horizon) {
  const char* function = "azize_basu_minimax_lower";
  check::at_least(function, "arms", arms, 2);
  check::positive(function, "epsilon", epsilon);
  check::horizon(function, horizon);
  if (auto unmet = check::unless_at_least(function, "horizon", horizon, arms - 1)) return *unmet;
  const double others = arms - 1;
  const double rounds = static_cast<double>(horizon);
  const double privately = rounds * epsilon >= others ? others / (131 * epsilon) : 0;
  return std::max(std::sqrt(rounds * others) / 27, privately);
}

double d_epsilon_lower(std::span<const double> means, double epsilon, Round horizon) {
  check::positive("d_epsilon_lower", "epsilon", epsilon);
  return log_lower("d_epsilon_lower", means, horizon, [&](double mean, double best) {
    return indices::d_epsilon(mean, best, epsilon);
  });
}

double response_mean(double mean, double epsilon) {
  // In e^-eps, so that a large epsilon is no overflow.
  return (mean + (1 - mean) * std::exp(-epsilon)) / (1 + std::exp(-epsilon));
}

double corrupted_feedback_lower(std::span<const double> means, double epsilon, Round horizon) {
  check::positive("corrupted_feedback_lower", "epsilon", epsilon);
  return log_lower("corrupted_feedback_lower", means, horizon, [&](double mean, double best) {
    return indices::kl(response_mean(mean, epsilon), response_mean(best, epsilon));
  });
}

double adversary_failure(double epsilon) {
  check::within("adversary_failure", "epsilon", epsilon, 0,
                std::numeric_limits<double>::infinity());
  return 1 / (1 + std::exp(epsilon));
}

double leader_upper(std::span<const double> means, Round horizon) {
  check_means("leader_upper", means);
  check::horizon("leader_upper", horizon);
  const std::vector<double> gaps = positive_gaps(means);
  const double largest = largest_gap(means);
  const auto next_round = [&](double n) {
    double sum = 0;
    for (const double gap : gaps) sum += gap * std::exp(-n * gap * gap / 2);
    return sum;
  };
  const auto rounds = static_cast<double>(horizon);
  if (gaps.empty()) return 0;
  // The sum falls with n: up to some n it is the larger one.
  double low = 0;
  double high = rounds;
  if (next_round(high) >= largest) return rounds * largest;
  while (high - low > 0.5) {
    const double middle = (low + high) / 2;
    (next_round(middle) >= largest ? low : high) = middle;
  }
  const double first = std::ceil(high);
  double regret = first * largest;
  for (const double gap : gaps) {  // a geometric series from there on
    const double rate = gap * gap / 2;
    regret +=
        gap * std::exp(-first * rate) * std::expm1(-(rounds - first) * rate) / std::expm1(-rate);
  }
  return std::min(regret, rounds * largest);
}

double random_play(const Instance& instance) {
  const std::vector<double>& means = instance.means;
  const auto rounds = static_cast<double>(instance.horizon);
  if (instance.feedback != feedback::Kind::kCascade) {
    double mean = 0;
    for (const double each : means) mean += each / static_cast<double>(means.size());
    const double best =
        instance.law ? instance.law->best : *std::max_element(means.begin(), means.end());
    return rounds * (best - mean);
  }
  // The mean over all lists of K of the product of 1 - w: of every item the chance that it is taken, one after the other.
  const auto size = static_cast<std::size_t>(instance.size);
  std::vector<double> missed(size + 1, 0);  // by how many of the items so far were taken
  missed[0] = 1;
  for (std::size_t seen = 0; seen < means.size(); ++seen) {
    const auto left = static_cast<double>(means.size() - seen);
    for (std::size_t taken = std::min(seen, size) + 1; taken-- > 0;) {
      const double take = static_cast<double>(size - taken) / left;
      if (taken < size) missed[taken + 1] += missed[taken] * take * (1 - means[seen]);
      missed[taken] *= 1 - take;
    }
  }
  double best_missed = 1;
  for (const double mean : ranked(means, instance.size).best) best_missed *= 1 - mean;
  return rounds * (missed[size] - best_missed);
}

}  // namespace tacit::theory
