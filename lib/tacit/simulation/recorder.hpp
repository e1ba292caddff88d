// Pseudo-regret of one run, read at checkpoints.
//
// Regret is  sum over arms of pulls x gap,  computed from integer pulls when it is read: the same
// bits whether rounds came one by one or in stretches. Between decisions regret is linear, so a
// checkpoint inside a stretch is read off without cutting the stretch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::simulation {

/// How often position i of a round-robin over `stride` arms comes up within n rounds.
constexpr Round turns(Round n, Round i, Round stride) { return n / stride + (i < n % stride); }

class Recorder {
 public:
  /// Both outlive the recorder. Checkpoints increase.
  Recorder(const std::vector<double>& gaps, const std::vector<Round>& checkpoints)
      : gaps_(gaps), checkpoints_(checkpoints), pulls_(gaps.size(), 0) {
    regrets_.reserve(checkpoints.size());
  }

  /// The arm is played in rounds t..t+n-1.
  void hold(Arm arm, Round t, Round n) noexcept { rotate({&arm, 1}, t, n); }

  /// The arms are played in turn in rounds t..t+n-1.
  void rotate(std::span<const Arm> arms, Round t, Round n) noexcept {
    const Round last = t + n - 1;
    while (regrets_.size() < checkpoints_.size() && checkpoints_[regrets_.size()] <= last)
      [[unlikely]] {
        const Round partial = checkpoints_[regrets_.size()] - t + 1;
        add(arms, partial, +1);
        read();
        add(arms, partial, -1);
      }
    add(arms, n, +1);
  }

  const std::vector<double>& regrets() const noexcept { return regrets_; }
  const std::vector<Round>& pulls() const noexcept { return pulls_; }

 private:
  void add(std::span<const Arm> arms, Round n, Round sign) noexcept {
    if (arms.size() == 1) {
      pulls_[static_cast<std::size_t>(arms[0])] += sign * n;
      return;
    }
    const auto stride = static_cast<Round>(arms.size());
    for (std::size_t i = 0; i < arms.size(); ++i) {
      pulls_[static_cast<std::size_t>(arms[i])] += sign * turns(n, static_cast<Round>(i), stride);
    }
  }

  void read() noexcept {
    double regret = 0;
    for (std::size_t i = 0; i < pulls_.size(); ++i) {
      regret += static_cast<double>(pulls_[i]) * gaps_[i];
    }
    regrets_.push_back(regret);
  }

  const std::vector<double>& gaps_;
  const std::vector<Round>& checkpoints_;
  std::vector<Round> pulls_;
  std::vector<double> regrets_;
};

}  // namespace tacit::simulation
