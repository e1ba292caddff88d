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
#include <limits>
#include <numbers>

#include "tacit/core/per_arm.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/choice.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies::recipes {

struct DpExp3 {
  static constexpr Card kCard =
      local("dp-exp3", "DP-EXP3-Lap", "Tossou & Dimitrakakis 2017").needing_the_horizon();
  using Parameters = NoParameters;

  class Learner {
   public:
    using Feedback = feedback::Bandit;

    Learner(int arms, Round horizon, double epsilon, const random::Dice& dice)
        : margin_(std::log(static_cast<double>(horizon)) / epsilon),
          gamma_(std::min(1.0, std::sqrt(arms * std::log(arms) /
                                         ((std::numbers::e - 1) * static_cast<double>(horizon))))),
          dice_(dice),
          log_weights_(arms, 0.0),
          weights_(arms, 1.0),
          sums_(arms, 0.0),
          n_(arms, 0) {
      weigh();
    }  // L1

    int recorded() const noexcept { return 1; }

    void choose(const Situation& situation, Choice& choice) {  // L2
      if (!situation.eligible.empty()) return draw_eligible(situation, choice);
      const Arm arm = draw();
      choice.one(arm, {arm, 0}, situation.t);
      choice.chance = chance(weights_[arm], total_, static_cast<double>(weights_.arms()));
    }

    /// With the chance that the choice had when it was made: answers may come late.
    void take(const Choice& choice, Values reports) {
      const double gain = (std::clamp(reports[0].value(), -margin_, 1 + margin_) + margin_) /
                          (1 + 2 * margin_);  // L3
      const auto arms = static_cast<double>(weights_.arms());
      log_weights_[choice.arm()] += gamma_ * gain / (choice.chance * arms);  // L4
      weigh();
      sums_[choice.arm()] += reports[0].value();
      ++n_[choice.arm()];
    }
    /// The reports, which the weights are made of.
    View show(Arm arm) const {
      return {sums_[arm], static_cast<double>(n_[arm]), static_cast<int>(n_[arm]), 0};
    }

    template <class Archive>
    void state(Archive& archive) {
      archive(log_weights_, sums_, n_, dice_);
      weigh();
    }

   private:
    Arm draw() {
      const int arms = weights_.arms();
      if (random::uniform_open(dice_.decisions()) < gamma_) {
        return random::uniform_index(dice_.decisions(), arms);
      }
      double left = random::uniform_open(dice_.decisions()) * total_;
      Arm arm = 0;
      while (arm + 1 < arms && left >= weights_[arm]) left -= weights_[arm++];
      return arm;
    }
    /// Among eligible arms, weighed relative to the largest of them: relative to all, every one may be 0.
    void draw_eligible(const Situation& situation, Choice& choice) {
      const auto& arms = situation.eligible;
      double largest = -std::numeric_limits<double>::infinity();
      for (const Arm arm : arms) largest = std::max(largest, log_weights_[arm]);
      const auto weight = [&](std::size_t i) { return std::exp(log_weights_[arms[i]] - largest); };
      double total = 0;
      for (std::size_t i = 0; i < arms.size(); ++i) total += weight(i);
      std::size_t drawn = 0;
      if (random::uniform_open(dice_.decisions()) < gamma_) {
        drawn = static_cast<std::size_t>(
            random::uniform_index(dice_.decisions(), static_cast<int>(arms.size())));
      } else {
        double left = random::uniform_open(dice_.decisions()) * total;
        while (drawn + 1 < arms.size() && left >= weight(drawn)) left -= weight(drawn++);
      }
      choice.one(arms[drawn], {arms[drawn], 0}, situation.t);
      choice.chance = chance(weight(drawn), total, static_cast<double>(arms.size()));
    }
    double chance(double weight, double total, double arms) const {
      return (1 - gamma_) * weight / total + gamma_ / arms;
    }
    /// Relative to the largest, so that neither end leaves the range of doubles for good.
    void weigh() {
      const double largest = *std::max_element(log_weights_.begin(), log_weights_.end());
      total_ = 0;
      for (Arm arm = 0; arm < weights_.arms(); ++arm) {
        weights_[arm] = std::exp(log_weights_[arm] - largest);
        total_ += weights_[arm];
      }
    }

    double margin_;
    double gamma_;
    random::Dice dice_;
    PerArm<double> log_weights_;
    PerArm<double> weights_;  // exp(log weight - the largest)
    double total_ = 0;
    PerArm<double> sums_;  // of reports, to be shown
    PerArm<Round> n_;
  };

  static curators::LaplaceReportPlan plan(const Setting& s, const Parameters&) {
    return {1 / required_epsilon(kCard.name, s)};  // L3
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    return Learner(s.arms, s.horizon, required_epsilon(kCard.name, s), dice);
  }
};

}  // namespace tacit::policies::recipes
