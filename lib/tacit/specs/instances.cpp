#include "tacit/specs/instances.hpp"

#include "tacit/core/check.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/problems/prior.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::specs {
namespace {

/// What was asked for, or what fits the actions: sets are semi-bandit unless said otherwise.
feedback::Kind feedback_of(const InstanceText& text, const ChosenProblem& chosen) {
  const bool sets = chosen.actions != nullptr;
  if (!text.feedback) return sets ? feedback::Kind::kSemi : feedback::Kind::kBandit;
  const feedback::Kind kind = read_feedback(*text.feedback);
  const bool wants_sets = kind == feedback::Kind::kSemi || kind == feedback::Kind::kCascade;
  if (wants_sets == sets) return kind;
  throw InvalidParameter(Option{"feedback"}, *text.feedback,
                         sets ? "the problem plays sets of arms: semi or cascade"
                              : "needs --actions, such as top:2; without, bandit or full");
}

/// Bounds are of outcomes drawn afresh every round; those for lists, of items that attract independently.
std::optional<Refusal> unless_drawn_as_bounds_need(const problems::Problem& problem,
                                                   feedback::Kind feedback) {
  const auto refused = [](const char* requirement) {
    return Refusal{Parameter{"instance_of", "problem"}, "", requirement};
  };
  const problems::Dependence dependence = problem.dependence();
  if (dependence == problems::Dependence::kReplayed) {
    return refused("outcomes are replayed in order, not drawn: no bound speaks of them");
  }
  const bool independent = dependence == problems::Dependence::kIndependent ||
                           dependence == problems::Dependence::kDrawn;
  if (feedback == feedback::Kind::kCascade && !independent) {
    return refused("items must attract independently for the bounds on ranked lists");
  }
  return check::unless_at_least("instance_of", "number of means", problem.arms(), 2);
}

}  // namespace

Answer<theory::Instance> instance_of(const simulation::Request& played, feedback::Kind feedback) {
  const problems::Problem& problem = *played.problem;
  if (auto unmet = unless_drawn_as_bounds_need(problem, feedback)) return *unmet;
  if (played.actions && played.against == simulation::Against::kBest &&
      !played.actions->approximation().exact()) {
    return Refusal{Parameter{"instance_of", "against"}, simulation::name_of(played.against),
                   "bounds for approximate oracles are on regret against what they promise"};
  }
  theory::Instance instance =
      played.actions
          ? theory::sets_of_arms(feedback, problem.means(), *played.actions, played.epsilon,
                                 played.horizon)
          : theory::single_arms(feedback, problem.means(), played.epsilon, played.horizon);
  instance.delta = played.delta.value_or(policies::kDefaultDelta);
  instance.equal_outcomes = problem.dependence() == problems::Dependence::kInGroups;
  if (const problems::Prior* prior = problem.prior()) {
    instance.law = {prior->expected_best(), prior->two_point_gap()};
  }
  return instance;
}

theory::Instance instance(const InstanceText& text) {
  simulation::Request played;
  if (text.epsilon) played.epsilon = read_positive(Option{"epsilon"}, *text.epsilon);
  if (text.delta) played.delta = read_share(Option{"delta"}, *text.delta);
  played.horizon = read_integer(Option{"horizon"}, text.horizon, 1, kLastRound);
  const ChosenProblem chosen = problem(text.problem);
  played.problem = chosen.problem;
  played.actions = chosen.actions;
  const feedback::Kind feedback = feedback_of(text, chosen);
  const Answer<theory::Instance> found = [&] {
    try {
      return instance_of(played, feedback);
    } catch (const actions::UnfitActions& error) {
      refuse_actions(text.problem, error);
    }
  }();
  if (found) {
    theory::Instance instance = *found;
    if (text.steepness) instance.steepness = read_positive(Option{"steepness"}, *text.steepness);
    return instance;
  }
  const auto& [option, given] = text.problem.means ? std::pair{"means", *text.problem.means}
                                : text.problem.prior
                                    ? std::pair{"prior", *text.problem.prior}
                                    : std::pair{"problem", text.problem.name.value_or("")};
  throw InvalidParameter(Option{option}, given, found.why_not().in_words());
}

}  // namespace tacit::specs
