#include "tacit/lab/bounds_of.hpp"

#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {

std::vector<BoundCurve> bounds_of(const simulation::Request& request,
                                  const privacy::Guarantee& guarantee) {
  const policies::Entry& entry = policies::find_policy(request.policy);
  const policies::Card& card = entry.card;
  const bool anytime = entry.anytime(request.parameters);
  const std::vector<policies::ParameterInfo> in_force = entry.parameters(request.parameters);
  std::vector<BoundCurve> all;
  const Answer<theory::Instance> found = specs::instance_of(request, card.feedback);
  if (!found) return all;
  theory::Instance instance = *found;
  for (const theory::Bound& bound : theory::bounds()) {
    instance.horizon = request.horizon;
    // A minimax bound speaks of its own instance, whose gap is tuned to the last round: there alone.
    const bool minimax =
        bound.kind == theory::Kind::kMinimax && theory::is_worst_instance(bound, instance);
    // Who plays on released means knows nothing of the true ones: of regret against these no bound of a policy speaks.
    const bool drawn = request.environment_epsilon
                           ? bound.kind == theory::Kind::kReference
                           : bound.kind == theory::Kind::kFinite ||
                                 bound.kind == theory::Kind::kAsymptotic ||
                                 bound.kind == theory::Kind::kReference || minimax;
    if (!drawn || bound.conjecture ||
        !theory::concerns(bound, card.name, guarantee.notion, card.feedback) ||
        !theory::holds_with(bound, in_force)) {
      continue;
    }
    // What a policy that is told the horizon has lost by round t is no more than at the end: its bound is of the horizon
    // that it was told, not of t.
    std::optional<double> at_the_end;
    if (!anytime && bound.kind == theory::Kind::kFinite && bound.side == theory::Side::kUpper) {
      if (const theory::Number number = theory::evaluate(bound, instance)) at_the_end = *number;
    }
    BoundCurve curve{.name = bound.name, .kind = bound.kind, .side = bound.side, .values = {}};
    bool any = false;
    for (const Round t : request.checkpoints) {
      instance.horizon = t;
      const bool speaks = !minimax || t == request.horizon;
      std::optional<double> value;
      if (speaks) {
        if (const theory::Number number = theory::evaluate(bound, instance)) value = *number;
      }
      if (value && at_the_end) value = at_the_end;
      any = any || value.has_value();
      curve.values.push_back(value);
    }
    if (any) all.push_back(std::move(curve));
  }
  return all;
}

}  // namespace tacit::lab
