// Regret where rounds are played back: against the best fixed action in hindsight, over as many rounds as were played.
//
// Every checkpoint has a best action of its own, so that a curve may fall. Rewards are exact integers: regret has the same bits
// whether rounds came one by one or in stretches.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/round.hpp"
#include "tacit/problems/playback.hpp"

namespace tacit::simulation {

class Hindsight {
 public:
  /// In units of 2^-62, as outcomes are.
  using Reward = Sum::Integer;
  enum class Rounds { kArms, kSets, kLists };

  /// `actions` is null for single arms; of lists only its size counts. All of it outlives this.
  Hindsight(const problems::Playback& playback, int arms, Rounds rounds,
            const actions::ActionSet* actions, const std::vector<Round>& checkpoints);

  /// Of an action that is played in rounds t..t+n-1.
  Reward reward(std::span<const Arm> action, Round t, Round n) const;
  /// Of the best fixed action over rounds 1..t, a checkpoint, over that of what was played.
  double regret(Round t, Reward reward) const;
  /// The mean reward of the best fixed action over rounds 1..t.
  double best_mean(Round t) const;
  /// That no action is better.
  bool proven() const noexcept { return proven_; }

 private:
  void seek_arms();
  void seek_by_oracle();
  void seek_among(const std::vector<std::vector<Arm>>& candidates);
  std::vector<std::vector<Arm>> candidates();
  std::vector<Arm> greedy_list() const;
  /// Of one round.
  Reward value(std::span<const Arm> action, Round t) const;

  const problems::Playback& playback_;
  int arms_;
  Rounds rounds_;
  const actions::ActionSet* actions_;
  std::map<Round, Reward> best_;  // at the checkpoints
  bool proven_ = true;
};

}  // namespace tacit::simulation
