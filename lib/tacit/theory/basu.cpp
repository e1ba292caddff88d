#include "tacit/theory/basu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/theory/classic.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double others(const char* function, int arms) {
  return static_cast<double>(check::at_least(function, "arms", arms, 2)) - 1;
}

}  // namespace

double local_contraction(double epsilon) {
  return std::min(2.0, std::exp(epsilon)) * std::expm1(epsilon);
}

Number local_minimax_lower(int arms, double epsilon, Round horizon) {
  const char* function = "local_minimax_lower";
  const double scale = local_contraction(check::positive(function, "epsilon", epsilon));
  const double k = others(function, arms);
  if (auto unmet = unless_long_enough(function, horizon, 4 * k / (scale * scale))) return *unmet;
  return std::sqrt(k * static_cast<double>(horizon)) / (4 * std::exp(4.0) * scale);
}

double instantaneous_minimax_lower(int arms, double epsilon, Round horizon, double constant) {
  const char* function = "instantaneous_minimax_lower";
  check::positive(function, "epsilon", epsilon);
  check::positive(function, "constant", constant);
  const double rounds = static_cast<double>(check::horizon(function, horizon));
  return constant *
         std::sqrt(others(function, arms) * rounds / (2 * epsilon * std::expm1(2 * epsilon)));
}

Number instantaneous_minimax_corrected(int arms, double epsilon, Round horizon) {
  const char* function = "instantaneous_minimax_corrected";
  check::positive(function, "epsilon", epsilon);
  const double k = others(function, arms);
  if (auto unmet = unless_long_enough(function, horizon, k)) return *unmet;
  const double x = 2 * epsilon * std::expm1(2 * epsilon);
  return std::sqrt(k * static_cast<double>(horizon)) * std::exp(-x - 0.5) / 16;
}

double corrupted_feedback_ratio(std::span<const double> means, double epsilon) {
  constexpr Round kAny = 1000;  // both are c ln T
  return corrupted_feedback_lower(means, epsilon, kAny) /
         local_instance_lower(means, epsilon, kAny);
}

Number central_minimax_lower(int arms, double epsilon, Round horizon, double steepness) {
  const char* function = "central_minimax_lower";
  check::positive(function, "epsilon", epsilon);
  check::within(function, "steepness", steepness, 0, kInfinity);
  const double k = others(function, arms);
  const double log_term = std::log1p(epsilon * epsilon) / epsilon;
  const double least = k * log_term * std::exp(-2 * (epsilon + steepness));
  if (auto unmet = unless_long_enough(function, horizon, least)) return *unmet;
  // (eps^2 + 1)^(1/eps) = e^(log_term)
  return std::sqrt(k * static_cast<double>(horizon) * log_term * std::exp(-log_term)) /
         (8 * std::exp(3 * (epsilon + steepness)));
}

double local_instance_lower(std::span<const double> means, double epsilon, Round horizon) {
  const double scale =
      local_contraction(check::positive("local_instance_lower", "epsilon", epsilon));
  return lai_robbins_lower(means, horizon) / (2 * scale * scale);
}

double history_divergence(std::span<const double> pulls, std::span<const double> divergences,
                          double policy_term) {
  const char* function = "history_divergence";
  check::within(function, "policy_term", policy_term, 0, kInfinity);
  if (pulls.size() != divergences.size()) {
    throw InvalidParameter(function, "divergences", fmt::format("{} of them", divergences.size()),
                           fmt::format("must be as many as pulls, {}", pulls.size()));
  }
  for (double n : pulls) check::within(function, "pulls", n, 0, kInfinity);
  for (double d : divergences) check::within(function, "divergence", d, 0, kInfinity);
  return std::inner_product(pulls.begin(), pulls.end(), divergences.begin(), policy_term);
}

double local_history_divergence(std::span<const double> pulls, std::span<const double> divergences,
                                double epsilon) {
  const double scale =
      local_contraction(check::positive("local_history_divergence", "epsilon", epsilon));
  return 2 * scale * scale * history_divergence(pulls, divergences);
}

double instantaneous_history_divergence(std::span<const double> pulls,
                                        std::span<const double> divergences, double epsilon,
                                        double least_pulls) {
  const char* function = "instantaneous_history_divergence";
  check::positive(function, "epsilon", epsilon);
  const double rounds = std::accumulate(pulls.begin(), pulls.end(), 0.0);
  // At most T/K, so T/l >= 2 and the share below is positive.
  check::positive(function, "least_pulls", least_pulls);
  check::within(function, "least_pulls", least_pulls, 0, rounds / 2);
  const double rare = std::exp(-rounds / least_pulls);
  return history_divergence(pulls, divergences) +
         2 * epsilon * std::expm1(2 * epsilon) * (1 - 2 * rare) / (1 - rare);
}

double central_history_divergence(double neighbour, double epsilon, double steepness) {
  const char* function = "central_history_divergence";
  check::within(function, "neighbour", neighbour, 0, kInfinity);
  check::positive(function, "epsilon", epsilon);
  check::within(function, "steepness", steepness, 0, kInfinity);
  const double cost = epsilon + steepness;
  return 2 * cost + std::exp(2 * cost) * neighbour;
}

}  // namespace tacit::theory
