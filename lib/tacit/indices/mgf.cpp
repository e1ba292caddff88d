#include "tacit/indices/mgf.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <boost/math/tools/minima.hpp>

#include "tacit/indices/kl.hpp"

namespace tacit::indices {
namespace {

// e^-l is 0 beyond this, so a larger l gains nothing; without it a tiny noise scale would let l
// overflow.
constexpr double kLargestTilt = 745;

struct Rate {
  double value;
  double slope;
  double curvature;
};

/// The function whose maximum over l is the rate, with its first two derivatives. Concave in l.
Rate rate_at(double l, std::span<const NoisyTerm> terms, double s, double mean, double scale) {
  Rate rate{-l * s, -s, 0};
  for (const NoisyTerm& term : terms) {
    const double x = l * term.weight;
    const double tilted = mean * std::exp(-x);
    const double total = 1 - mean + tilted;
    rate.value -= term.n * std::log1p(mean * std::expm1(-x));
    rate.slope += term.n * term.weight * tilted / total;
    rate.curvature -= term.n * term.weight * term.weight * tilted * (1 - mean) / (total * total);
    const double noise = x * scale;
    const double left = 1 - noise * noise;
    const double per_l = term.weight * scale;
    rate.value += term.noises * std::log1p(-noise * noise);
    rate.slope -= term.noises * 2 * noise * per_l / left;
    rate.curvature -= term.noises * 2 * per_l * per_l * (1 + noise * noise) / (left * left);
  }
  return rate;
}

}  // namespace

double mgf_rate(std::span<const NoisyTerm> terms, double s, double mean, double scale) {
  double largest_weight = 0;
  for (const NoisyTerm& term : terms) largest_weight = std::max(largest_weight, term.weight);
  double low = 0;
  double high = std::min((1 - 1e-12) / (largest_weight * scale), kLargestTilt);
  if (rate_at(0, terms, s, mean, scale).slope <= 0) return 0;  // s is not below its mean
  double l = 0.5 * high;
  Rate rate = rate_at(l, terms, s, mean, scale);
  // Newton on the slope, which decreases, kept within a shrinking bracket.
  for (int i = 0; i < 60; ++i) {
    (rate.slope > 0 ? low : high) = l;
    double next = l - rate.slope / rate.curvature;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool settled = std::abs(next - l) <= 1e-10 * l;
    l = next;
    rate = rate_at(l, terms, s, mean, scale);
    if (settled) break;
  }
  return std::max(0.0, rate.value);
}

double mgf_upper(double s, double n, int noises, double scale, double level) {
  // The largest mean has the closed form  min over l of
  //   [1 - exp(-(level + l s - noises ln(1 - l^2 b^2))/n)]/(1 - e^-l),
  // quasi-convex in l because the rate is concave in it.
  const auto bound = [=](double l) {
    const double charged = level + l * s - noises * std::log1p(-l * l * scale * scale);
    return std::expm1(-charged / n) / std::expm1(-l);
  };
  // Searched in ln l: the best l is about sqrt(level/n) when n is large, and about 1/b when noise rules.
  const double end = std::min(1 / scale, kLargestTilt) * (1 - 1e-9);
  const double start = std::min(1e-3 * end, 1e-3 * std::sqrt(level / n));
  const auto [log_l, smallest] = boost::math::tools::brent_find_minima(
      [&](double x) { return bound(std::exp(x)); }, std::log(start), std::log(end), 40);
  return std::min(1.0, smallest);
}

MgfUcb::MgfUcb(double scale, Level level, double growth)
    : scale_(scale), level_(level), log_growth_(std::log(growth)) {}

double MgfUcb::level_at(double log_t) const {
  return level_ == Level::kSharp ? log_t : log_t + std::log1p(log_t / log_growth_);
}

double MgfUcb::log_round_of(double level) const {
  if (level_ == Level::kSharp) return level;
  // The level is concave and increasing in ln t: from 0, below the root, Newton's first step lands
  // on or below it, and so do all later ones.
  double x = 0;
  for (int i = 0; i < 50; ++i) {
    const double step = (level - level_at(x)) / (1 + 1 / (log_growth_ + x));
    x += step;
    if (std::abs(step) <= 1e-13 * (1 + x)) break;
  }
  return x;
}

double MgfUcb::value(const State& s, const Clock& clock) const {
  if (s.n == 0) return std::numeric_limits<double>::infinity();
  return mgf_upper(s.sum, s.n, s.noises, scale_, level_at(clock.log_t));
}

Round MgfUcb::below_until(const State& s, double q, const Clock& clock) const {
  if (!(q <= 1)) return kLastRound;  // the index of an observed arm is at most 1
  const NoisyTerm term{1, s.n, s.noises};
  const double reached = mgf_rate({&term, 1}, s.sum, q, scale_);
  // The index is a minimum found to some digits; stop that much short.
  const double log_round = log_round_of(reached * (1 - 1e-7));
  if (!(log_round < 37)) return kLastRound;
  return std::clamp<Round>(static_cast<Round>(std::exp(log_round)) - 1, clock.t, kLastRound);
}

MgfImed::State MgfImed::prepare(const estimators::KeepPhases& phases) const {
  State state;
  if (phases.n == 0) return state;
  double largest = 0;
  for (const auto& phase : phases.phases) {
    const double weight = phase.n / (phase.n + 4 * scale_ * scale_);
    largest = std::max(largest, weight);
    state.terms.push_back({weight, phase.n, 1});
  }
  double weighted_n = 0;
  for (std::size_t i = 0; i < state.terms.size(); ++i) {
    NoisyTerm& term = state.terms[i];
    term.weight /= largest;
    state.sum += term.weight * phases.phases[i].sum;
    weighted_n += term.weight * term.n;
  }
  state.mean = clip01(state.sum / weighted_n);
  state.log_n = std::log(phases.n);
  state.trust = phases.n / (phases.n + doubt_);
  return state;
}

double MgfImed::value(const State& s, const Clock& clock) const {
  if (s.terms.empty()) return std::numeric_limits<double>::infinity();
  return -(s.trust * mgf_rate(s.terms, s.sum, clock.best_mean, scale_) + s.log_n);
}

}  // namespace tacit::indices
