// The shell of the follow-the-noisy-leader family (full information): epochs of 1, 2, 4, ...
// rounds, in each of which the action that a selector picked from the last epoch's secret sums is
// played.
//
// Privacy: one round enters the sums of one epoch, from which one selection is made:
// participation 1. Cost: one decision an epoch.
#pragma once

#include <cstddef>
#include <utility>

#include "tacit/core/sum.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/noisy_max.hpp"

namespace tacit::policies {

/// Releases every sum with Laplace noise, then takes the largest: pays for all of them.
class NoisySums {
 public:
  explicit NoisySums(privacy::Laplace noise) : noise_(noise) {}
  privacy::Loss loss(const privacy::Sensitivity& s) const { return noise_.loss(s); }

  template <class G>
  Arm choose(const privacy::SecretVector<Sum>& sums, G& generator) const {
    Arm best = 0;
    double largest = noise_.release(sums[0], generator).value();
    for (std::size_t i = 1; i < sums.size(); ++i) {
      const double released = noise_.release(sums[i], generator).value();
      if (released > largest) {
        largest = released;
        best = static_cast<Arm>(i);
      }
    }
    return best;
  }

 private:
  privacy::Laplace noise_;
};

/// Releases the position of the largest noisy sum only.
class NoisyLeader {
 public:
  explicit NoisyLeader(privacy::NoisyMax mechanism) : mechanism_(mechanism) {}
  privacy::Loss loss(const privacy::Sensitivity& s) const { return mechanism_.loss(s); }

  template <class G>
  Arm choose(const privacy::SecretVector<Sum>& sums, G& generator) const {
    return mechanism_.select(sums, generator).value();
  }

 private:
  privacy::NoisyMax mechanism_;
};

template <class Selector>
class EpochLeaderPolicy {
 public:
  using Feedback = feedback::FullInformation;

  EpochLeaderPolicy(int arms, Selector selector, Pace pace, const privacy::Releases& releases)
      : selector_(std::move(selector)),
        pace_(pace),
        releases_(releases),
        sums_(static_cast<std::size_t>(arms)) {}

  Decision decide(Round t) const noexcept {
    return {leader_, pace_ == Pace::kPlain ? t : t + left_ - 1};
  }

  void learn(const Decision&, Round n, const privacy::SecretVector<Sum>& sums) {
    sums_ += sums;
    left_ -= n;
    if (left_ > 0) return;
    auto generator = releases_.noise(static_cast<std::uint64_t>(epoch_));
    leader_ = selector_.choose(sums_, generator);
    releases_.show(privacy::kAllArms, leader_);
    const Round first = Round{1} << epoch_;  // epochs last 1, 2, 4, ... rounds
    releases_.note_all(selector_, Feedback::sensitivity(static_cast<int>(sums_.size())), first,
                       2 * first - 1);
    sums_.clear();
    ++epoch_;
    left_ = Round{1} << epoch_;
  }

  privacy::Guarantee guarantee() const {
    return feedback::guarantee<Feedback>(privacy::Notion::kCentral, static_cast<int>(sums_.size()),
                                         1, selector_);
  }

 private:
  Selector selector_;
  Pace pace_;
  privacy::Releases releases_;
  privacy::SecretVector<Sum> sums_;
  Arm leader_ = 0;  // the paper's first action
  int epoch_ = 0;
  Round left_ = 1;
};

}  // namespace tacit::policies
