// A simulation as the instance that theory speaks of.
#pragma once

#include <memory>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/problems/problem.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {

/// What is played, by whom it is watched, and under which privacy; the horizon is the last argument.
struct Played {
  feedback::Kind feedback = feedback::Kind::kBandit;
  const problems::Problem* problem = nullptr;
  const actions::ActionSet* actions = nullptr;  // null: one arm a round
  double epsilon = 1;
  double delta = 0;
};

/// Throws InvalidParameter where no bound can speak of it: outcomes that are not drawn, dependent items in
/// lists, a single arm.
theory::Instance instance_of(const Played& played, Round horizon);

/// The bounds that concern the policy of a request, each with its value at every checkpoint (null outside its
/// conditions): finite and asymptotic ones, and minimax ones on their own instance, at the horizon that it is
/// tuned to. Those without any value are left out.
Json bounds_of(const simulation::Request& request, const privacy::Guarantee& guarantee);

}  // namespace tacit::lab
