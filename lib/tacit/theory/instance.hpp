// What a bound is evaluated on: the problem's means, what may be played, the privacy parameters and the
// horizon. For a curve, evaluate at horizon t for every t up to T.
//
// Gaps of sets (Chen, Zheng, Zhou, Yang, Chen & Wang 2020, section 2.1): an action is bad when its reward is
// below the best; Delta_min^i is the smallest gap of a bad action that contains arm i. For bases of a matroid
// it is bounded from below by the smallest positive difference between an arm of the best basis and one
// outside, which for arm i outside is taken over pairs with i only, unless i is as good as one of them: then a basis
// with i may be bad by another arm's fault. A smaller gap makes an upper bound larger, so what is proved stays true.
//
// With an (alpha, beta)-approximate oracle an action is bad when its reward is below alpha times the best, and gaps are
// to that (Chen et al., (1) and (2)). Others than lists and matroids are gone through one by one, as far as they are few
// and their rewards are computed: paths, matchings, cuts, coverage, influence on small graphs.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/core/round.hpp"
#include "tacit/feedback/feedback.hpp"

namespace tacit::theory {

/// How the actions of a list overlap: what the instances of lower bounds for sets differ in.
enum class Overlap { kOther, kDisjoint };

struct SetGaps {
  PerArm<double> smallest;  // of a bad action with this arm; +infinity: it is in no bad action
  double least = std::numeric_limits<double>::infinity();  // of any bad action
  double largest = 0;
  double best_value = 0;  // whatever alpha is
  PerArm<double> replaces =
      {};  // bases, arms outside the best: mean of the weakest that it can replace; else 0
  Overlap overlap = Overlap::kOther;
};

/// Environments that are drawn: means are theirs on average, and regret is Bayesian.
struct EnvironmentLaw {
  double best = 0;  // the mean of the best arm, on average
  /// Of the two-point prior of lower bounds: one arm is better by it, or another by twice as much.
  std::optional<double> two_point_gap = {};
};

struct Instance {
  feedback::Kind feedback = feedback::Kind::kBandit;
  std::vector<double> means;
  int size = 1;  // K: arms in an action, items in a list
  actions::Smoothness smoothness = {};
  actions::GiniSmoothness gini = {};          // no bound uses it yet
  actions::Approximation approximation = {};  // of the oracle
  /// Rewards, and so all bounds, are this many times what the rest says: evaluate() knows it, formulas do not.
  double reward_scale = 1;
  std::optional<SetGaps> sets = {};    // no value: the sets are too many to go through
  std::vector<Arm> best_basis = {};    // empty: the actions are not the bases of a matroid
  bool equal_outcomes = false;         // arms of one set have the same outcome in a round
  std::optional<double> epsilon = {};  // no value: nothing is private, as in baselines
  std::optional<double> delta = {};
  std::optional<EnvironmentLaw> law = {};  // no value: one environment, of these means
  double steepness = 0;  // by how much one outcome can move the logarithm of its probability
  Round horizon = 1;

  int arms() const noexcept { return static_cast<int>(means.size()); }
  double mean(Arm arm) const noexcept { return means[static_cast<std::size_t>(arm)]; }
  double log_horizon() const;
};

/// Single arms, one a round; bandit or full feedback. Two arms or more, means in [0, 1], epsilon > 0.
Instance single_arms(feedback::Kind feedback, std::vector<double> means,
                     std::optional<double> epsilon, Round horizon);
/// Sets (semi-bandit feedback) or ranked lists of actions.size() items (cascade), which are any of the arms:
/// throws actions::UnfitActions for lists of others.
Instance sets_of_arms(feedback::Kind feedback, std::vector<double> means,
                      const actions::ActionSet& actions, std::optional<double> epsilon,
                      Round horizon);

double log_of(Round horizon);
/// best - mean of every arm below the best.
std::vector<double> positive_gaps(std::span<const double> means);
/// The same for the whole instance: 0 when all arms are equally good.
double smallest_gap(std::span<const double> means);
double largest_gap(std::span<const double> means);
/// The first K means in decreasing order, and the rest.
struct Ranking {
  std::vector<double> best, others;
};
Ranking ranked(std::span<const double> means, int size);

/// Checks that every entry point shares.
void check_means(std::string_view function, std::span<const double> means);
void check_instance(std::string_view function, const Instance& instance);
/// Conditions that several formulas share: what is refused, if anything. `least` need not be an integer.
std::optional<Refusal> unless_long_enough(std::string_view function, Round horizon, double least);
std::optional<Refusal> unless_bases(std::string_view function, const Instance& instance);
std::optional<Refusal> unless_gaps_are_known(std::string_view function, const Instance& instance);
std::optional<Refusal> unless_exact_oracle(std::string_view function, const Instance& instance);
std::optional<Refusal> unless_delta_is_given(std::string_view function, const Instance& instance);

}  // namespace tacit::theory
