// How much noise a policy adds on an instance, asked of its recipe: bounds are stated for what is really played.
#pragma once

#include "tacit/core/answer.hpp"
#include "tacit/curators/plans.hpp"
#include "tacit/theory/bound.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {

/// The scale of the policy's Laplace noise, or the deviation of its Gaussian noise. The instance has an epsilon, and a
/// delta where the policy takes one; what the recipe refuses is the answer then.
Number noise_of(const char* policy, const Instance& instance);
/// The counters of a policy that has them.
Answer<curators::CounterPlan> counter_of(const char* policy, const Instance& instance);

}  // namespace tacit::theory
