#include "tacit/simulation/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

namespace tacit::simulation {

void Moments::add(double x) noexcept {
  ++count_;
  const double from_old = x - mean_;
  mean_ += from_old / static_cast<double>(count_);
  squares_ += from_old * (x - mean_);
}

double Moments::standard_error() const noexcept {
  if (count_ < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(count_);
  return std::sqrt(squares_ / (n - 1) / n);
}

double Moments::half_width95() const {
  if (count_ < 2) return std::numeric_limits<double>::quiet_NaN();
  const boost::math::students_t student(static_cast<double>(count_ - 1));
  return boost::math::quantile(student, 0.975) * standard_error();
}

Interval Moments::share_interval95() const {
  constexpr double kTail = 0.025;
  const auto n = static_cast<double>(count_);
  const double ones = std::round(mean_ * n);
  return {ones > 0 ? boost::math::ibeta_inv(ones, n - ones + 1, kTail) : 0,
          ones < n ? boost::math::ibetac_inv(ones + 1, n - ones, kTail) : 1};
}

double sorted_quantile(const std::vector<double>& sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace tacit::simulation
