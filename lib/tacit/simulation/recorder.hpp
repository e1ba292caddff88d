// Pseudo-regret of one run, read at checkpoints.
//
// Regret is  sum over arms of pulls x gap,  computed from integer pulls when it is read: the same
// bits whether rounds came one by one or in stretches. Between decisions regret is linear, so a
// checkpoint inside a stretch is read off without cutting the stretch.
#pragma once

#include <cstddef>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::simulation {

class Recorder {
 public:
  /// Both outlive the recorder. Checkpoints increase.
  Recorder(const std::vector<double>& gaps, const std::vector<Round>& checkpoints)
      : gaps_(gaps), checkpoints_(checkpoints), pulls_(gaps.size(), 0) {
    regrets_.reserve(checkpoints.size());
  }

  /// The arm is played in rounds t..t+n-1.
  void hold(Arm arm, Round t, Round n) noexcept {
    const Round last = t + n - 1;
    while (regrets_.size() < checkpoints_.size() && checkpoints_[regrets_.size()] <= last)
      [[unlikely]] { read(arm, checkpoints_[regrets_.size()] - t + 1); }
    pulls_[static_cast<std::size_t>(arm)] += n;
  }

  const std::vector<double>& regrets() const noexcept { return regrets_; }
  const std::vector<Round>& pulls() const noexcept { return pulls_; }

 private:
  void read(Arm arm, Round partial) noexcept {
    double regret = 0;
    for (std::size_t i = 0; i < pulls_.size(); ++i) {
      const Round pulls = pulls_[i] + (static_cast<Arm>(i) == arm ? partial : 0);
      regret += static_cast<double>(pulls) * gaps_[i];
    }
    regrets_.push_back(regret);
  }

  const std::vector<double>& gaps_;
  const std::vector<Round>& checkpoints_;
  std::vector<Round> pulls_;
  std::vector<double> regrets_;
};

}  // namespace tacit::simulation
