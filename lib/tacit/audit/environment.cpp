#include "tacit/audit/environment.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tacit/audit/against.hpp"
#include "tacit/audit/declared.hpp"
#include "tacit/audit/logarithms.hpp"
#include "tacit/core/check.hpp"
#include "tacit/privacy/grid.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::audit {
namespace {

/// ln of the density of a value between 0 and 1, or of the chance of being cut to 0 or 1, of a mean with Laplace noise.
double log_density(double value, double mean, double scale) {
  const double tail = std::log(0.5) - std::abs(value - mean) / scale;
  if (value <= 0 || value >= 1) return tail;
  return tail - std::log(scale);
}

/// Of all means, with noise of every factor.
PerFactor log_densities(const std::vector<double>& released, const std::vector<double>& means,
                        double scale) {
  PerFactor sums{};
  for (std::size_t f = 0; f < kFactors.size(); ++f) {
    for (std::size_t i = 0; i < means.size(); ++i)
      sums[f] += log_density(released[i], means[i], scale * kFactors[f]);
  }
  return sums;
}

void add_to(PerFactor& sums, const PerFactor& more) {
  for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += more[f];
}

/// The law of what comes out: e-processes for noise of another size, and for noise that two means share.
LawResult law_audit(const EnvironmentPlay& play, EnvironmentNoise noise, int most_samples,
                    double error) {
  // At the ends half of the noise is seen whatever its scale; in the middle both sides.
  static const std::array<std::vector<double>, 2> kEnvironments{std::vector<double>{0.5, 0.5},
                                                                std::vector<double>{0, 1}};
  const double scale = 1 / play.epsilon;
  constexpr double kOften = 0.01;          // of shared noise, where there is some
  constexpr double kByAccident = 0x1p-20;  // at most: a step of the grid over twice the scale
  const double enough = -std::log(error / 2);
  LawResult result;
  PerFactor size{};
  double shared = 0;
  for (int run = 0; run < most_samples && result.complaint.empty(); ++run) {
    const std::vector<double>& means = kEnvironments[static_cast<std::size_t>(run % 2)];
    const std::vector<double> released =
        play.release(means, static_cast<std::uint64_t>(run), noise);
    add_to(size, log_densities(released, means, scale));
    const auto inside = [](double value) { return value > 0 && value < 1; };
    if (inside(released[0]) && inside(released[1])) {
      const bool equal = released[0] - means[0] == released[1] - means[1];
      shared +=
          equal ? std::log(kOften / kByAccident) : std::log1p(-kOften) - std::log1p(-kByAccident);
    }
    ++result.samples;
    result.released += std::ssize(released);
    PerFactor against = size;
    for (double& other : against) other -= size[0];
    const double evidence = log_mean(against);
    result.evidence = std::max(evidence, shared);
    if (evidence >= enough) {
      const auto likeliest = static_cast<std::size_t>(
          std::max_element(against.begin(), against.end()) - against.begin());
      result.complaint =
          fmt::format("the noise is about {} times as large as declared", kFactors[likeliest]);
    } else if (shared >= enough) {
      result.complaint = "two means share their noise";
    }
  }
  return result;
}

/// Claims of epsilon for a distance of 1 on a grid, held to guesses about pairs at any distance: as in certified.hpp.
class CertifiedPerDistance {
 public:
  CertifiedPerDistance(problems::EnvironmentLoss claim, double error)
      : claim_(claim), enough_(-std::log(error)) {
    constexpr double kStep = 1.1;
    for (int i = -24; i <= 36; ++i) factors_.push_back({std::pow(kStep, i), 0});
  }
  /// With the guess in ln of the odds for the one environment.
  void add(bool one, double log_odds, double distance) {
    for (std::size_t i = refuted_; i < factors_.size(); ++i)
      factors_[i].evidence += log_gain(allowed(factors_[i].factor, distance), one, log_odds);
    while (refuted_ < factors_.size() && factors_[refuted_].evidence >= enough_) ++refuted_;
  }
  double epsilon() const {
    return refuted_ == 0 ? 0 : factors_[refuted_ - 1].factor * claim_.per_unit;
  }
  bool refutes_the_claim() const {
    return refuted_ > 0 && factors_[refuted_ - 1].factor >= 1 - 1e-12;
  }
  /// By the smallest claim that is not refuted yet.
  double allowed_next(double distance) const {
    return allowed(factors_[std::min(refuted_, factors_.size() - 1)].factor, distance);
  }

 private:
  struct Claim {
    double factor;
    double evidence;
  };
  double allowed(double factor, double distance) const {
    return problems::EnvironmentLoss{factor * claim_.per_unit, claim_.for_cutting}.at(distance);
  }

  problems::EnvironmentLoss claim_;
  double enough_;
  std::vector<Claim> factors_;
  std::size_t refuted_ = 0;
};

/// Guesses by the declared law, of noise of all sizes, the likelier the better they explain what came out so far.
SequentialResult guesses(const EnvironmentPlay& play, const Effort& effort) {
  const std::vector<EnvironmentPair> pairs = neighbouring_environments();
  const double scale = 1 / play.epsilon;
  auto coins = random::SimulationKey(play.seed, "environment", "coins", 0)
                   .stream(random::Purpose::kOutcomes);
  CertifiedPerDistance certified(play.claim(), effort.error);
  SequentialResult result;
  PerFactor weights{};
  std::vector<std::pair<double, double>> promised(pairs.size(), {0, 0});  // and of how many runs
  result.guessed_by = "the declared law of the noise";
  while (result.samples < effort.samples && !result.violated) {
    const auto mean = [](const std::pair<double, double>& p) { return p.first / (p.second + 1); };
    auto pair = static_cast<std::size_t>(
        std::max_element(promised.begin(), promised.end(),
                         [&](const auto& a, const auto& b) { return mean(a) < mean(b); }) -
        promised.begin());
    if (result.samples % 8 < 2 || result.samples < 4 * std::ssize(pairs))
      pair = static_cast<std::size_t>(result.samples) % pairs.size();
    const bool one = random::bernoulli(coins, 0.5);
    const std::vector<double>& truth = one ? pairs[pair].one : pairs[pair].other;
    // Other runs than those of the law.
    const auto run = (std::uint64_t{1} << 40) + static_cast<std::uint64_t>(result.samples);
    const std::vector<double> released = play.release(
        truth, run,
        result.samples / 2 % 2 == 0 ? EnvironmentNoise::kSimulated : EnvironmentNoise::kSecure);
    PerFactor for_one = weights;
    PerFactor for_other = weights;
    add_to(for_one, log_densities(released, pairs[pair].one, scale));
    add_to(for_other, log_densities(released, pairs[pair].other, scale));
    const double odds = log_mean(for_one) - log_mean(for_other);
    weights = one ? for_one : for_other;
    promised[pair].first += promise(certified.allowed_next(pairs[pair].distance()), odds);
    promised[pair].second += 1;
    certified.add(one, odds, pairs[pair].distance());
    ++result.samples;
    result.violated = certified.refutes_the_claim();
  }
  result.lower_bound = certified.epsilon();
  const auto most =
      std::max_element(promised.begin(), promised.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  result.pair = pairs[static_cast<std::size_t>(most - promised.begin())].name;
  result.factor = kFactors[static_cast<std::size_t>(
      std::max_element(weights.begin(), weights.end()) - weights.begin())];
  return result;
}

}  // namespace

std::vector<double> EnvironmentPlay::release(const std::vector<double>& means, std::uint64_t run,
                                             EnvironmentNoise noise) const {
  const double with = played_with.value_or(epsilon);
  const problems::IndependentArms truth(means, problems::Rewards::kPoint);
  std::vector<double> released;
  if (noise == EnvironmentNoise::kSecure) {
    random::SecureSource source;
    released = problems::release_environment(truth, with, source).problem->means();
  } else {
    const random::SimulationKey key(seed, "environment", "audit", run);
    released = problems::release_environment(truth, with, key).problem->means();
  }
  return twin ? twin(std::move(released)) : released;
}

problems::EnvironmentLoss EnvironmentPlay::claim() const {
  random::SecureSource source;
  return problems::release_environment(
             problems::IndependentArms({0.5, 0.5}, problems::Rewards::kPoint), epsilon, source)
      .loss;
}

double EnvironmentPair::distance() const {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += std::abs(one[i] - other[i]);
  return sum;
}

std::vector<EnvironmentPair> neighbouring_environments() {
  constexpr double kHair = 0x1p-40;
  return {{"one mean from 0 to 1", {0, 0.5}, {1, 0.5}},
          {"both means from 0 to 1", {0, 0}, {1, 1}},
          {"one mean from 0.25 to 0.75", {0.25, 0.5}, {0.75, 0.5}},
          {"crosswise, 0.4 and 0.6", {0.4, 0.6}, {0.6, 0.4}},
          {"crosswise, 0 and 1", {0, 1}, {1, 0}},
          {"one mean from 0.5 to 0.6", {0.5, 0.5}, {0.6, 0.5}},
          {"both means a hair apart", {0.5 - kHair, 0.5 - kHair}, {0.5, 0.5}}};
}

EnvironmentResult environment_audit(const EnvironmentPlay& play, const Effort& effort) {
  constexpr int kRuns = 500;
  EnvironmentResult result;
  result.claimed = play.claim();
  for (const EnvironmentNoise noise : {EnvironmentNoise::kSimulated, EnvironmentNoise::kSecure}) {
    const LawResult law = law_audit(play, noise, kRuns, effort.error / 4);
    result.law.samples += law.samples;
    result.law.released += law.released;
    result.law.evidence = std::max(result.law.evidence, law.evidence);
    if (result.law.complaint.empty()) result.law.complaint = law.complaint;
  }
  Effort guessing = effort;
  guessing.error = effort.error / 2;
  result.guesses = guesses(play, guessing);
  const bool found = !result.law.complaint.empty() || result.guesses.violated;
  result.verdict = found ? Verdict::kViolated : Verdict::kNotRefuted;
  return result;
}

double log_chance_on_grid(std::int64_t value, std::int64_t mean, std::int64_t most, double scale) {
  const auto away = static_cast<double>(std::abs(value - mean));
  const double a = 1 / scale;
  // P(noise >= x) = e^(-x a)/(1 + e^-a) for x >= 0: what is cut to an end.
  if (value <= 0 || value >= most) return -away * a - std::log1p(std::exp(-a));
  return std::log(std::tanh(a / 2)) - away * a;
}

ExactEnvironment exact_environment_audit(const EnvironmentPlay& play) {
  constexpr double kRounding = 1e-9;
  const privacy::Grid grid = privacy::Grid::for_scale(1 / play.played_with.value_or(play.epsilon));
  const auto scale = static_cast<double>(grid.scale);
  const auto most = std::int64_t{1} << grid.bits;
  const auto steps = [&](double mean) {
    return static_cast<std::int64_t>(std::floor(std::ldexp(mean, grid.bits)));
  };
  ExactEnvironment result;
  result.claimed = play.claim();
  for (const EnvironmentPair& pair : neighbouring_environments()) {
    // Noises are independent: the worst that can come out is the worst of every mean.
    double loss = 0;
    for (std::size_t i = 0; i < pair.one.size(); ++i) {
      const std::int64_t one = steps(pair.one[i]);
      const std::int64_t other = steps(pair.other[i]);
      double largest = 0;
      // Between these the logarithm of the ratio is linear in the value.
      for (const std::int64_t value :
           {std::int64_t{0}, std::int64_t{1}, one, other, most - 1, most}) {
        largest = std::max(largest, log_chance_on_grid(value, one, most, scale) -
                                        log_chance_on_grid(value, other, most, scale));
      }
      loss += largest;
    }
    const bool apart = pair.distance() > 2 * grid.step();
    const double per_unit = loss / pair.distance();
    if (!apart) result.nearly_equal = std::max(result.nearly_equal, loss);
    if (apart && !result.violated && per_unit > result.epsilon) {
      result.epsilon = per_unit;
      result.where = pair.name;
    }
    if (loss > result.claimed.at(pair.distance()) * (1 + kRounding) && !result.violated) {
      result.violated = true;
      result.where = pair.name;
    }
  }
  return result;
}

}  // namespace tacit::audit
