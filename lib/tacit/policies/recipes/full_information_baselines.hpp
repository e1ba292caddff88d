// ftl, hedge-decreasing: the full-information baselines. Not private.
//
// ftl: play the action with the largest sum so far (Kotlowski 2018).
// hedge-decreasing: play action j with probability proportional to exp(eta_t S_j),
// eta_t = 2 sqrt(ln K/t), S_j its sum before round t (Mourtada & Gaiffas 2019). One sampled action a
// round, as in Hu et al. (arXiv:2102.07929).
// Departures: none.
// Cost per decision: O(K), every round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tacit/actions/single.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/exact.hpp"

namespace tacit::policies::recipes {

/// The exact sums of all actions, known after every round.
class ExactSums {
 public:
  explicit ExactSums(int arms) : sums_(static_cast<std::size_t>(arms), 0.0) {}
  const std::vector<double>& values() const noexcept { return sums_; }
  void learn(const privacy::SecretVector<Sum>& round) noexcept {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      sums_[i] += privacy::Exact::release(round[i]).value();
    }
  }
  privacy::Guarantee guarantee() const {
    return feedback::guarantee<feedback::FullInformation>(
        privacy::Notion::kCentral, static_cast<int>(sums_.size()), 1, privacy::Exact());
  }

 private:
  std::vector<double> sums_;
};

struct Ftl {
  static constexpr Card kCard =
      baseline("ftl", "Follow the leader", "Kotlowski 2018").with_full_information();
  using Parameters = NoParameters;

  class Policy {
   public:
    using Feedback = feedback::FullInformation;
    Policy(int arms, const random::SimulationKey& key) : sums_(arms), key_(key) {}
    Decision decide(Round t) const noexcept {
      return {actions::largest(sums_.values(), t, key_).arm, t};
    }
    void learn(const Decision&, Round, const privacy::SecretVector<Sum>& round) noexcept {
      sums_.learn(round);
    }
    privacy::Guarantee guarantee() const { return sums_.guarantee(); }

   private:
    ExactSums sums_;
    random::SimulationKey key_;
  };

  static Policy make(const Setting& s, const Parameters&) { return Policy(s.arms, s.key); }
};

struct HedgeDecreasing {
  static constexpr Card kCard =
      baseline("hedge-decreasing", "Decreasing Hedge", "Mourtada & Gaiffas 2019")
          .with_full_information();
  using Parameters = NoParameters;

  class Policy {
   public:
    using Feedback = feedback::FullInformation;
    Policy(int arms, const random::SimulationKey& key)
        : sums_(arms),
          decisions_(key.stream(random::Purpose::kDecisions)),
          scores_(static_cast<std::size_t>(arms)) {}

    Decision decide(Round t) noexcept {
      const auto arms = static_cast<double>(scores_.size());
      const double rate = 2 * std::sqrt(std::log(arms) / static_cast<double>(t));
      // The largest of rate S_j + Gumbel noise has exactly these probabilities.
      for (std::size_t i = 0; i < scores_.size(); ++i) {
        scores_[i] = rate * sums_.values()[i] + random::gumbel(decisions_, 1);
      }
      const auto best = std::max_element(scores_.begin(), scores_.end());
      return {static_cast<Arm>(best - scores_.begin()), t};
    }
    void learn(const Decision&, Round, const privacy::SecretVector<Sum>& round) noexcept {
      sums_.learn(round);
    }
    privacy::Guarantee guarantee() const { return sums_.guarantee(); }

   private:
    ExactSums sums_;
    random::SimulationStream decisions_;
    std::vector<double> scores_;
  };

  static Policy make(const Setting& s, const Parameters&) { return Policy(s.arms, s.key); }
};

}  // namespace tacit::policies::recipes
