// dp-exp3: EXP3 on noisy rewards, the private policy for adversarial outcomes.
//
// Tossou & Dimitrakakis 2017, "Achieving privacy in the adversarial multi-armed bandit"
// (DP-EXP3-Lap), discussed in Basu, Dimitrakakis & Tossou (arXiv:1905.12298); EXP3 is Auer, Cesa-Bianchi, Freund & Schapire 2002.
//   L1  gamma = min(1, sqrt(K ln K/((e-1) T))), weights 1, b = ln T/eps
//   L2  draw the arm from  p_j = (1-gamma) w_j/sum w + gamma/K
//   L3  the user reports  outcome + Lap(1/eps);  clip it to [-b, 1+b] and rescale to [0, 1]
//   L4  w_j *= exp(gamma x/(p_j K)) for the played arm
// Symbols: K -> arms.
// Departures: none.
// Privacy: one round is one report of one outcome; clipping and EXP3 come after it: eps, local (so
// central too).
// Cost per decision: O(arms), every round.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/laplace.hpp"

namespace tacit::policies::recipes {

struct DpExp3 {
  static constexpr Card kCard =
      local("dp-exp3", "DP-EXP3-Lap", "Tossou & Dimitrakakis 2017").needing_the_horizon();
  using Parameters = NoParameters;

  class Policy {
   public:
    using Feedback = feedback::Bandit;
    using Input = Outcome;

    Policy(int arms, Round horizon, double epsilon, privacy::Arithmetic arithmetic,
           const privacy::Releases& releases)
        : randomizer_(1 / epsilon, arithmetic),
          releases_(releases),
          margin_(std::log(static_cast<double>(horizon)) / epsilon),
          gamma_(std::min(1.0, std::sqrt(arms * std::log(arms) /
                                         ((std::numbers::e - 1) * static_cast<double>(horizon))))),
          decisions_(releases.key().stream(random::Purpose::kDecisions)),
          devices_(releases.key().stream(random::Purpose::kRounding)),
          log_weights_(static_cast<std::size_t>(arms), 0.0),
          weights_(static_cast<std::size_t>(arms), 1.0),
          total_(arms) {}  // L1

    Decision decide(Round t) noexcept {  // L2
      const auto arms = static_cast<int>(weights_.size());
      if (random::uniform_open(decisions_) < gamma_) {
        return {random::uniform_index(decisions_, arms), t};
      }
      double left = random::uniform_open(decisions_) * total_;
      Arm arm = 0;
      while (arm + 1 < arms && left >= weights_[static_cast<std::size_t>(arm)]) {
        left -= weights_[static_cast<std::size_t>(arm++)];
      }
      return {arm, t};
    }

    void learn(const Decision& decision, Round, const privacy::Secret<Outcome>& outcome) {
      const double report = randomizer_.report(outcome, devices_).value();
      releases_.show(decision.action, report);
      releases_.note_report(randomizer_, Feedback::sensitivity(1));
      const double gain =
          (std::clamp(report, -margin_, 1 + margin_) + margin_) / (1 + 2 * margin_);  // L3
      const auto arms = static_cast<double>(weights_.size());
      const auto played = static_cast<std::size_t>(decision.action);
      const double chance = (1 - gamma_) * weights_[played] / total_ + gamma_ / arms;
      log_weights_[played] += gamma_ * gain / (chance * arms);  // L4
      // Relative to the largest, so that neither end leaves the range of doubles for good.
      const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
      total_ = 0;
      for (std::size_t i = 0; i < weights_.size(); ++i) {
        weights_[i] = std::exp(log_weights_[i] - largest);
        total_ += weights_[i];
      }
    }

    privacy::Guarantee guarantee() const {
      return feedback::guarantee<Feedback>(privacy::Notion::kLocal,
                                           static_cast<int>(weights_.size()), 1, randomizer_);
    }

   private:
    privacy::Laplace randomizer_;
    privacy::Releases releases_;
    double margin_;
    double gamma_;
    random::SimulationStream decisions_;
    random::SimulationStream devices_;
    std::vector<double> log_weights_;
    std::vector<double> weights_;  // exp(log weight - the largest)
    double total_;
  };

  static Policy make(const Setting& s, const Parameters&) {
    return Policy(s.arms, s.horizon, required_epsilon(kCard.name, s), s.arithmetic, s.releases());
  }
};

}  // namespace tacit::policies::recipes
