// dp-se: successive elimination. All surviving arms are played equally often; at the end of an epoch
// noisy means are compared and clearly worse arms dropped. Of optimal order; needs T.
//
// Sajed & Sheffet 2019, "An optimal private stochastic-MAB algorithm based on an optimal private
// stopping rule", Alg. 2.
//   L1  epoch e = 1, 2, ... with D = 2^-e and S surviving arms
//   L2  R = ceil(max(32 ln(8 S e^2/beta)/D^2, 8 ln(4 S e^2/beta)/(eps D)) + 1) fresh pulls of every
//       survivor, in turn
//   L3  mean_j = mean of those + Lap(1/(eps R))
//   L4  h = sqrt(ln(8 S e^2/beta)/(2R)), c = ln(4 S e^2/beta)/(R eps); drop arms more than 2h + 2c
//       below the best
//   L5  the last survivor is played to the end
// Symbols: beta -> failure probability, 1/T unless given.
// Departures: none.
// Privacy: one round enters one epoch's sum of one arm, which is released once: eps.
// Cost: one decision an epoch.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/decision.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/laplace.hpp"

namespace tacit::policies::recipes {

struct DpSe {
  static constexpr Card kCard =
      central("dp-se", "DP successive elimination", "Sajed & Sheffet 2019").needing_the_horizon();
  struct Parameters {
    std::optional<double> beta;  // failure probability in (0, 1); 1/T unless given
    template <class V>
    static void fields(V& v) {
      v.real("beta", &Parameters::beta, 0, 1, "1/horizon", "failure probability");
    }
  };

  class Policy {
   public:
    using Feedback = feedback::Bandit;
    using Input = Sum;

    Policy(int arms, double epsilon, double beta, privacy::Arithmetic arithmetic, Pace pace,
           const privacy::Releases& releases)
        : epsilon_(epsilon),
          beta_(beta),
          noise_(1 / epsilon, arithmetic),
          pace_(pace),
          releases_(releases),
          survivors_(static_cast<std::size_t>(arms)),
          sums_(static_cast<std::size_t>(arms)) {
      std::iota(survivors_.begin(), survivors_.end(), 0);
      begin_epoch();
    }

    RotatingDecision decide(Round t) {
      // Here rather than in learn(): the decision being learned from points into survivors_.
      if (done_ == rounds_) {
        eliminate();
        begin_epoch();
      }
      if (pace_ == Pace::kPlain) {
        return {{&survivors_[static_cast<std::size_t>(done_) % survivors_.size()], 1}, t};
      }
      if (survivors_.size() == 1) return {survivors_, kLastRound};  // L5
      return {survivors_, t + std::min(rounds_ - done_, kLastRound) - 1};
    }

    void learn(Arm arm, Round n, const privacy::Secret<Sum>& sum) noexcept {
      if (survivors_.size() == 1) return;
      sums_.add_at(static_cast<std::size_t>(arm), sum);
      done_ += n;
    }

    privacy::Guarantee guarantee() const {
      return feedback::guarantee<Feedback>(privacy::Notion::kCentral,
                                           static_cast<int>(sums_.size()), 1, noise_);
    }

   private:
    double log_over_beta(double factor) const {
      return std::log(factor * static_cast<double>(survivors_.size()) * epoch_ * epoch_ / beta_);
    }

    void begin_epoch() noexcept {  // L1, L2
      ++epoch_;
      const double gap = std::ldexp(1.0, -epoch_);
      const double needed =
          std::max(32 * log_over_beta(8) / (gap * gap), 8 * log_over_beta(4) / (epsilon_ * gap));
      const auto survivors = static_cast<double>(survivors_.size());
      // An epoch longer than any horizon never ends.
      pulls_ = std::min(std::ceil(needed + 1), std::floor(0x1p60 / survivors));
      rounds_ = static_cast<Round>(pulls_ * survivors);
      done_ = 0;
    }

    void eliminate() {
      std::vector<double> means;
      for (const Arm arm : survivors_) {  // L3: Lap(1/eps) on the sum
        const auto a = static_cast<std::size_t>(arm);
        auto generator = releases_.noise(a, static_cast<std::uint64_t>(epoch_));
        const double released = noise_.release(sums_[a], generator).value();
        releases_.show(arm, released);
        means.push_back(released / pulls_);
        releases_.note(noise_, arm, pulled_ + 1, pulled_ + static_cast<Round>(pulls_));
      }
      pulled_ += static_cast<Round>(pulls_);
      sums_.clear();
      const double h = std::sqrt(log_over_beta(8) / (2 * pulls_));  // L4
      const double c = log_over_beta(4) / (pulls_ * epsilon_);
      const double floor = *std::max_element(means.begin(), means.end()) - 2 * h - 2 * c;
      std::vector<Arm> kept;
      for (std::size_t i = 0; i < means.size(); ++i) {
        if (means[i] >= floor) kept.push_back(survivors_[i]);
      }
      survivors_ = std::move(kept);
    }

    double epsilon_;
    double beta_;
    privacy::Laplace noise_;
    Pace pace_;
    privacy::Releases releases_;
    std::vector<Arm> survivors_;
    privacy::SecretVector<Sum> sums_;
    int epoch_ = 0;
    double pulls_ = 0;  // R: of each survivor in this epoch
    Round pulled_ = 0;  // of each survivor in earlier epochs
    Round rounds_ = 0;  // of this epoch
    Round done_ = 0;    // of this epoch
  };

  static Policy make(const Setting& s, const Parameters& p) {
    const double beta = p.beta.value_or(1 / static_cast<double>(s.horizon));
    return Policy(s.arms, required_epsilon(kCard.name, s), beta, s.arithmetic, s.pace,
                  s.releases());
  }
};

}  // namespace tacit::policies::recipes
