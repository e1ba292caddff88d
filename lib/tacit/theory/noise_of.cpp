#include "tacit/theory/noise_of.hpp"

#include <limits>
#include <memory>
#include <variant>

#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::theory {

namespace {

curators::Plan plan_of(const char* policy, const Instance& instance) {
  const policies::Entry& entry = policies::find_policy(policy);
  // Noise depends on how many arms an action has, not on which.
  const policies::Setting setting{
      .arms = instance.arms(),
      .epsilon = instance.epsilon,
      .delta = instance.delta,
      .horizon = instance.horizon,
      .actions = entry.card.plays_sets()
                     ? std::make_shared<actions::TopK>(instance.arms(), instance.size)
                     : nullptr};
  return entry.plan(setting, {});
}

}  // namespace

Number noise_of(const char* policy, const Instance& instance) try {
  return std::visit(
      [](const auto& plan) {
        if constexpr (requires { plan.sigma; }) {
          return plan.sigma;
        } else if constexpr (requires { plan.scale + 0.0; }) {
          return plan.scale;
        } else {
          return std::numeric_limits<double>::quiet_NaN();
        }
      },
      plan_of(policy, instance));
} catch (const InvalidParameter& error) {
  return error.refusal();
}

Answer<curators::CounterPlan> counter_of(const char* policy, const Instance& instance) try {
  return std::get<curators::CounterPlan>(plan_of(policy, instance));
} catch (const InvalidParameter& error) {
  return error.refusal();
}

}  // namespace tacit::theory
