// cucb-dp-as-published: Algorithm 3 of Chen, Zheng, Zhou, Yang, Chen & Wang 2020 as printed, kept to show that it plays
// at random for any practical T. ../cucb_dp.hpp has its lines and its guarantee.
#pragma once

#include <algorithm>
#include <cmath>

#include "tacit/curators/plans.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies::recipes {

struct CucbDpAsPublished {
  static constexpr Card kCard =
      central("cucb-dp-as-published", "CUCB-DP as published", "Chen et al. 2020, Alg. 3")
          .with_semi_bandit_feedback()
          .needing_the_horizon();
  using Parameters = NoParameters;
  using Book = estimators::CounterBook;
  using Learner = IndexLearner<Book, indices::FixedUcb, actions::AnySet>;

  static curators::TreePlan plan(const Setting& s, const Parameters&) {
    const double k = action_set(s)->size();
    // A horizon of 1 would have no noise at all as printed.
    const double levels = std::max(1.0, std::log2(static_cast<double>(s.horizon)));
    return {s.horizon, 2 * k * levels / required_epsilon(kCard.name, s)};
  }
  static Learner learner(const Setting& s, const Parameters&, const random::Dice& dice) {
    const auto actions = action_set(s);
    const double epsilon = required_epsilon(kCard.name, s);
    const double k = actions->size();
    const auto horizon = static_cast<double>(s.horizon);
    const double log_cubed = std::pow(std::log(horizon), 3);
    return {*actions,
            Book(s.arms),
            indices::FixedUcb(4 * std::log(s.arms * horizon), 12 * k * log_cubed / epsilon),
            Record::kAll,
            s.pace,
            dice};
  }
};

}  // namespace tacit::policies::recipes
