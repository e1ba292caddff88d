// cascade-dp-hybrid-as-published, cascade-ldp-laplace-as-published, cascade-ldp-gaussian-as-published,
// cascade-ldp-composed-as-published: what "Cascading bandit under differential privacy" (Wang, Dong,
// Wang, Li & Shao) prints, kept to show what it leaks.
//
//   L1  observe w_0: one outcome of every item, used as it is; n_e = 1
//   L2  show the K items with the largest  mean_e + sqrt(1.5 ln t/n_e) + bonus
//   L3  the user stops at position C; the items up to C are updated, and only they:
//                    noise on an observation                        bonus
//       hybrid       a hybrid counter an item, eps/L each           3 c1 L ln^1.5(n_e) ln t/(eps n_e)
//       laplace      Lap(K/eps)                                     (K/eps) sqrt(24 ln t/n_e)
//       gaussian     N(0, sigma^2), sigma^2 = 2 K ln(1.25/delta)/eps^2   sigma sqrt(2 ln(2 t^3)/n_e)
//       composed     Lap(sqrt(4 K ln(e + eps/delta))/eps)           (4/eps) sqrt(6 K ln(e + eps/delta) ln t/n_e)
// Algorithms 1, 2, 3 and Theorem 8. The experiments of the paper multiply the noise by 0.01:
// noise_multiplier, 1 unless given, which is shown with the run.
// Departures: 1. "K hybrid mechanisms" is a slip for L, one an item; n in the bonus is the item's count,
// as its proof needs.
// Privacy: none, in all four. How many items are updated is the stop position itself, un-noised: whoever
// sees the counts n_e, or the later lists, reads it off. The user behind w_0 is not protected at all.
// Cost per decision: one index an item, every round.
// Bound: theory/cascade.hpp, wang-theorem-4, -6 and -8 (finite); wang-theorem-2, an order.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

#include "tacit/estimators/hybrid_counter.hpp"
#include "tacit/indices/clock.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/cascade_index_policy.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/privacy/gaussian.hpp"
#include "tacit/privacy/laplace.hpp"

namespace tacit::policies::recipes {

/// Sees stops and first outcomes as they are, which is what these policies get wrong.
struct LeakingEyes {
  static privacy::Loss loss(const privacy::Sensitivity& s) { return privacy::Exact::loss(s); }
  static int open(const privacy::Secret<Stop>& stop) {
    return privacy::declassify(stop).value().position;
  }
  static double open(const privacy::Secret<Outcome>& outcome) {
    return privacy::declassify(outcome).value().value();
  }
};

/// Adds noise to every observation of an item that was, in the clear, examined.
class NoisyItemCounts {
 public:
  NoisyItemCounts(int items, std::variant<privacy::Laplace, privacy::Gaussian> noise,
                  const privacy::Releases& releases)
      : noise_(noise),
        releases_(releases),
        devices_(releases.key().stream(random::Purpose::kRounding)),
        items_(static_cast<std::size_t>(items)) {}

  void start(Arm item, double outcome) { items_[static_cast<std::size_t>(item)] = {outcome, 1, 0}; }
  void add(Arm item, bool clicked) {
    estimators::Estimate& e = items_[static_cast<std::size_t>(item)];
    const privacy::Secret<Outcome> outcome(Outcome::bit(clicked));
    const double report = std::visit(
        [&](const auto& noise) { return noise.report(outcome, devices_).value(); }, noise_);
    releases_.show(item, report);
    std::visit([&](const auto& noise) { releases_.note_report(noise, privacy::kOneOutcome); },
               noise_);
    e.sum += report;
    e.n += 1;
  }
  const estimators::Estimate& estimate(Arm item) const {
    return items_[static_cast<std::size_t>(item)];
  }

 private:
  std::variant<privacy::Laplace, privacy::Gaussian> noise_;
  privacy::Releases releases_;
  random::SimulationStream devices_;
  std::vector<estimators::Estimate> items_;
};

/// A hybrid counter an item, which runs when the item was, in the clear, examined; on top of w_0.
class HybridItemCounts {
 public:
  HybridItemCounts(int items, double scale, const Setting& s)
      : counter_(items, scale, s.releases(), s.arithmetic),
        items_(static_cast<std::size_t>(items)) {}

  void start(Arm item, double outcome) {
    items_[static_cast<std::size_t>(item)].first = outcome;
    refresh(item);
  }
  void add(Arm item, bool clicked) {
    counter_.learn(item, 1, privacy::Secret<Sum>(Sum(Outcome::bit(clicked))));
    refresh(item);
  }
  const estimators::Estimate& estimate(Arm item) const {
    return items_[static_cast<std::size_t>(item)].estimate;
  }

 private:
  struct Item {
    double first = 0;
    estimators::Estimate estimate;
  };
  void refresh(Arm item) {
    Item& i = items_[static_cast<std::size_t>(item)];
    const estimators::Estimate& later = counter_.estimate(item);
    i.estimate = {i.first + later.sum, 1 + later.n, later.noises};
  }
  estimators::HybridCounter counter_;
  std::vector<Item> items_;
};

/// mean + sqrt(1.5 ln t/n) + sqrt(root ln t + constant)/sqrt n + linear ln^1.5(n) ln t/n.
class PrintedBonus {
 public:
  struct Shape {
    double root = 0;
    double constant = 0;
    double linear = 0;
  };
  struct State {
    double mean = 0;
    double inverse_n = 0;
    double linear = 0;
  };
  explicit PrintedBonus(Shape shape) : shape_(shape) {}
  State prepare(const estimators::Estimate& e) const noexcept {
    return {e.mean(), 1 / e.n, shape_.linear * std::pow(std::log(e.n), 1.5) / e.n};
  }
  double value(const State& s, const indices::Clock& clock) const noexcept {
    return s.mean + std::sqrt(1.5 * clock.log_t * s.inverse_n) +
           std::sqrt((shape_.root * clock.log_t + shape_.constant) * s.inverse_n) +
           s.linear * clock.log_t;
  }

 private:
  Shape shape_;
};

struct NoiseMultiplier {
  double noise_multiplier = 1;
  template <class V>
  static void fields(V& v) {
    v.real("noise_multiplier", &NoiseMultiplier::noise_multiplier, 0, 1e6,
           "factor on the noise; the paper's experiments use 0.01");
  }
};

constexpr Card leaking_local(const char* name, const char* title, const char* where, bool delta) {
  const Card card = local(name, title, where)
                        .with_cascade_feedback()
                        .promising({privacy::Notion::kLocal, 1, delta});
  return delta ? card.taking_delta() : card;
}

using NoisyCascadePolicy = CascadeIndexPolicy<LeakingEyes, NoisyItemCounts, PrintedBonus>;

struct CascadeLdpLaplaceAsPublished {
  static constexpr Card kCard =
      leaking_local("cascade-ldp-laplace-as-published", "Cascading-UCB-LDP, Laplace, as published",
                    "Wang et al. (Cascading bandit under DP), Alg. 2", false);
  using Parameters = NoiseMultiplier;
  static NoisyCascadePolicy make(const Setting& s, const Parameters& p) {
    const auto actions = action_set(s);
    const double scale = actions->size() / required_epsilon(kCard.name, s);
    return {actions,
            {s.arms, privacy::Laplace(p.noise_multiplier * scale, s.arithmetic), s.releases()},
            PrintedBonus({.root = 24 * scale * scale}),
            s.key};
  }
};

struct CascadeLdpGaussianAsPublished {
  static constexpr Card kCard = leaking_local(
      "cascade-ldp-gaussian-as-published", "Cascading-UCB-LDP, Gaussian, as published",
      "Wang et al. (Cascading bandit under DP), Alg. 3", true);
  using Parameters = NoiseMultiplier;
  static NoisyCascadePolicy make(const Setting& s, const Parameters& p) {
    const auto actions = action_set(s);
    const double delta = s.delta.value_or(kDefaultDelta);
    const double sigma =
        std::sqrt(2 * actions->size() * std::log(1.25 / delta)) / required_epsilon(kCard.name, s);
    // 2 ln(2 t^3) = 6 ln t + 2 ln 2.
    return {
        actions,
        {s.arms, privacy::Gaussian(p.noise_multiplier * sigma, delta, s.arithmetic), s.releases()},
        PrintedBonus(
            {.root = 6 * sigma * sigma, .constant = 2 * std::numbers::ln2 * sigma * sigma}),
        s.key};
  }
};

struct CascadeLdpComposedAsPublished {
  static constexpr Card kCard = leaking_local(
      "cascade-ldp-composed-as-published", "Cascading-UCB-LDP, composed, as published",
      "Wang et al. (Cascading bandit under DP), Thm 8", true);
  using Parameters = NoiseMultiplier;
  static NoisyCascadePolicy make(const Setting& s, const Parameters& p) {
    const auto actions = action_set(s);
    const double epsilon = required_epsilon(kCard.name, s);
    const double delta = s.delta.value_or(kDefaultDelta);
    const double spread = actions->size() * std::log(std::numbers::e + epsilon / delta);
    return {actions,
            {s.arms,
             privacy::Laplace(p.noise_multiplier * std::sqrt(4 * spread) / epsilon, s.arithmetic),
             s.releases()},
            PrintedBonus({.root = 96 * spread / (epsilon * epsilon)}),
            s.key};
  }
};

struct CascadeDpHybridAsPublished {
  static constexpr Card kCard =
      central("cascade-dp-hybrid-as-published", "Cascading-UCB-DP, hybrid counters, as published",
              "Wang et al. (Cascading bandit under DP), Alg. 1")
          .with_cascade_feedback();
  struct Parameters {
    double c1 = 1;                // constant of the bonus; > 0
    double noise_multiplier = 1;  // > 0
    template <class V>
    static void fields(V& v) {
      v.real("c1", &Parameters::c1, 0, 1e6, "the constant that the paper leaves open");
      v.real("noise_multiplier", &Parameters::noise_multiplier, 0, 1e6,
             "factor on the noise; the paper's experiments use 0.01");
    }
  };
  using Policy = CascadeIndexPolicy<LeakingEyes, HybridItemCounts, PrintedBonus>;
  static Policy make(const Setting& s, const Parameters& p) {
    const double share = s.arms / required_epsilon(kCard.name, s);
    return Policy(action_set(s), HybridItemCounts(s.arms, p.noise_multiplier * share, s),
                  PrintedBonus({.linear = 3 * p.c1 * share}), s.key);
  }
};

}  // namespace tacit::policies::recipes
