// What theory is asked about: a simulation as the instance that bounds speak of.
#pragma once

#include <optional>
#include <string>

#include "tacit/core/answer.hpp"
#include "tacit/feedback/feedback.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/problem_catalogue.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::specs {

/// The instance of a request (its policy, runs and seed do not matter), or why no bound can speak of it: outcomes
/// that are not drawn, dependent items in lists, a single arm. Throws actions::UnfitActions for lists of others
/// than any K.
Answer<theory::Instance> instance_of(const simulation::Request& played, feedback::Kind feedback);

/// The same as people write it.
struct InstanceText {
  ProblemText problem = {};
  std::optional<std::string> feedback = {};  // bandit for single arms, semi for sets unless given
  std::optional<std::string> epsilon = {};   // none: of policies without privacy
  std::optional<std::string> delta = {};
  std::optional<std::string> steepness = {};  // c of basu-theorem-3; 0 unless given
  std::string horizon = {};
};

/// Throws InvalidParameter that names the option.
theory::Instance instance(const InstanceText& text);

}  // namespace tacit::specs
