// Released environments (problems/environment_private.hpp) held to what they promise: of two environments at L1 distance d the
// chances of what is released differ by a factor of e^(epsilon d + what cutting to a grid adds) at most. Histories are drawn from
// what is released, and from nothing else, so that it speaks of them too (Basu, Dimitrakakis & Tossou, arXiv:1905.12298, Def. 5).
//
//   law      what comes out, given the true means, has the declared law: Laplace noise, cut to [0, 1], of each mean its own
//   guesses  which of two environments it was, by a coin, from what came out (against.hpp)
//   exact    the largest ratio of chances itself, by the law of noise on a grid, every value that can come out
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacit/audit/audit.hpp"
#include "tacit/problems/environment_private.hpp"

namespace tacit::audit {

/// Idealised noise from the seed, as experiments have it, or exact noise from secure randomness, as it is shared.
enum class EnvironmentNoise { kSimulated, kSecure };

struct EnvironmentPlay {
  double epsilon;
  std::uint64_t seed = 1;
  /// A broken twin: releases with another epsilon than it declares, or changes what is released.
  std::optional<double> played_with = std::nullopt;
  std::function<std::vector<double>(std::vector<double> released)> twin = nullptr;

  /// What is released of these means in a run.
  std::vector<double> release(const std::vector<double>& means, std::uint64_t run,
                              EnvironmentNoise noise) const;
  /// As it is declared of two means on the grid, which allows no less than without one.
  problems::EnvironmentLoss claim() const;
};

/// Two environments of two means.
struct EnvironmentPair {
  std::string name;
  std::vector<double> one;
  std::vector<double> other;

  double distance() const;
};
/// Far, near and a hair apart; one mean, both, and crosswise.
std::vector<EnvironmentPair> neighbouring_environments();

struct EnvironmentResult {
  problems::EnvironmentLoss claimed;
  Verdict verdict = Verdict::kNotRefuted;
  LawResult law;
  SequentialResult guesses;  // its lower bound is epsilon for a distance of 1
};

/// Law and guesses, half of the error for each, with both kinds of noise.
EnvironmentResult environment_audit(const EnvironmentPlay& play, const Effort& effort);

struct ExactEnvironment {
  problems::EnvironmentLoss claimed;
  double epsilon =
      0;  // the largest loss for a distance of 1, of environments that are apart by more than the grid
  double nearly_equal = 0;  // the loss of two that are a hair apart, which is all due to cutting
  bool violated = false;
  std::string where;  // what attains epsilon, or more than is claimed
};

/// The noise on its grid, as it is shared: of every pair, the largest ratio of the chances of anything that can come out.
ExactEnvironment exact_environment_audit(const EnvironmentPlay& play);

/// ln of the chance that a mean comes out as a value of the grid, cut to [0, most]; all in steps.
double log_chance_on_grid(std::int64_t value, std::int64_t mean, std::int64_t most, double scale);

}  // namespace tacit::audit
