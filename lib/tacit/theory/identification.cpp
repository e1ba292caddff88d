#include "tacit/theory/identification.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tacit/core/check.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kHalvings = 100;
constexpr double kLargestShare = 1e12;  // of an arm that says next to nothing
constexpr double kSmallestGap = 1e-6;   // below it divergences are mostly rounding

/// What a sample of mean p tells against mean q.
using Divergence = std::function<double(double p, double q)>;

Divergence divergence(privacy::Notion notion, std::optional<double> epsilon) {
  if (notion != privacy::Notion::kCentral && notion != privacy::Notion::kLocal) {
    return indices::kl;
  }
  const double e = check::positive("characteristic_time", "epsilon", epsilon.value_or(0));
  const Divergence central = [e](double p, double q) {
    return p <= q ? indices::d_epsilon(p, q, e) : indices::d_epsilon(1 - p, 1 - q, e);
  };
  if (notion == privacy::Notion::kCentral) return central;
  const double factor = std::min(4.0, std::exp(2 * e)) * std::expm1(e) * std::expm1(e);
  return [central, factor](double p, double q) {
    return std::min(central(p, q), factor * (p - q) * (p - q));
  };
}

/// The least over q in [low, high] of a function that falls and then rises.
template <class F>
double least(F f, double low, double high) {
  const double ratio = 0.5 * (std::sqrt(5.0) - 1);
  double a = high - ratio * (high - low);
  double b = low + ratio * (high - low);
  double at_a = f(a);
  double at_b = f(b);
  double found = std::min({at_a, at_b, f(low), f(high)});
  for (int i = 0; i < kHalvings && high - low > 1e-14; ++i) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - ratio * (high - low);
      at_a = f(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + ratio * (high - low);
      at_b = f(b);
    }
    found = std::min({found, at_a, at_b});
  }
  return found;
}

}  // namespace

double characteristic_time(const std::vector<double>& means, privacy::Notion notion,
                           std::optional<double> epsilon) {
  check_means("characteristic_time", means);
  const Divergence d = divergence(notion, epsilon);
  const auto best = std::max_element(means.begin(), means.end());
  std::vector<double> others;
  for (auto mean = means.begin(); mean != means.end(); ++mean) {
    if (mean != best) others.push_back(*mean);
  }
  // The evidence of a pair in units of the best arm's share, if b has x times that share: increasing in x.
  const auto evidence = [&](double other, double x) {
    // Rounding may take a divergence below 0, and a large x makes much of it.
    return least(
        [&](double q) { return std::max(0.0, d(*best, q)) + x * std::max(0.0, d(other, q)); },
        other, *best);
  };
  double highest = kInfinity;  // of the level
  for (const double other : others) {
    if (*best - other < kSmallestGap) return kInfinity;
    highest = std::min(highest, evidence(other, kLargestShare));
  }
  const auto share_for = [&](double other, double level) {
    double low = 0;
    double high = 1;
    while (high < kLargestShare && evidence(other, high) < level) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 60 && high - low > 1e-12 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (evidence(other, middle) < level ? low : high) = middle;
    }
    return high;
  };
  const auto time = [&](double level) {
    double shares = 1;
    for (std::size_t i = 0; i < others.size(); ++i) {
      // Equal arms have equal shares.
      const auto same = std::find(others.begin(), others.begin() + static_cast<long>(i), others[i]);
      if (same != others.begin() + static_cast<long>(i)) continue;
      shares += share_for(others[i], level) *
                static_cast<double>(std::count(others.begin(), others.end(), others[i]));
    }
    return shares / level;
  };
  return least([&](double log_share) { return time(std::exp(log_share) * highest); }, -40, 0);
}

double fewest_samples(const std::vector<double>& means, privacy::Notion notion,
                      std::optional<double> epsilon, double error) {
  return fewest_samples(characteristic_time(means, notion, epsilon), error);
}

double fewest_samples(double characteristic_time, double error) {
  check::strictly_within("fewest_samples", "error", error, 0, 1);
  if (error >= 0.5) return 0;
  // kl(error, 1 - error), for the smallest errors too.
  return (1 - 2 * error) * (std::log1p(-error) - std::log(error)) * characteristic_time;
}

}  // namespace tacit::theory
