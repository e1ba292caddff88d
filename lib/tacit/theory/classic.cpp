#include "tacit/theory/classic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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

double corrupted_feedback_lower(std::span<const double> means, double epsilon, Round horizon) {
  check::positive("corrupted_feedback_lower", "epsilon", epsilon);
  const auto response = [&](double mean) {
    // (1 + mu (e^eps - 1))/(1 + e^eps), in e^-eps so that a large epsilon is no overflow.
    return (mean + (1 - mean) * std::exp(-epsilon)) / (1 + std::exp(-epsilon));
  };
  return log_lower("corrupted_feedback_lower", means, horizon, [&](double mean, double best) {
    return indices::kl(response(mean), response(best));
  });
}

double adversary_failure(double epsilon) {
  check::within("adversary_failure", "epsilon", epsilon, 0,
                std::numeric_limits<double>::infinity());
  return 1 / (1 + std::exp(epsilon));
}

}  // namespace tacit::theory
