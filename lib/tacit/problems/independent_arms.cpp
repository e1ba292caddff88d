#include "tacit/problems/independent_arms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

#include "tacit/core/check.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::problems {
namespace {

constexpr double kBetaConcentration = 4;

/// Smaller near the edges, where a wide normal would need a location far outside [0, 1].
double deviation_for_mean(double mean) { return std::min(0.2, 2 * std::min(mean, 1 - mean)); }

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

/// P(a < N < b), computed on the side where it does not cancel.
double normal_mass(double a, double b) {
  const double r = 1 / std::numbers::sqrt2;
  if (a > 0) return 0.5 * (boost::math::erfc(a * r) - boost::math::erfc(b * r));
  return 0.5 * (boost::math::erfc(-b * r) - boost::math::erfc(-a * r));
}

double location_for_mean(double mean, double deviation) {
  // The mean is at least half a deviation away from both edges, which a location three deviations
  // outside undercuts.
  double low = -3 * deviation;
  double high = 1 + 3 * deviation;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (truncated_normal_mean(middle, deviation) < mean ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// N(location, deviation^2) conditioned on [0, 1]. The location is within three deviations of [0,
/// 1]; beyond one, rejection from the exponential that touches the tail (Robert 1995) is quicker.
double truncated_normal(double location, double deviation, random::SimulationStream& stream) {
  const bool mirrored = location > 0.5;
  const double a = mirrored ? 1 - location : location;  // a <= 1/2: the mass lies near 0
  double x = 0;
  if (a > -deviation) {
    do {
      x = a + deviation * random::standard_normal(stream);
    } while (x < 0 || x > 1);
  } else {
    const double z0 = -a / deviation;  // the standardised lower end
    const double rate = 0.5 * (z0 + std::sqrt(z0 * z0 + 4));
    for (;;) {
      const double z = z0 + random::exponential(stream, 1 / rate);
      const double gap = z - rate;
      x = a + deviation * z;
      if (x <= 1 && random::uniform_open(stream) <= std::exp(-0.5 * gap * gap)) break;
    }
  }
  return mirrored ? 1 - x : x;
}

}  // namespace

const char* name_of(Rewards rewards) {
  switch (rewards) {
    case Rewards::kBernoulli: return "bernoulli";
    case Rewards::kBeta: return "beta";
    case Rewards::kPoint: return "point";
    case Rewards::kTruncatedNormal: return "normal";
  }
  return "";
}

double truncated_normal_mean(double location, double deviation) {
  const double a = (0 - location) / deviation;
  const double b = (1 - location) / deviation;
  return location + deviation * (normal_density(a) - normal_density(b)) / normal_mass(a, b);
}

IndependentArms::IndependentArms(std::vector<double> means, Rewards rewards) : rewards_(rewards) {
  if (means.empty()) {
    throw InvalidParameter("IndependentArms", "means", "", "needs at least one arm");
  }
  for (const double mean : means) check::within("IndependentArms", "mean", mean, 0, 1);
  for (const double mean : means) {
    const bool certain = rewards == Rewards::kPoint || mean <= 0 || mean >= 1;
    certain_.push_back(certain ? 1 : 0);
    point_.push_back(Outcome::nearest(mean));
    const bool solve = rewards == Rewards::kTruncatedNormal && !certain;
    const double deviation = solve ? deviation_for_mean(mean) : 0;
    deviation_.push_back(deviation);
    location_.push_back(solve ? location_for_mean(mean, deviation) : 0);
  }
  set_means(std::move(means));
}

std::string IndependentArms::name() const {
  return fmt::format("{}({})", name_of(rewards_), fmt::join(means(), ","));
}

Outcome IndependentArms::outcome(Arm arm, random::SimulationStream& stream) const {
  if (certain_[arm] != 0) return point_[arm];
  const double mean = this->mean(arm);
  switch (rewards_) {
    case Rewards::kBernoulli: return Outcome::bit(toss(arm, stream));
    case Rewards::kBeta:
      return Outcome::nearest(
          random::beta(stream, kBetaConcentration * mean, kBetaConcentration * (1 - mean)));
    case Rewards::kTruncatedNormal:
      return Outcome::nearest(truncated_normal(location_[arm], deviation_[arm], stream));
    case Rewards::kPoint: break;
  }
  return point_[arm];
}

privacy::Secret<Outcome> IndependentArms::draw_outcome(Arm arm, Round,
                                                       random::SimulationStream& stream) const {
  // The usual case without a call, which costs more than the toss.
  if (rewards_ == Rewards::kBernoulli && certain_[arm] == 0) [[likely]]
    return privacy::Secret<Outcome>(Outcome::bit(toss(arm, stream)));
  return privacy::Secret<Outcome>(outcome(arm, stream));
}

void IndependentArms::draw_outcomes(std::span<const Arm> arms, Round,
                                    random::SimulationStream& stream,
                                    privacy::SecretVector<Outcome>& outcomes) const {
  for (std::size_t i = 0; i < arms.size(); ++i) {
    outcomes.set(i, privacy::Secret<Outcome>(outcome(arms[i], stream)));
  }
}

privacy::Secret<Sum> IndependentArms::draw_sum(Arm arm, Round, Round n,
                                               random::SimulationStream& stream) const {
  if (certain_[arm] != 0) return privacy::Secret<Sum>(Sum::repeated(point_[arm], n));
  if (n == 1) return privacy::Secret<Sum>(Sum(outcome(arm, stream)));
  if (rewards_ == Rewards::kBernoulli) {
    return privacy::Secret<Sum>(Sum::of_ones(random::binomial(stream, n, mean(arm))));
  }
  Sum sum;
  for (Round i = 0; i < n; ++i) sum += Sum(outcome(arm, stream));
  return privacy::Secret<Sum>(sum);
}

std::shared_ptr<const Problem> IndependentArms::in_environment(std::vector<double> means) const {
  check::within("in_environment", "number of means", static_cast<double>(means.size()), arms(),
                arms());
  return std::make_shared<IndependentArms>(std::move(means), rewards_);
}

void IndependentArms::draw_all_sums(Round t, Round n, random::SimulationStream& stream,
                                    privacy::SecretVector<Sum>& sums) const {
  for (Arm arm = 0; arm < arms(); ++arm) {
    sums.set(static_cast<std::size_t>(arm), draw_sum(arm, t, n, stream));
  }
}

}  // namespace tacit::problems
