// cascade-ldp, cascade-ldp-stop: ranked lists with local privacy. Ours.
//
//   cascade-ldp
//   L0  warm-up: lists of the items with the fewest reports, until each has warm_up/(p-q)^2 of them
//   L1  the list is the best by estimated means, with the most promising of the items with the
//       largest indices put in (leader_plus_one_learner.hpp); the item with the fewest reports is shown
//       first
//   L2  the user reports whether the first item was clicked, by randomised response: true with
//       probability p = e^eps/(1 + e^eps)
//   L3  index_e = max x: n_e kl(mean_e, x) <= ln(K t) + ln ln(K t)  on the bits as reported, whose mean
//       q + (p-q) w grows with the attraction w, q = 1 - p: the order of items does not need debiasing
//   cascade-ldp-stop
//   L1  show the K items with the largest indices, the one shown least often first
//   L2  the user reports where they stopped, one of K + 1 answers, by K+1-ary randomised response or
//       optimised unary encoding, whichever has the smaller variance (privacy/stop_response.hpp)
//   L3  debiased clicks and examinations; index by Bernstein at level ln t + 3 ln ln t
//       (indices/stop_index.hpp)
// Why the first position wins: its click needs one bit, whose noise does not grow with K. A report of the
// stop spreads the same epsilon over K + 1 answers, and what it tells of an item is blurred by all
// positions before it.
// Why the warm-up: with a report or two an item, luck decides who is ranked, and a run that begins badly
// pays for it many times over. Where one item attracts everybody (eps = 1, 20 items) the largest of a
// thousand regrets is 18 times the median without it and at most 4 with it; there the median is what
// pays for it (14 to 90), elsewhere it costs a few per cent.
// Departures from Wang et al. ("Cascading bandit under DP", Algs. 2, 3): theirs report the observed items
// only, so that the number of reports is the stop position itself, and start from raw outcomes.
// Privacy: one user, one report of one bit (or of one of K + 1 answers) by a mechanism of cost eps; who is
// shown first follows from public counts: eps, local, delta 0.
// Radius: P(index < mean) <= 1/(K t ln(K t)) at fixed counts by Chernoff: one part for each of the K best items,
// and one for the counts at which an item may be left behind, for it stays where it fell. With ln t alone one run
// in some hundred loses one of 16 items for tens of thousands of rounds, with ln(K t) one in two thousand one of 8.
// For stops 1/t by Bernstein.
// Cost per decision: one index an item, every round.
#pragma once

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/leader_plus_one_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/policies/stop_report_learner.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CascadeLdp {
  static constexpr Card kCard =
      local("cascade-ldp", "Cascades by the first position, reported", "tacit")
          .with_cascade_feedback();
  struct Parameters {
    double warm_up = 1.5;  // reports an item, in units of 1/(p-q)^2; > 0
    template <class V>
    static void fields(V& v) {
      v.real("warm_up", &Parameters::warm_up, 0, 1e6,
             "reports of each item before items are ranked, in units of 1/(p-q)^2; 1e-9 for none");
    }
  };
  using Book = estimators::ReportBook;
  using Learner = LeaderPlusOneLearner<Book, indices::KlUcb, feedback::CascadeFirst>;

  static curators::ResponsePlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s)};  // L2
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const auto actions = action_set(s);
    const auto size = static_cast<double>(actions->size());
    return {*actions, Book(s.arms), indices::KlUcb({.iterated_factor = 1, .union_of = size}),
            s.pace,   dice,         p.warm_up * plan(s, p).reports_worth_an_outcome()};
  }
};

struct CascadeLdpStop {
  static constexpr Card kCard =
      local("cascade-ldp-stop", "Cascades by reported stops", "tacit").with_cascade_feedback();
  using Parameters = NoParameters;
  using Learner = StopReportLearner;

  static curators::StopReportPlan plan(const Setting& s, const Parameters&) {
    return {required_epsilon(kCard.name, s), action_set(s)->size()};
  }
  static Learner learner(const Setting& s, const Parameters& p, const random::Dice& dice) {
    const auto report = plan(s, p).numbers();
    return {*action_set(s), indices::StopIndex(report.q, report.gap, report.response), s.pace,
            dice};
  }
};

}  // namespace tacit::policies::recipes
