// Every policy, by name, without its recipe: what a caller needs who does not build one.
#pragma once

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
  privacy::Guarantee (*guarantee)(const Setting&, const Given&, privacy::Arithmetic);
  /// Whether it has no use for the horizon with these parameters; the card says it of its own.
  bool (*anytime)(const Given& given);
  /// The recipe's parameters with their values once `given` is applied; throws for unknown ones.
  std::vector<ParameterInfo> (*parameters)(const Given& given);
  /// What stands between users and the learner.
  curators::Plan (*plan)(const Setting&, const Given&);
  std::unique_ptr<Learner> (*learner)(const Setting&, const Given&, const random::Dice&);
};

/// Defined beside every recipe (recipes/*.cpp).
template <class Recipe>
Entry entry_of();

/// In the order of the catalogue.
const std::vector<Entry>& catalogue();
/// Throws InvalidParameter that suggests the nearest name.
const Entry& find_policy(std::string_view name);

}  // namespace tacit::policies
