// The shell of cascading bandits that see where the user stopped: show the K items with the largest
// indices, best first; the items up to the stop were examined, the last of them perhaps clicked.
//
// Which items were examined is the secret itself. Eyes says how it is opened, which only baselines and
// *_as_published recipes may do; Counter keeps an item's estimate, with or without noise. Every item
// starts from one free observation before the first round, as in Kveton et al. 2015.
//
// Cost per decision: one index an item, O(K log L) to choose, every round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {

template <class Eyes, class Counter, class Index>
class CascadeIndexPolicy {
 public:
  using Feedback = feedback::Cascade;
  using Input = Stop;
  static constexpr bool kStartsFromRawOutcomes = true;

  CascadeIndexPolicy(const std::shared_ptr<const actions::ActionSet>& actions, Counter counter,
                     Index index, const random::SimulationKey& key)
      : size_(actions->size()),
        oracle_(actions->oracle()),
        counter_(std::move(counter)),
        index_(std::move(index)),
        key_(key),
        scores_(static_cast<std::size_t>(actions->arms())),
        states_(scores_.size()) {}

  /// One outcome of every item.
  void learn_before_the_first_round(const privacy::SecretVector<Outcome>& outcomes) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      counter_.start(static_cast<Arm>(i), Eyes::open(outcomes[i]));
      states_[i] = index_.prepare(counter_.estimate(static_cast<Arm>(i)));
    }
  }

  SetDecision decide(Round t) {
    const indices::Clock clock = indices::clock_of(index_, t);
    for (std::size_t i = 0; i < states_.size(); ++i) scores_[i] = index_.value(states_[i], clock);
    oracle_->set_scores(scores_);
    const actions::ChosenSet choice = oracle_->choose(t, key_);
    list_.assign(choice.arms.begin(), choice.arms.end());
    rank(t);
    return {list_, list_, t};
  }

  void learn(const SetDecision& decision, const privacy::Secret<Stop>& stop) {
    const int position = Eyes::open(stop);
    const int examined = std::min(position + 1, static_cast<int>(decision.action.size()));
    for (int k = 0; k < examined; ++k) {
      const Arm item = decision.action[static_cast<std::size_t>(k)];
      counter_.add(item, k == position);
      states_[static_cast<std::size_t>(item)] = index_.prepare(counter_.estimate(item));
    }
  }

  privacy::Guarantee guarantee() const {
    return privacy::compose(privacy::Notion::kLocal, Feedback::moves(size_), 1,
                            Eyes::loss(Feedback::sensitivity(size_)));
  }

 private:
  /// By decreasing index, equal ones in random order.
  void rank(Round t) {
    auto draw = key_.at(random::Purpose::kTies, static_cast<std::uint64_t>(t), 1);
    for (std::size_t i = list_.size(); i > 1; --i) {
      std::swap(list_[i - 1],
                list_[static_cast<std::size_t>(random::uniform_index(draw, static_cast<int>(i)))]);
    }
    std::stable_sort(list_.begin(), list_.end(), [this](Arm a, Arm b) {
      return scores_[static_cast<std::size_t>(a)] > scores_[static_cast<std::size_t>(b)];
    });
  }

  int size_;
  std::unique_ptr<actions::Oracle> oracle_;
  Counter counter_;
  Index index_;
  random::SimulationKey key_;
  std::vector<double> scores_;
  std::vector<typename Index::State> states_;
  std::vector<Arm> list_;
};

}  // namespace tacit::policies
