// Pseudo-regret of one run, read at checkpoints. Between decisions regret is linear, so that a checkpoint inside a
// stretch is read off without cutting the stretch; and it is computed from integers, so that it has the same bits
// whether rounds came one by one or in stretches.
//
// Two rules, where rounds are drawn (of those that are played back: hindsight.hpp). Of single arms: the sum over arms of pulls x gap. Of sets: the gap of an action to the benchmark is an
// exact integer (actions/action_set.hpp), and so is its sum; no memory of the actions played.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/simulation/hindsight.hpp"

namespace tacit::simulation {

class PullsTimesGap {
 public:
  /// The gaps outlive it.
  explicit PullsTimesGap(const std::vector<double>& gaps)
      : gaps_(gaps), pulls_(static_cast<int>(gaps.size()), 0) {}

  void play(std::span<const Arm> action, Round n) noexcept { pulls_[action[0]] += n; }
  /// As if the action had been played for n more rounds.
  double regret_after(std::span<const Arm> action, Round n) noexcept {
    play(action, n);
    double regret = 0;
    for (Arm arm = 0; arm < pulls_.arms(); ++arm) {
      regret += static_cast<double>(pulls_[arm]) * gaps_[static_cast<std::size_t>(arm)];
    }
    play(action, -n);
    return regret;
  }
  const PerArm<Round>& pulls() const noexcept { return pulls_; }

 private:
  const std::vector<double>& gaps_;
  PerArm<Round> pulls_;
};

/// The expected reward of an action, in units of ActionSet.
using ValueOfAction = std::function<std::int64_t(std::span<const Arm>)>;

class ValueOfSets {
 public:
  /// The value of an action is a function of it.
  ValueOfSets(ValueOfAction value, std::int64_t benchmark, int arms)
      : value_(std::move(value)), benchmark_(benchmark), pulls_(arms, 0) {}
  /// The value of an action is the sum of its arms' values.
  ValueOfSets(PerArm<std::int64_t> of_arms, std::int64_t benchmark)
      : of_arms_(std::move(of_arms)), benchmark_(benchmark), pulls_(of_arms_.arms(), 0) {}

  void play(std::span<const Arm> action, Round n) {
    regret_ += (benchmark_ - value(action)) * n;
    for (const Arm arm : action) pulls_[arm] += n;
  }
  double regret_after(std::span<const Arm> action, Round n) {
    return std::ldexp(static_cast<double>(regret_ + (benchmark_ - value(action)) * n),
                      -actions::ActionSet::kValueBits);
  }
  const PerArm<Round>& pulls() const noexcept { return pulls_; }

 private:
  __extension__ using Wide = __int128;

  std::int64_t value(std::span<const Arm> action) {
    if (!value_) {
      std::int64_t sum = 0;
      for (const Arm arm : action) sum += of_arms_[arm];
      return sum;
    }
    // Policies settle: the action is mostly the last one.
    if (!std::equal(action.begin(), action.end(), last_.begin(), last_.end())) {
      last_value_ = value_(action);
      last_.assign(action.begin(), action.end());
    }
    return last_value_;
  }

  ValueOfAction value_;           // none: it is the sum of
  PerArm<std::int64_t> of_arms_;  // these
  std::vector<Arm> last_;
  std::int64_t last_value_ = 0;
  Wide benchmark_;
  Wide regret_ = 0;
  PerArm<Round> pulls_;
};

template <class Rule>
class Recorder {
 public:
  /// The checkpoints outlive the recorder, and increase. With `hindsight` regret is against the best fixed action of
  /// rounds that are played back, and the rule only counts pulls.
  Recorder(Rule rule, const std::vector<Round>& checkpoints, const Hindsight* hindsight = nullptr)
      : rule_(std::move(rule)), checkpoints_(checkpoints), hindsight_(hindsight) {
    regrets_.reserve(checkpoints.size());
  }

  /// The action is played in rounds t..t+n-1.
  void hold(std::span<const Arm> action, Round t, Round n) {
    const Round last = t + n - 1;
    while (regrets_.size() < checkpoints_.size() && checkpoints_[regrets_.size()] <= last)
      [[unlikely]] { regrets_.push_back(regret_at(checkpoints_[regrets_.size()], action, t)); }
    if (hindsight_ != nullptr) [[unlikely]]
      reward_ += hindsight_->reward(action, t, n);
    rule_.play(action, n);
  }

  const std::vector<double>& regrets() const noexcept { return regrets_; }
  std::vector<Round> pulls() const { return {rule_.pulls().begin(), rule_.pulls().end()}; }

 private:
  /// The action is played from round t on.
  double regret_at(Round checkpoint, std::span<const Arm> action, Round t) {
    const Round n = checkpoint - t + 1;
    if (hindsight_ == nullptr) return rule_.regret_after(action, n);
    return hindsight_->regret(checkpoint, reward_ + hindsight_->reward(action, t, n));
  }

  Rule rule_;
  const std::vector<Round>& checkpoints_;
  const Hindsight* hindsight_;
  Hindsight::Reward reward_ = 0;
  std::vector<double> regrets_;
};

/// Of single arms, or of sets.
using AnyRecorder = std::variant<Recorder<PullsTimesGap>*, Recorder<ValueOfSets>*>;

}  // namespace tacit::simulation
