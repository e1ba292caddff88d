// cucb-ldp1, cucb-ldp2: combinatorial UCB on what the users' own devices report.
//
// Chen, Zheng, Zhou, Yang, Chen & Wang 2020, "(Locally) differentially private combinatorial
// semi-bandits", Algorithms 1 and 2.
//   L4  index_i = min(1, mean_i + radius(n_i))
//   L5  play S_t, the best set for the indices
//   L6  ldp1: the user reports every outcome of S_t, each + Lap(K/eps)
//       ldp2: the user reports one outcome, of the least observed arm of S_t, + Lap(1/eps)
//   L7  the reported arms' means are updated
//   radius=published   ldp1  4 sqrt(2 K ln T/(eps^2 n))     ldp2  4 sqrt(2 ln T/(eps^2 n))
//   radius=sound       2 sqrt(2 ln T/n) (1 + b),  b the scale of the noise; for n < ln T its noise part is
//                      at least  b sqrt 2 (ln T/n + ln 2)
// Symbols: m -> arms, K -> size of the action set.
// Departures: 1. arms not yet observed come first (the paper's initial means of 0 with an infinite
// radius say the same). 2. Negative indices go to the oracle as they are; the paper plays any set.
// 3. The published radii are too small: ldp1's noise has standard deviation sqrt 2 K/eps, so its
// root needs K^2; both leave out the outcomes' own spread when eps > 1. 4. Their sound twin adds the
// term for small n, where a sum of Laplace terms is not yet like a normal (indices/fixed_ucb.hpp).
// Privacy: ldp1: one round is one report of K outcomes, each moves by at most 1: L1 distance K, noise
// K/eps: eps, local. ldp2: which arm reports is chosen by the server from public counts; one report
// of one outcome, noise 1/eps: eps, local.
// Cost per decision: O(K log m) on top:K, since only observed arms' indices change.
// Bound: theory/combinatorial.hpp, chen-theorem-2 and chen-theorem-4 (finite, radius=sound).
#pragma once

#include <cmath>
#include <string>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

/// The index of both: a radius as printed, or one that covers the mean.
class LdpIndex {
 public:
  using State = double;
  static constexpr bool kConstantInTime = true;
  LdpIndex(bool published, double published_root, double scale, double log_horizon)
      : published_(published), printed_(published_root, 0), sound_(scale, log_horizon) {}

  State prepare(const estimators::Estimate& e) const noexcept {
    return published_ ? printed_.prepare(e) : sound_.prepare(e);
  }
  double value(State s, const indices::Clock&) const noexcept { return s; }

 private:
  bool published_;
  indices::FixedUcb printed_;
  indices::LaplaceReportsUcb sound_;
};

struct LdpRadius {
  bool as_published = false;
  template <class V>
  static void fields(V& v) {
    v.choice("radius", &LdpRadius::as_published, {{"sound", false}, {"published", true}},
             "covers the mean, or as printed in the paper (too small for its noise)");
  }
};

/// What both share; `share` is the L1 distance that one report can move.
struct CucbOnReports {
  using Parameters = LdpRadius;
  using Learner = IndexLearner<estimators::ReportBook, LdpIndex, actions::AnySet>;

  static Learner learner_on(const Setting& s, const LdpRadius& p, double epsilon, Record record,
                            double share, const random::Dice& dice) {
    const double log_horizon = std::log(static_cast<double>(s.horizon));
    return {*action_set(s),
            estimators::ReportBook(s.arms),  // L7
            LdpIndex(p.as_published, 32 * share * log_horizon / (epsilon * epsilon),
                     share / epsilon, log_horizon),  // L4
            record,
            s.pace,
            dice};
  }
};

struct CucbLdp1 : CucbOnReports {
  static constexpr Card kCard =
      local("cucb-ldp1", "CUCB-LDP1: every outcome reported", "Chen et al. 2020, Alg. 1")
          .with_semi_bandit_feedback()
          .needing_the_horizon();
  static curators::LaplaceReportPlan plan(const Setting& s, const Parameters&) {
    return {action_set(s)->size() / required_epsilon(kCard.name, s)};  // L6
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return learner_on(s, p, required_epsilon(kCard.name, s), Record::kAll, action_set(s)->size(),
                      dice);
  }
};

struct CucbLdp2 : CucbOnReports {
  static constexpr Card kCard =
      local("cucb-ldp2", "CUCB-LDP2: the least observed arm reports", "Chen et al. 2020, Alg. 2")
          .with_semi_bandit_feedback()
          .needing_the_horizon();
  static curators::LaplaceReportPlan plan(const Setting& s, const Parameters&) {
    return {1 / required_epsilon(kCard.name, s)};  // L6
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    return learner_on(s, p, required_epsilon(kCard.name, s), Record::kWeakest, 1, dice);
  }
};

}  // namespace tacit::policies::recipes
