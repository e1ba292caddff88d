#include "tacit/accounting/loss_distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

#include "tacit/core/check.hpp"
#include "tacit/core/fourier.hpp"

namespace tacit::accounting {
namespace {

constexpr double kTail = 1e-13;      // what may be cut off on either side of a composition
constexpr double kRounding = 1e-12;  // what the transforms may get wrong
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// P(low < N <= high) of a standard normal, from the tail that is nearer.
double normal_mass(double low, double high) {
  if (low + high < 0) return normal_mass(-high, -low);
  return 0.5 * (boost::math::erfc(low / std::numbers::sqrt2) -
                boost::math::erfc(high / std::numbers::sqrt2));
}

std::size_t checked_points(const char* function, double points, double grid) {
  if (!(points <= 0x1p26)) {
    throw InvalidParameter(function, "grid", fmt::format("{}", grid),
                           "must leave at most 2^26 points");
  }
  return static_cast<std::size_t>(points);
}

}  // namespace

LossDistribution LossDistribution::laplace(double scale, double l1, double grid,
                                           Rounding rounding) {
  check::positive("LossDistribution::laplace", "scale", scale);
  check::positive("LossDistribution::laplace", "l1", l1);
  check::positive("LossDistribution::laplace", "grid", grid);
  const double most = l1 / scale;
  // The loss is `most` with probability 1/2, -most with e^-most/2, and between them it has the density
  // e^((L-most)/2)/4.
  const Masses masses = [most](double low, double high) {
    Cell cell;
    const double from = std::clamp(low, -most, most);
    const double to = std::clamp(high, -most, most);
    cell.p = std::exp((from - most) / 2) * std::expm1((to - from) / 2) / 2;
    cell.q = std::exp((-to - most) / 2) * std::expm1((to - from) / 2) / 2;
    // The grid meets the atoms only up to rounding; a cell that ends there includes them.
    const double slack = 1e-12 * most;
    const auto holds = [=](double loss) { return low < loss - slack && loss - slack <= high; };
    if (holds(most)) {
      cell.p += 0.5;
      cell.q += 0.5 * std::exp(-most);
    }
    if (holds(-most)) {
      cell.p += 0.5 * std::exp(-most);
      cell.q += 0.5;
    }
    return cell;
  };
  const double points = std::ceil(2 * most / grid - 1e-9) + 2;  // one begins below -most
  const std::size_t count = checked_points("LossDistribution::laplace", points, grid);
  LossDistribution result(grid, rounding);
  result.discretise(masses, most - grid * static_cast<double>(count - 1), count);
  return result;
}

LossDistribution LossDistribution::gaussian(double sigma, double l2, double grid,
                                            Rounding rounding) {
  check::positive("LossDistribution::gaussian", "sigma", sigma);
  check::positive("LossDistribution::gaussian", "l2", l2);
  check::positive("LossDistribution::gaussian", "grid", grid);
  // The loss is normal with variance m^2 and mean m^2/2 under P, -m^2/2 under Q.
  const double m = l2 / sigma;
  const Masses masses = [m](double low, double high) {
    return Cell{.p = normal_mass(low / m - m / 2, high / m - m / 2),
                .q = normal_mass(low / m + m / 2, high / m + m / 2)};
  };
  constexpr double kReach = 9;  // standard deviations: 1e-19 is left beyond
  const std::size_t count =
      checked_points("LossDistribution::gaussian", std::ceil(2 * kReach * m / grid) + 2, grid);
  LossDistribution result(grid, rounding);
  result.discretise(masses, m * m / 2 - kReach * m, count);
  return result;
}

void LossDistribution::discretise(const Masses& masses, double lowest, std::size_t points) {
  lowest_ = lowest;
  constexpr double kLargestLoss = 700;  // e^loss is a double
  check::within("LossDistribution", "largest loss", lowest + static_cast<double>(points) * grid_, 0,
                kLargestLoss);
  masses_.assign(points, 0);
  rounding_ == Rounding::kUp ? split_cells(masses) : merge_cells(masses);
}

void LossDistribution::split_cells(const Masses& masses) {
  masses_.front() = masses(-kInfinity, lowest_).p;
  for (std::size_t i = 0; i + 1 < masses_.size(); ++i) {
    const Cell cell = masses(loss(i), loss(i + 1));
    // The upper part b of a + b = p and a e^-loss(i) + b e^-loss(i+1) = q.
    const double b =
        std::clamp((cell.p - cell.q * std::exp(loss(i))) / -std::expm1(-grid_), 0.0, cell.p);
    masses_[i] += cell.p - b;
    masses_[i + 1] += b;
  }
  at_infinity_ = masses(loss(masses_.size() - 1), kInfinity).p;
}

void LossDistribution::merge_cells(const Masses& masses) {
  double shift = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const bool last = i + 1 == masses_.size();  // takes all that is above as well
    const Cell cell = masses(loss(i) - grid_ / 2, last ? kInfinity : loss(i) + grid_ / 2);
    masses_[i] = cell.p;
    if (cell.p > 0) shift = std::max(shift, loss(i) - std::log(cell.p / cell.q));
  }
  lowest_ -= shift;
}

LossDistribution LossDistribution::then(const LossDistribution& other) const {
  if (grid_ != other.grid_ || rounding_ != other.rounding_) {
    throw InvalidParameter("LossDistribution::then", "other", fmt::format("grid {}", other.grid_),
                           fmt::format("must have the same rounding and grid {}", grid_));
  }
  const std::size_t size = masses_.size() + other.masses_.size() - 1;
  fourier::Spectrum a(masses_.begin(), masses_.end());
  fourier::Spectrum b(other.masses_.begin(), other.masses_.end());
  a.resize(std::bit_ceil(size));
  b.resize(a.size());
  fourier::transform(a);
  fourier::transform(b);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = fourier::product(a[i], b[i]);
  fourier::transform_back(a);

  LossDistribution result(grid_, rounding_);
  result.lowest_ = lowest_ + other.lowest_;
  result.masses_.resize(size);
  for (std::size_t i = 0; i < size; ++i) result.masses_[i] = a[i].real();
  result.at_infinity_ = at_infinity_ + other.at_infinity_ - at_infinity_ * other.at_infinity_;
  result.allow(kRounding);
  result.cut_tails();
  return result;
}

LossDistribution LossDistribution::repeated(std::int64_t times) const {
  check::within("LossDistribution::repeated", "times", static_cast<double>(times), 1, 1e9);
  if (times == 1) return *this;
  // Sums are kept in a window that they leave with probability 2 kTail at most. The transform is of the
  // window's size only: what leaves it comes back in at the other end, at a place that is wrong for that
  // probability and no more, which the allowance covers.
  const std::int64_t begin = distance_from_end(times, false);
  const std::int64_t most = times * static_cast<std::int64_t>(masses_.size() - 1);
  const std::int64_t end = std::max(begin, most - distance_from_end(times, true));
  const std::size_t window =
      checked_points("LossDistribution::repeated", static_cast<double>(end - begin + 1), grid_);
  fourier::Spectrum spectrum(std::bit_ceil(window));
  for (std::size_t i = 0; i < masses_.size(); ++i) spectrum[i % spectrum.size()] += masses_[i];
  fourier::transform(spectrum);
  for (std::complex<double>& value : spectrum) {
    std::complex<double> power = 1;
    std::complex<double> square = value;
    for (std::int64_t left = times; left > 0; left /= 2) {
      if (left % 2 == 1) power = fourier::product(power, square);
      square = fourier::product(square, square);
    }
    value = power;
  }
  fourier::transform_back(spectrum);

  LossDistribution result(grid_, rounding_);
  result.lowest_ = static_cast<double>(times) * lowest_ + grid_ * static_cast<double>(begin);
  for (std::size_t i = static_cast<std::size_t>(begin); result.masses_.size() < window; ++i) {
    result.masses_.push_back(spectrum[i % spectrum.size()].real());
  }
  result.at_infinity_ = -std::expm1(static_cast<double>(times) * std::log1p(-at_infinity_));
  result.allow(kRounding + 1e-15 * static_cast<double>(times) + 2 * kTail);
  result.cut_tails();
  return result;
}

std::int64_t LossDistribution::distance_from_end(std::int64_t times, bool upper) const {
  // Chernoff, in steps below the largest loss (above the lowest): with d the distance of one loss from that
  // end, P(sum of d < s) <= e^(t s) E[e^(-t d)]^times for every t > 0.
  double best = 0;
  for (double t = 64; t > 1e-9; t /= 1.5) {
    double moment = 0;  // by Horner, from the far end
    const double factor = std::exp(-t);
    for (std::size_t i = 0; i < masses_.size(); ++i) {
      moment = moment * factor + std::abs(masses_[upper ? i : masses_.size() - 1 - i]);
    }
    if (moment > 0)
      best = std::max(best, (std::log(kTail) - static_cast<double>(times) * std::log(moment)) / t);
  }
  // At most the whole way: nearly all of the mass can be at infinity.
  const double most = static_cast<double>(times) * static_cast<double>(masses_.size() - 1);
  return static_cast<std::int64_t>(std::min(best, most));
}

void LossDistribution::cut_tails() {
  double above = 0;
  while (masses_.size() > 1 && std::abs(above + masses_.back()) < kTail) {
    above += masses_.back();
    masses_.pop_back();
  }
  std::size_t first = 0;
  double below = 0;
  while (first + 1 < masses_.size() && std::abs(below + masses_[first]) < kTail)
    below += masses_[first++];
  masses_.erase(masses_.begin(), masses_.begin() + static_cast<std::ptrdiff_t>(first));
  lowest_ += grid_ * static_cast<double>(first);
  if (rounding_ == Rounding::kUp) {
    at_infinity_ += std::max(0.0, above);
    masses_.front() += below;
  } else {
    masses_.back() += above;
  }
}

double LossDistribution::delta(double epsilon) const {
  check::within("LossDistribution::delta", "epsilon", epsilon, 0, 1e300);
  double sum = at_infinity_;
  for (std::size_t i = masses_.size(); i-- > 0 && loss(i) > epsilon;) {
    sum -= masses_[i] * std::expm1(epsilon - loss(i));
  }
  return std::clamp(sum, 0.0, 1.0);
}

double LossDistribution::epsilon(double delta) const {
  check::within("LossDistribution::epsilon", "delta", delta, 0, 1);
  if (at_infinity_ > delta) return kInfinity;
  // Between two points delta(e) = a - b e^(e - loss(i)), where a and b gather what lies above loss(i).
  double a = at_infinity_;
  double b = 0;
  const double step = std::exp(-grid_);
  for (std::size_t i = masses_.size(); i-- > 0;) {
    a += masses_[i];
    b += masses_[i];
    if (a - b * step > delta) return std::max(0.0, loss(i) + std::log((a - delta) / b));
    if (loss(i) < 0) return 0;
    b *= step;
  }
  if (a <= delta) return 0;
  // Below every point nothing is gathered any more.
  return std::max(0.0, lowest_ - grid_ + std::log((a - delta) / b));
}

}  // namespace tacit::accounting
