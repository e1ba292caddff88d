#include "tacit/simulation/coverage.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace tacit::simulation {
namespace {

std::size_t place(Arm arm) { return static_cast<std::size_t>(arm); }

/// Of the pair in the rows of pairs a < b.
std::size_t place(Arm a, Arm b, std::size_t arms) {
  const std::size_t first = place(std::min(a, b));
  const std::size_t second = place(std::max(a, b));
  return first * arms - first * (first + 1) / 2 + (second - first - 1);
}

/// x is the mean of `count` numbers, of which this is the last.
void add_to_mean(double& mean, double x, std::int64_t count) {
  mean += (x - mean) / static_cast<double>(count);
}

}  // namespace

IntervalWatch::IntervalWatch(const std::vector<double>& means, double alpha,
                             const std::vector<Round>& checkpoints)
    : means_(means), alpha_(alpha), checkpoints_(checkpoints) {
  const std::size_t arms = means.size();
  run_.missed.resize(arms, 0);
  if (static_cast<int>(arms) <= kMostArmsOfDifferences) {
    run_.difference_missed.resize(arms * (arms - 1) / 2, 0);
  }
}

void IntervalWatch::look(const evidence::Readout& readout, const std::vector<Arm>& told) {
  for (const Arm arm : told) {
    char& missed = run_.missed[place(arm)];
    if (missed == 0 && readout.interval_misses(arm, means_[place(arm)], alpha_)) missed = 1;
    if (run_.difference_missed.empty()) continue;
    for (Arm other = 0; other < readout.arms(); ++other) {
      if (other == arm) continue;
      char& pair = run_.difference_missed[place(arm, other, means_.size())];
      if (pair == 0 &&
          readout.difference_misses(arm, other, means_[place(arm)], means_[place(other)], alpha_)) {
        pair = 1;
      }
    }
  }
}

void IntervalWatch::note(const evidence::Mixture& mixture,
                         const PerArm<evidence::Record>& records) {
  std::vector<evidence::Interval> all;
  for (const evidence::Record& record : records) all.push_back(mixture.interval(record, alpha_));
  run_.at.push_back(std::move(all));
}

void IntervalWatch::reach(Round t, const evidence::Readout& readout) {
  const auto is_due = [&](Round by) {
    return run_.at.size() < checkpoints_.size() && checkpoints_[run_.at.size()] < by;
  };
  while (before_ && is_due(t - 1)) note(readout.mixture(), *before_);
  while (is_due(t)) note(readout.mixture(), readout.records());
  before_ = readout.records();
}

RunIntervals IntervalWatch::finish(const evidence::Readout& readout) && {
  while (before_ && run_.at.size() + 1 < checkpoints_.size()) note(readout.mixture(), *before_);
  while (run_.at.size() < checkpoints_.size()) note(readout.mixture(), readout.records());
  return std::move(run_);
}

void IntervalSummary::add(const RunIntervals& run) {
  ++runs;
  const std::size_t arms = run.missed.size();
  at.resize(run.at.size(), {std::vector<double>(arms, 0), std::vector<double>(arms, 0)});
  missed.resize(arms, 0);
  difference_missed.resize(run.difference_missed.size(), 0);
  for (std::size_t i = 0; i < arms; ++i) {
    for (std::size_t c = 0; c < at.size(); ++c) {
      add_to_mean(at[c].low[i], run.at[c][i].low, runs);
      add_to_mean(at[c].high[i], run.at[c][i].high, runs);
    }
    add_to_mean(missed[i], run.missed[i], runs);
  }
  for (std::size_t i = 0; i < difference_missed.size(); ++i) {
    add_to_mean(difference_missed[i], run.difference_missed[i], runs);
  }
}

double IntervalSummary::mean_width() const {
  const auto& [low, high] = at_the_end();
  const double widths =
      std::accumulate(high.begin(), high.end(), 0.0) - std::accumulate(low.begin(), low.end(), 0.0);
  return widths / static_cast<double>(low.size());
}

double IntervalSummary::most_missed() const {
  return missed.empty() ? 0 : *std::max_element(missed.begin(), missed.end());
}

double IntervalSummary::most_differences_missed() const {
  return difference_missed.empty()
             ? 0
             : *std::max_element(difference_missed.begin(), difference_missed.end());
}

}  // namespace tacit::simulation
