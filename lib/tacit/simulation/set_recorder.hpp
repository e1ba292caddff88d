// Pseudo-regret of one run on sets, read at checkpoints.
//
// The gap of an action to the benchmark is an exact integer (actions/action_set.hpp), and so is
// regret: the same bits whether rounds came one by one or in stretches, and no memory of the actions
// played.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/round.hpp"

namespace tacit::simulation {

/// The expected reward of an action, in units of ActionSet.
using ValueOfAction = std::function<std::int64_t(std::span<const Arm>)>;

class SetRecorder {
 public:
  /// The checkpoints outlive the recorder, and increase.
  SetRecorder(ValueOfAction value, std::int64_t benchmark, int arms,
              const std::vector<Round>& checkpoints)
      : value_(std::move(value)),
        benchmark_(benchmark),
        checkpoints_(checkpoints),
        pulls_(static_cast<std::size_t>(arms), 0) {
    regrets_.reserve(checkpoints.size());
  }

  /// The set is played in rounds t..t+n-1.
  void hold(std::span<const Arm> action, Round t, Round n) {
    const Wide gap = benchmark_ - value_(action);
    const Round last = t + n - 1;
    while (regrets_.size() < checkpoints_.size() && checkpoints_[regrets_.size()] <= last) {
      const Round partial = checkpoints_[regrets_.size()] - t + 1;
      regrets_.push_back(std::ldexp(static_cast<double>(regret_ + gap * partial),
                                    -actions::ActionSet::kValueBits));
    }
    regret_ += gap * n;
    for (const Arm arm : action) pulls_[static_cast<std::size_t>(arm)] += n;
  }

  const std::vector<double>& regrets() const noexcept { return regrets_; }
  const std::vector<Round>& pulls() const noexcept { return pulls_; }

 private:
  __extension__ using Wide = __int128;
  ValueOfAction value_;
  Wide benchmark_;
  const std::vector<Round>& checkpoints_;
  Wide regret_ = 0;
  std::vector<Round> pulls_;
  std::vector<double> regrets_;
};

}  // namespace tacit::simulation
