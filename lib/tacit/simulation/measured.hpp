// What many runs came to. Runs are added in the order of their index: floating-point sums then have
// the same bits however the runs were spread over threads and machines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tacit/simulation/statistics.hpp"

namespace tacit::simulation {

struct Measured {
  std::vector<Moments> curve;         // regret at the checkpoints
  std::vector<double> final_regrets;  // of every run, sorted
  std::vector<double> mean_pulls;     // of every arm
  std::int64_t decisions = 0;
  double cpu_seconds = 0;
};

class Measurement {
 public:
  /// One run's regrets at the checkpoints.
  void add_run(std::span<const double> regrets);
  /// Of one run or of several at once: whole numbers, whose sums are exact up to 2^53.
  void add_pulls(std::span<const double> pulls);
  void add_decisions(std::int64_t decisions) { measured_.decisions += decisions; }
  void add_cpu(double seconds) { measured_.cpu_seconds += seconds; }

  Measured finish() &&;

 private:
  Measured measured_;
};

}  // namespace tacit::simulation
