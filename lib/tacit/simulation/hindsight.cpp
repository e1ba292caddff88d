#include "tacit/simulation/hindsight.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tacit/actions/choices.hpp"

namespace tacit::simulation {
namespace {

/// How many actions may be tried, and how many rounds of actions looked at: some seconds.
constexpr double kMostActions = 1e6;
constexpr double kMostLooks = 2e8;

constexpr int kFinerThanValues = Outcome::kFractionBits - actions::ActionSet::kValueBits;

}  // namespace

Hindsight::Hindsight(const problems::Playback& playback, int arms, Rounds rounds,
                     const actions::ActionSet* actions, const std::vector<Round>& checkpoints)
    : playback_(playback), arms_(arms), rounds_(rounds), actions_(actions) {
  for (const Round t : checkpoints) best_[t] = 0;
  if (rounds == Rounds::kArms) {
    seek_arms();
  } else if (rounds == Rounds::kSets && actions->linear() && actions->approximation().exact()) {
    seek_by_oracle();
  } else {
    seek_among(candidates());
  }
}

Hindsight::Reward Hindsight::reward(std::span<const Arm> action, Round t, Round n) const {
  if (rounds_ == Rounds::kArms) return playback_.sum(action[0], t, n).steps(Outcome::kFractionBits);
  Reward sum = 0;
  for (Round i = 0; i < n; ++i) sum += value(action, t + i);
  return sum;
}

double Hindsight::regret(Round t, Reward reward) const {
  return Sum::of_steps(best_.at(t) - reward, Outcome::kFractionBits).value();
}

double Hindsight::best_mean(Round t) const {
  return Sum::of_steps(best_.at(t), Outcome::kFractionBits).value() / static_cast<double>(t);
}

Hindsight::Reward Hindsight::value(std::span<const Arm> action, Round t) const {
  if (rounds_ == Rounds::kLists)
    return playback_.clicks(action, t) ? Reward{1} << Outcome::kFractionBits : 0;
  std::vector<double> outcomes;
  for (const Outcome& outcome : playback_.row(t)) outcomes.push_back(outcome.value());
  return Reward{actions_->value(action, outcomes)} << kFinerThanValues;
}

void Hindsight::seek_arms() {
  for (auto& [t, best] : best_) {
    best = reward(std::vector<Arm>{0}, 1, t);
    for (Arm arm = 1; arm < arms_; ++arm)
      best = std::max(best, reward(std::vector<Arm>{arm}, 1, t));
  }
}

/// Rewards are linear: the best for the means is the best in all.
void Hindsight::seek_by_oracle() {
  for (auto& [t, best] : best_) {
    std::vector<double> means;
    for (Arm arm = 0; arm < arms_; ++arm)
      means.push_back(playback_.sum(arm, 1, t).value() / static_cast<double>(t));
    best = reward(actions_->best_for(means), 1, t);
  }
}

void Hindsight::seek_among(const std::vector<std::vector<Arm>>& candidates) {
  for (const std::vector<Arm>& action : candidates) {
    Reward so_far = 0;
    Round played = 0;
    for (auto& [t, best] : best_) {
      so_far += reward(action, played + 1, t - played);
      played = t;
      best = &action == candidates.data() ? so_far : std::max(best, so_far);
    }
  }
}

/// All actions, where they can be tried; else one that is good, which proves nothing.
std::vector<std::vector<Arm>> Hindsight::candidates() {
  const double rows = static_cast<double>(best_.rbegin()->first);
  const auto most = static_cast<std::size_t>(std::min(kMostActions, kMostLooks / rows));
  std::vector<std::vector<Arm>> all;
  if (rounds_ == Rounds::kSets) {
    all = actions_->all(most);
  } else if (actions::choices(arms_, actions_->size()) <= static_cast<double>(most)) {
    actions::for_each_choice(arms_, actions_->size(), [&](std::span<const int> chosen) {
      all.emplace_back(chosen.begin(), chosen.end());
    });
  }
  if (!all.empty()) return all;
  proven_ = false;
  if (rounds_ == Rounds::kLists) return {greedy_list()};
  std::vector<double> means;
  const Round last = best_.rbegin()->first;
  for (Arm arm = 0; arm < arms_; ++arm)
    means.push_back(playback_.sum(arm, 1, last).value() / static_cast<double>(last));
  return {actions_->best_for(means)};
}

/// One item after the other, each the one that adds most clicks.
std::vector<Arm> Hindsight::greedy_list() const {
  const Round last = best_.rbegin()->first;
  std::vector<Arm> list;
  while (std::ssize(list) < actions_->size()) {
    Arm most = 0;
    Reward largest = -1;
    for (Arm arm = 0; arm < arms_; ++arm) {
      if (std::find(list.begin(), list.end(), arm) != list.end()) continue;
      list.push_back(arm);
      const Reward clicks = reward(list, 1, last);
      list.pop_back();
      if (clicks <= largest) continue;
      largest = clicks;
      most = arm;
    }
    list.push_back(most);
  }
  return list;
}

}  // namespace tacit::simulation
