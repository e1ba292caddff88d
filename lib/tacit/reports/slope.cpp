#include "tacit/reports/slope.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace tacit::reports {

std::optional<Slope> log_log_slope(std::span<const double> x, std::span<const double> y) {
  std::vector<double> u;
  std::vector<double> v;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i] > 0 && y[i] > 0)) continue;
    u.push_back(std::log(x[i]));
    v.push_back(std::log(y[i]));
  }
  const auto n = static_cast<double>(u.size());
  if (u.size() < 3) return {};
  const auto [low, high] = std::minmax_element(u.begin(), u.end());
  if (*low == *high) return {};  // rounding may leave squares where there is no difference
  double mean_u = 0;
  double mean_v = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    mean_u += u[i] / n;
    mean_v += v[i] / n;
  }
  double uu = 0;
  double uv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += (u[i] - mean_u) * (u[i] - mean_u);
    uv += (u[i] - mean_u) * (v[i] - mean_v);
  }
  Slope slope{.value = uv / uu};
  slope.intercept = mean_v - slope.value * mean_u;
  double squares = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double residual = v[i] - slope.intercept - slope.value * u[i];
    squares += residual * residual;
  }
  const boost::math::students_t student(n - 2);
  slope.half_width = boost::math::quantile(student, 0.975) * std::sqrt(squares / (n - 2) / uu);
  return slope;
}

}  // namespace tacit::reports
