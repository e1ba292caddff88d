#include "tacit/indices/beta_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <boost/math/special_functions/beta.hpp>

#include "tacit/indices/special_doubles.hpp"

namespace tacit::indices {
namespace {

constexpr double kSmooth = 16;  // outcomes of each kind
constexpr double kMany =
    3e4;  // of both, each a tenth at least: more than Boost is to be asked about
constexpr int kTerms = 40;

constexpr std::array<double, kTerms + 2> reciprocals() {
  std::array<double, kTerms + 2> all{};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = 1 / static_cast<double>(i);
  return all;
}
constexpr std::array<double, kTerms + 2> kOneOver = reciprocals();

/// ln k! - ln(sqrt(2 pi k) (k/e)^k), for k >= kSmooth.
double stirling_error(double k) {
  const double square = 1 / (k * k);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - square / 1680) * square) * square) / k;
}

}  // namespace

BetaLaw::BetaLaw(double a, double b) noexcept
    : a_(a),
      b_(b),
      n_(a + b),
      mode_(a / n_),
      deviation_(std::sqrt(mode_ * (b / n_) / n_)),
      log_height_(0),
      smooth_(a >= kSmooth && b >= kSmooth) {
  if (!smooth_) return;
  log_height_ = std::log((n_ + 1) / (n_ * deviation_)) - 0.5 * std::log(2 * std::numbers::pi) +
                stirling_error(n_) - stirling_error(a_) - stirling_error(b_);
}

double BetaLaw::log_density(double x) const noexcept {
  if (!smooth_) return std::log(boost::math::ibeta_derivative(a_ + 1, b_ + 1, x, Doubles()));
  const double moved = x - mode_;
  return log_height_ + a_ * std::log1p(moved / mode_) + b_ * std::log1p(-moved / (1 - mode_));
}

double BetaLaw::reach(double x) const noexcept {
  const double slope = std::abs(a_ / x - b_ / (1 - x));
  return std::min({0.7 * deviation_, 1.5 / slope, 0.25 * x, 0.25 * (1 - x)});
}

BetaLaw::Step BetaLaw::step(double x, double density, double width) const noexcept {
  // With u in units of the width: f(x + u width) = sum of c_k u^k.
  const double scale = width / (x * (1 - x));
  const double first = (a_ - n_ * x) * scale;
  const double more = (1 - 2 * x) * scale;
  const double second = width * scale;
  double before = 0;
  double c = density;
  double mass = c;
  double there = c;
  for (int k = 0; k < kTerms; ++k) {
    const double next = ((first - more * k) * c + (k - 1 - n_) * second * before) *
                        kOneOver[static_cast<std::size_t>(k + 1)];
    before = c;
    c = next;
    there += c;
    mass += c * kOneOver[static_cast<std::size_t>(k + 2 <= kTerms + 1 ? k + 2 : kTerms + 1)];
    if (std::abs(c) + std::abs(before) <= 1e-15 * std::abs(there)) break;
  }
  return {mass * std::abs(width), there};
}

double BetaLaw::tail(double x, double direction) const noexcept {
  double density = std::exp(log_density(x));
  double total = 0;
  for (;;) {
    const double width = direction * reach(x);
    const Step taken = step(x, density, width);
    total += taken.mass;
    if (!(taken.mass > 1e-17 * total)) return total;
    x += width;
    density = taken.density;
  }
}

BetaLaw::Sides BetaLaw::sides(double y) const noexcept {
  if (a_ >= kMany / 10 && b_ >= kMany / 10 && n_ > kMany) {
    if (y < mode_) {
      const double below = tail(y, -1);
      return {below, 1 - below};
    }
    const double above = tail(y, 1);
    return {1 - above, above};
  }
  if (y < mode_) {
    const double below = boost::math::ibeta(a_ + 1, b_ + 1, y, Doubles());
    return {below, 1 - below};
  }
  const double above = boost::math::ibetac(a_ + 1, b_ + 1, y, Doubles());
  return {1 - above, above};
}

double BetaLaw::log_of(const Sides& sides) const noexcept {
  return std::max(kLowest, sides.above <= 0.5 ? std::log1p(-sides.above) : std::log(sides.below));
}

double BetaLaw::log_below(double y) const noexcept {
  if (b_ == 0) return std::max(kLowest, (a_ + 1) * std::log(y));
  if (a_ == 0) return std::max(kLowest, std::log1p(-std::exp((b_ + 1) * std::log1p(-y))));
  return log_of(sides(y));
}

void BetaLaw::log_below(std::span<const double> points, std::span<double> results) const noexcept {
  const std::size_t count = points.size();
  const double first = points[0];
  const double last = points[count - 1];
  // Steps would be too many where the points span much, or come close to 0 or 1; and start from nothing where the density
  // vanishes.
  constexpr double kFar = 1.5;  // deviations from one to the next, on the average
  constexpr double kClose = 0.05;
  constexpr double kNothing = -600;
  if (a_ == 0 || b_ == 0 || first - last > kFar * deviation_ * static_cast<double>(count) ||
      1 - first < kClose * (1 - mode_) || last < kClose * mode_ || log_density(first) < kNothing) {
    for (std::size_t i = 0; i < count; ++i) results[i] = log_below(points[i]);
    return;
  }
  Sides here = sides(first);
  results[0] = log_of(here);
  double x = first;
  double density = std::exp(log_density(first));
  std::size_t above = 1;  // points whose upper side is the smaller one
  for (std::size_t i = 1; i < count; ++i) {
    double mass = 0;
    while (x > points[i]) {
      const double width = std::min(reach(x), x - points[i]);
      const Step taken = step(x, density, -width);
      mass += taken.mass;
      density = taken.density;
      x = width < x - points[i] ? x - width : points[i];
    }
    here.above += mass;
    results[i] = mass;
    if (here.above <= 0.5) {
      results[i] = log_of(here);
      above = i + 1;
    }
  }
  if (above == count) return;
  // The others from the far end: there the lower side is the smaller one.
  double below = sides(last).below;
  for (std::size_t i = count; i-- > above;) {
    const double mass = results[i];
    results[i] = std::max(kLowest, std::log(below));
    below += mass;
  }
}

}  // namespace tacit::indices
