#include "tacit/lab/instance_of.hpp"

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/shared_outcomes.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::lab {
namespace {

/// Bounds are of outcomes drawn afresh every round; those for lists, of items that attract independently.
void check_randomness(const Played& played) {
  if (dynamic_cast<const problems::Table*>(played.problem) != nullptr) {
    throw InvalidParameter("", "problem", played.problem->name(),
                           "outcomes are replayed in order, not drawn: no bound speaks of them");
  }
  if (played.feedback == feedback::Kind::kCascade &&
      dynamic_cast<const problems::IndependentArms*>(played.problem) == nullptr) {
    throw InvalidParameter("", "problem", played.problem->name(),
                           "items must attract independently for the bounds on ranked lists");
  }
}

}  // namespace

theory::Instance instance_of(const Played& played, Round horizon) {
  check_randomness(played);
  const std::vector<double>& means = played.problem->means();
  theory::Instance instance =
      played.actions != nullptr
          ? theory::sets_of_arms(played.feedback, means, *played.actions, played.epsilon, horizon)
          : theory::single_arms(played.feedback, means, played.epsilon, horizon);
  instance.delta = played.delta;
  instance.equal_outcomes =
      dynamic_cast<const problems::SharedOutcomes*>(played.problem) != nullptr;
  return instance;
}

Json bounds_of(const simulation::Request& request, const privacy::Guarantee& guarantee) {
  const policies::Card& card = policies::find_policy(request.policy).card;
  Json all = Json::array();
  theory::Instance instance;
  try {
    instance = instance_of({.feedback = card.feedback,
                            .problem = request.problem.get(),
                            .actions = request.actions.get(),
                            // Bounds on baselines do not depend on it.
                            .epsilon = request.epsilon.value_or(1),
                            .delta = request.delta.value_or(policies::kDefaultDelta)},
                           request.horizon);
  } catch (const InvalidParameter&) {
    return all;
  }
  for (const theory::Bound& bound : theory::bounds()) {
    instance.horizon = request.horizon;
    // A minimax bound speaks of its own instance, whose gap is tuned to the last round: there alone.
    const bool minimax =
        bound.kind == theory::Kind::kMinimax && theory::is_worst_instance(bound, instance);
    const bool drawn =
        bound.kind == theory::Kind::kFinite || bound.kind == theory::Kind::kAsymptotic || minimax;
    if (!drawn || bound.conjecture ||
        !theory::concerns(bound, card.name, guarantee.notion, card.feedback)) {
      continue;
    }
    Json values = Json::array();
    bool any = false;
    for (const Round t : request.checkpoints) {
      instance.horizon = t;
      const bool speaks = !minimax || t == request.horizon;
      const auto value = speaks ? theory::try_evaluate(bound, instance).value : std::nullopt;
      values.push_back(value ? Json(*value) : Json(nullptr));
      any = any || value;
    }
    if (!any) continue;
    all.push_back({{"name", bound.name},
                   {"kind", theory::name_of(bound.kind)},
                   {"side", theory::name_of(bound.side)},
                   {"values", values}});
  }
  return all;
}

}  // namespace tacit::lab
