// Every policy, by name, without its recipe: what a caller needs who does not build one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/curators/plans.hpp"
#include "tacit/policies/card.hpp"
#include "tacit/policies/learner.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::policies {

/// A policy without its recipe's types: what is known of it, and how to hold its public half.
struct Entry {
  using Given = std::vector<ParameterValue>;

  Card card;  // of the policy with its own parameters
  /// It begins with raw outcomes of a user before the first, so that it cannot be held.
  bool starts_from_raw_outcomes;
  /// The parameter that says how often its recommendation may be wrong; null: it recommends nothing by itself.
  const char* error_parameter;
  /// The guarantee computed from the plan of the policy built for this setting.
  std::function<privacy::Guarantee(const Setting&, const Given&, privacy::Arithmetic)> guarantee;
  /// Whether it has no use for the horizon with these parameters; the card says it of its own.
  std::function<bool(const Given& given)> anytime;
  /// The recipe's parameters with their values once `given` is applied; throws for unknown ones.
  std::function<std::vector<ParameterInfo>(const Given& given)> parameters;
  /// What stands between users and the learner.
  std::function<curators::Plan(const Setting&, const Given&)> plan;
  std::function<std::unique_ptr<Learner>(const Setting&, const Given&, const random::Dice&)>
      learner;
  /// It is handed outcomes as they are, and protects them itself or not at all: what is seen of it are its actions alone,
  /// and its guarantee is what its author says. Only for policies from outside.
  bool is_its_own_curator = false;
};

/// Defined beside every recipe (recipes/*.cpp).
template <class Recipe>
Entry entry_of();

/// In the order of the catalogue.
const std::vector<Entry>& catalogue();
/// Throws InvalidParameter that suggests the nearest name.
const Entry& find_policy(std::string_view name);

}  // namespace tacit::policies
