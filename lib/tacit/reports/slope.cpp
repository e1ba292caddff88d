#include "tacit/reports/slope.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace tacit::reports {
namespace {

struct Centred {
  double mean = 0;
  double squares = 0;
};

Centred centred(std::span<const double> x) {
  Centred c;
  for (const double each : x) c.mean += each / static_cast<double>(x.size());
  for (const double each : x) c.squares += (each - c.mean) * (each - c.mean);
  return c;
}

/// Half of the interval of ln y.
double half_width_of_log(const Estimated& measured) {
  const double low = measured.y - measured.half_width;
  if (!(low > 0)) return std::numeric_limits<double>::infinity();  // not a number, too
  return (std::log(measured.y + measured.half_width) - std::log(low)) / 2;
}

std::optional<Slope> slope_of(std::span<const double> u, std::span<const double> v,
                              std::span<const double> half_widths) {
  const auto n = static_cast<double>(u.size());
  if (u.size() < 3) return {};
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  if (*low == *high) return {};  // rounding may leave squares where there is no difference
  const StraightLine line = straight_line(u, v);
  const Centred over = centred(u);
  double residuals = 0;
  double own = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double residual = v[i] - line.at(u[i]);
    residuals += residual * residual;
    const double weight = (u[i] - over.mean) / over.squares;
    if (weight != 0) own += weight * weight * half_widths[i] * half_widths[i];
  }
  const boost::math::students_t student(n - 2);
  const double by_residuals =
      boost::math::quantile(student, 0.975) * std::sqrt(residuals / (n - 2) / over.squares);
  return Slope{line.slope, line.intercept, std::max(by_residuals, std::sqrt(own))};
}

}  // namespace

StraightLine straight_line(std::span<const double> x, std::span<const double> y) {
  const Centred over = centred(x);
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i) products += (x[i] - over.mean) * y[i];
  const double slope = products / over.squares;
  return {centred(y).mean - slope * over.mean, slope};
}

std::optional<Slope> log_log_slope(std::span<const double> x, std::span<const Estimated> y) {
  std::vector<double> u;
  std::vector<double> v;
  std::vector<double> half_widths;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0 && y[i].y > 0)) continue;
    u.push_back(std::log(x[i]));
    v.push_back(std::log(y[i].y));
    half_widths.push_back(half_width_of_log(y[i]));
  }
  return slope_of(u, v, half_widths);
}

std::optional<Slope> straight_slope(std::span<const double> x, std::span<const Estimated> y) {
  std::vector<double> values;
  std::vector<double> half_widths;
  for (const Estimated& each : y) {
    values.push_back(each.y);
    // Not a number where a point has no interval: nothing is known of it then.
    half_widths.push_back(each.half_width >= 0 ? each.half_width
                                               : std::numeric_limits<double>::infinity());
  }
  return slope_of(x, values, half_widths);
}

}  // namespace tacit::reports
