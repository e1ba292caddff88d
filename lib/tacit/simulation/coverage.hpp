// Intervals of a simulated run, held against the truth at every release.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tacit/evidence/readout.hpp"
#include "tacit/simulation/statistics.hpp"

namespace tacit::simulation {

/// Of one run.
struct RunIntervals {
  std::vector<std::vector<evidence::Interval>> at;  // the checkpoints: of every arm
  std::vector<char> missed;  // of every arm: whether its interval ever missed its mean
  /// Of pairs a < b, row by row: whether the interval of the difference ever missed it. Empty: too many arms.
  std::vector<char> difference_missed;
};

/// Looks after every release.
class IntervalWatch {
 public:
  /// More arms than this have no intervals of differences: there are too many.
  static constexpr int kMostArmsOfDifferences = 64;

  /// The means and the checkpoints, which increase, outlive it.
  IntervalWatch(const std::vector<double>& means, double alpha,
                const std::vector<Round>& checkpoints);

  /// These arms have new releases.
  void look(const evidence::Readout& readout, const std::vector<Arm>& told);
  /// A choice is made for round t. What was released since the last choice was so at the end of round t - 1.
  void reach(Round t, const evidence::Readout& readout);
  RunIntervals finish(const evidence::Readout& readout) &&;

 private:
  void note(const evidence::Mixture& mixture, const PerArm<evidence::Record>& records);

  const std::vector<double>& means_;
  double alpha_;
  const std::vector<Round>& checkpoints_;
  std::optional<PerArm<evidence::Record>> before_;  // at the last choice
  RunIntervals run_;
};

/// Of many runs.
struct IntervalSummary {
  double alpha = 0;
  /// Means over the runs, of every arm, at a checkpoint.
  struct Bands {
    std::vector<double> low, high;
  };
  std::vector<Bands> at;       // the checkpoints
  std::vector<double> missed;  // share of runs in which the arm's interval ever missed
  std::int64_t runs = 0;
  /// The largest share of a pair; none where there are too many arms.
  std::vector<double> difference_missed;

  void add(const RunIntervals& run);
  const Bands& at_the_end() const { return at.back(); }
  double mean_width() const;
  /// The share of the arm, or pair, that is missed most often.
  double most_missed() const;
  double most_differences_missed() const;
};

}  // namespace tacit::simulation
