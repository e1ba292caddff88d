// Running statistics over runs: mean, standard error, a 95% interval, quantiles.
#pragma once

#include <cstdint>
#include <vector>

namespace tacit::simulation {

struct Interval {
  double lo = 0;
  double hi = 0;
};

/// Mean and spread of a stream of numbers (Welford). Adding in a fixed order gives fixed bits.
class Moments {
 public:
  void add(double x) noexcept;

  std::int64_t count() const noexcept { return count_; }
  double mean() const noexcept { return mean_; }
  /// Standard error of the mean; NaN for fewer than two numbers.
  double standard_error() const noexcept;
  /// Half the width of the 95% interval for the mean (Student's t); NaN for fewer than two numbers.
  double half_width95() const;
  /// The 95% interval for a share, where all numbers are 0 or 1 (Clopper & Pearson): none of 100 may well be 3%.
  Interval share_interval95() const;

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// The p-quantile by linear interpolation between order statistics. Not empty; sorted.
double sorted_quantile(const std::vector<double>& sorted, double p);

}  // namespace tacit::simulation
