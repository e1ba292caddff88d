// Policies as one would write them by hand for a single experiment: arrays, one loop, no types for
// privacy, no recorder, no skipping. They draw from the same generator and samplers as the library,
// so that a comparison shows what the library's structure costs and nothing else.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::benchmarks {

constexpr int kArms = 5;
using Means = std::array<double, kArms>;
constexpr Means kFiveMeans{0.75, 0.625, 0.5, 0.375, 0.25};

inline double regret_of(const Means& means, const std::array<std::int64_t, kArms>& pulls) {
  double regret = 0;
  for (int j = 0; j < kArms; ++j) regret += static_cast<double>(pulls[j]) * (means[0] - means[j]);
  return regret;
}

inline double hand_written_ucb1(const Means& means, std::int64_t horizon, std::uint64_t run) {
  auto random = random::SimulationKey(1, "hand", "ucb1", run).stream(random::Purpose::kOutcomes);
  std::array<double, kArms> sum{};
  std::array<std::int64_t, kArms> pulls{};
  for (std::int64_t t = 1; t <= horizon; ++t) {
    int best = 0;
    if (t <= kArms) {
      best = static_cast<int>(t - 1);
    } else {
      const double level = 2 * std::log(static_cast<double>(t));
      double largest = -1;
      for (int j = 0; j < kArms; ++j) {
        const auto n = static_cast<double>(pulls[j]);
        const double index = sum[j] / n + std::sqrt(level / n);
        if (index > largest) {
          largest = index;
          best = j;
        }
      }
    }
    sum[best] += random::bernoulli(random, means[best]) ? 1 : 0;
    ++pulls[best];
  }
  return regret_of(means, pulls);
}

/// max{q >= mean : kl(mean, q) <= level}, by Newton from the mean: the first step, where the divergence is flat, is
/// Pinsker's.
inline double hand_written_kl_bound(double mean, double level) {
  constexpr double kEdge = 1e-12;
  const double p = mean < kEdge ? kEdge : (mean > 1 - kEdge ? 1 - kEdge : mean);
  double q = p + std::sqrt(level / 2);
  if (q > 1 - kEdge) q = 1 - kEdge;
  for (int i = 0; i < 50; ++i) {
    const double excess = p * std::log(p / q) + (1 - p) * std::log((1 - p) / (1 - q)) - level;
    const double step = excess * q * (1 - q) / (q - p);
    q -= step;
    if (std::abs(step) < 1e-12) break;
  }
  return q;
}

inline double hand_written_kl_ucb(const Means& means, std::int64_t horizon, std::uint64_t run) {
  auto random = random::SimulationKey(1, "hand", "kl", run).stream(random::Purpose::kOutcomes);
  std::array<double, kArms> sum{};
  std::array<std::int64_t, kArms> pulls{};
  for (std::int64_t t = 1; t <= horizon; ++t) {
    int best = 0;
    if (t <= kArms) {
      best = static_cast<int>(t - 1);
    } else {
      const double level = std::log(static_cast<double>(t));
      double largest = -1;
      for (int j = 0; j < kArms; ++j) {
        const auto n = static_cast<double>(pulls[j]);
        const double index = hand_written_kl_bound(sum[j] / n, level / n);
        if (index > largest) {
          largest = index;
          best = j;
        }
      }
    }
    sum[best] += random::bernoulli(random, means[best]) ? 1 : 0;
    ++pulls[best];
  }
  return regret_of(means, pulls);
}

inline double hand_written_thompson_beta(const Means& means, std::int64_t horizon,
                                         std::uint64_t run) {
  auto random = random::SimulationKey(1, "hand", "ts", run).stream(random::Purpose::kOutcomes);
  std::array<std::int64_t, kArms> ones{};
  std::array<std::int64_t, kArms> pulls{};
  for (std::int64_t t = 1; t <= horizon; ++t) {
    int best = 0;
    double largest = -1;
    for (int j = 0; j < kArms; ++j) {
      const auto s = static_cast<double>(ones[j]);
      const auto f = static_cast<double>(pulls[j]) - s;
      const double x = random::GammaAtLeastOne(1 + s)(random);
      const double theta = x / (x + random::GammaAtLeastOne(1 + f)(random));
      if (theta > largest) {
        largest = theta;
        best = j;
      }
    }
    ones[best] += random::bernoulli(random, means[best]) ? 1 : 0;
    ++pulls[best];
  }
  return regret_of(means, pulls);
}

inline double hand_written_anytime_lazy_ucb(const Means& means, double epsilon,
                                            std::int64_t horizon, std::uint64_t run) {
  auto random = random::SimulationKey(1, "hand", "lazy", run).stream(random::Purpose::kOutcomes);
  std::array<double, kArms> mean{};
  std::array<double, kArms> n{};
  std::array<double, kArms> sum{};
  std::array<std::int64_t, kArms> collected{};
  std::array<std::int64_t, kArms> length{1, 1, 1, 1, 1};
  std::array<std::int64_t, kArms> pulls{};
  for (std::int64_t t = 1; t <= horizon; ++t) {
    int best = 0;
    if (t <= kArms) {
      best = static_cast<int>(t - 1);
    } else {
      const double log_t = std::log(static_cast<double>(t));
      double largest = -1e300;
      for (int j = 0; j < kArms; ++j) {
        const double index = mean[j] + std::sqrt(3 * log_t / n[j]) + 3 * log_t / (epsilon * n[j]);
        if (index > largest) {
          largest = index;
          best = j;
        }
      }
    }
    sum[best] += random::bernoulli(random, means[best]) ? 1 : 0;
    ++pulls[best];
    if (++collected[best] == length[best]) {
      n[best] = static_cast<double>(length[best]);
      mean[best] = (sum[best] + random::laplace(random, 1 / epsilon)) / n[best];
      sum[best] = 0;
      collected[best] = 0;
      length[best] *= 2;
    }
  }
  return regret_of(means, pulls);
}

}  // namespace tacit::benchmarks
