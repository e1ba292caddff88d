// A counter an arm, of the kind that its noise says (privacy/counter_noise.hpp): a noisy prefix sum of the
// arm's own observations after each of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/refined_tree.hpp"
#include "tacit/estimators/tree_counter.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/ledger.hpp"
#include "tacit/privacy/signed_tree.hpp"
#include "tacit/privacy/toeplitz.hpp"

namespace tacit::estimators {

/// Running sums of one mechanism, one an arm: the part that signed trees and Toeplitz noise share.
template <class RunningSum>
class RunningSums {
 public:
  RunningSums(std::vector<RunningSum> sums, const privacy::Releases& releases)
      : releases_(releases), sums_(std::move(sums)), estimates_(sums_.size()) {}

  const Estimate& estimate(Arm arm) const noexcept {
    return estimates_[static_cast<std::size_t>(arm)];
  }
  bool learn(Arm arm, Round, const privacy::Secret<Sum>& outcome) {
    RunningSum& sum = sums_[static_cast<std::size_t>(arm)];
    Estimate& estimate = estimates_[static_cast<std::size_t>(arm)];
    estimate.sum = sum.add(outcome, releases_).value();
    releases_.show(arm, estimate.sum);
    estimate.n += 1;
    if constexpr (requires { sum.terms(); }) {
      estimate.noises = sum.terms();
    } else {
      estimate.noises = 1;
    }
    return true;
  }

 private:
  privacy::Releases releases_;
  std::vector<RunningSum> sums_;
  std::vector<Estimate> estimates_;
};

class Counter {
 public:
  using Input = Sum;
  static constexpr bool kChangesEveryRound = true;

  /// What a counter has to keep to: `share` is how far one round moves, in all arms' counters together, in
  /// L1 (trees) or squared L2 (Toeplitz); delta is used by Toeplitz noise only.
  struct Budget {
    double epsilon = 0;
    double delta = 0;
    double share = 1;
    privacy::Arithmetic arithmetic = privacy::Arithmetic::kIdealised;
  };

  Counter(int arms, const privacy::CounterNoise& shape, const Budget& budget,
          const privacy::Releases& releases)
      : arms_(arms),
        budget_(budget),
        shape_(shape),
        scale_(scale_of_a_term(shape, budget)),
        counters_(make(arms, shape, scale_, budget, releases)) {
    if (!shape.is_gaussian()) return;  // trees note their blocks
    releases.note_loss(privacy::kAllArms, 1, shape.horizon(), [this] {
      return correlated_loss(shape_.term_scale() * std::sqrt(budget_.share));
    });
  }

  /// The scale of a Laplace term, the deviation of a Gaussian one, within this budget.
  static double scale_of_a_term(const privacy::CounterNoise& shape, const Budget& budget) {
    if (!shape.is_gaussian()) return shape.term_scale() * budget.share / budget.epsilon;
    const double l2 = shape.term_scale() * std::sqrt(budget.share);
    return privacy::gaussian_sigma(budget.epsilon, budget.delta, l2);
  }

  int arms() const noexcept { return arms_; }
  const Estimate& estimate(Arm arm) const noexcept {
    return std::visit([arm](const auto& c) -> const Estimate& { return c.estimate(arm); },
                      counters_);
  }
  bool learn(Arm arm, Round n, const privacy::Secret<Sum>& outcome) {
    return std::visit([&](auto& c) { return c.learn(arm, n, outcome); }, counters_);
  }

  privacy::Guarantee guarantee(const privacy::Sensitivity& sensitivity,
                               const std::string& moves) const {
    if (!shape_.is_gaussian()) {
      return privacy::compose(privacy::Notion::kCentral, moves, shape_.levels(),
                              privacy::Laplace(scale_, budget_.arithmetic).loss(sensitivity));
    }
    return privacy::compose(privacy::Notion::kCentral, moves, 1,
                            correlated_loss(shape_.term_scale() * sensitivity.l2));
  }

 private:
  privacy::Loss correlated_loss(double l2) const {
    privacy::Loss loss = privacy::Gaussian(scale_, budget_.delta).loss({.l2 = l2});
    loss.mechanism = fmt::format(
        "correlated Gaussian noise (sigma {:.6g}, columns of length {:.4g})", scale_, l2);
    return loss;
  }

  using SignedTrees = RunningSums<privacy::SignedTreeSum>;
  using Toeplitz = RunningSums<privacy::ToeplitzSum>;
  using Counters = std::variant<TreeCounter, SignedTrees, RefinedTreeCounter, Toeplitz>;

  static Counters make(int arms, const privacy::CounterNoise& shape, double scale,
                       const Budget& budget, const privacy::Releases& releases) {
    using privacy::Counter;
    if (shape.is_gaussian()) {
      constexpr Round kLongest = Round{1} << 26;
      if (budget.arithmetic == privacy::Arithmetic::kExact) {
        throw InvalidParameter("", "counter", "toeplitz",
                               "has real weights and no exact noise; signed has");
      }
      if (shape.horizon() > kLongest) {
        throw InvalidParameter("", "counter", "toeplitz",
                               "keeps a number for every round; up to 2^26 of them");
      }
      std::vector<privacy::ToeplitzSum> sums;
      for (Arm arm = 0; arm < arms; ++arm) sums.emplace_back(scale, arm);
      return Toeplitz(std::move(sums), releases);
    }
    const privacy::Laplace noise(scale, budget.arithmetic);
    if (shape.kind() == Counter::kSigned) {
      std::vector<privacy::SignedTreeSum> sums;
      for (Arm arm = 0; arm < arms; ++arm) sums.emplace_back(shape, noise, arm);
      return SignedTrees(std::move(sums), releases);
    }
    if (shape.kind() == Counter::kRefined) return RefinedTreeCounter(arms, shape, noise, releases);
    return TreeCounter(arms, shape.horizon(), noise, releases, shape.arity());
  }

  int arms_;
  Budget budget_;
  privacy::CounterNoise shape_;
  double scale_;
  Counters counters_;
};

}  // namespace tacit::estimators
