#include "tacit/lab/bounds_of.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>

#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/theory/bound.hpp"
#include "tacit/theory/identification.hpp"

namespace tacit::lab {
namespace {

/// What is no bit tells more of its mean.
bool draws_bits(const problems::Problem& problem) {
  const auto* arms = dynamic_cast<const problems::IndependentArms*>(&problem);
  return arms == nullptr || arms->rewards() == problems::Rewards::kBernoulli;
}

/// T*, which the configurations of an experiment share: other errors, and other policies of the same guarantee.
double known_time(const std::vector<double>& means, privacy::Notion notion, double epsilon) {
  static std::mutex mutex;
  static std::map<std::tuple<std::vector<double>, privacy::Notion, double>, double> known;
  const std::lock_guard lock(mutex);
  const std::tuple key(means, notion, epsilon);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, theory::characteristic_time(means, notion, epsilon)).first->second;
}

/// Whether the error is proven, and not that of a threshold which is only said to do.
bool keeps_its_error(const simulation::Request& request) {
  const auto told = simulation::told_parameters(request);
  return std::none_of(told.begin(), told.end(), [](const auto& parameter) {
    return parameter.name == "threshold" && parameter.value == "heuristic";
  });
}

std::vector<BoundCurve> bounds_of_goal(const simulation::Request& request,
                                       const privacy::Guarantee& guarantee) {
  std::vector<BoundCurve> all;
  // Of who may be wrong more often than was asked nothing is known.
  if (request.goal->budget || !keeps_its_error(request)) return all;
  all.push_back({.name = theory::kPromisedError,
                 .kind = theory::Kind::kFinite,
                 .side = theory::Side::kUpper,
                 .values = {request.goal->error, std::nullopt}});
  if (const auto fewest = fewest_samples(request, guarantee)) {
    const bool binds = request.horizon == kLastRound;  // who may give up may have fewer
    all.push_back({.name = theory::kFewestSamples,
                   .kind = binds ? theory::Kind::kFinite : theory::Kind::kReference,
                   .side = theory::Side::kLower,
                   .values = {std::nullopt, *fewest}});
  }
  return all;
}

}  // namespace

std::optional<double> fewest_samples(const simulation::Request& request,
                                     const privacy::Guarantee& guarantee) {
  const simulation::Goal& goal = *request.goal;
  const problems::Problem& problem = *request.problem;
  const bool speaks =
      !goal.budget && goal.top == 1 && problem.prior() == nullptr && draws_bits(problem) &&
      !request.environment_epsilon && guarantee.delta == 0 && keeps_its_error(request) &&
      simulation::entry_of(request).card.feedback == feedback::Kind::kBandit;
  if (!speaks) return {};
  const double samples = theory::fewest_samples(
      known_time(problem.means(), guarantee.notion, guarantee.epsilon), goal.error);
  return std::isfinite(samples) && samples > 0 ? std::optional(samples) : std::nullopt;
}

std::vector<BoundCurve> bounds_of(const simulation::Request& request,
                                  const privacy::Guarantee& guarantee) {
  if (request.goal) return bounds_of_goal(request, guarantee);
  const policies::Entry& entry = simulation::entry_of(request);
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
