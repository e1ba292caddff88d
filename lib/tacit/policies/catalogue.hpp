// Every policy, by name. The list of recipes is explicit: self-registration vanishes from static
// libraries. Adding a policy is one line here (CONTRIBUTING.md, "How to add a policy").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacit/policies/card.hpp"
#include "tacit/policies/recipes/anytime_lazy_ucb.hpp"
#include "tacit/policies/recipes/ucb1.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::policies {

template <class... Recipe>
struct RecipeList {};

using Recipes = RecipeList<recipes::Ucb1,  //
                           recipes::AnytimeLazyUcb>;

/// What is known of a policy without running it.
struct Entry {
  Card card;
  /// The guarantee computed from the parts of the policy built for this setting.
  privacy::Guarantee (*guarantee)(const Setting&, const std::vector<ParameterValue>&);
  /// The recipe's parameters with their values once `given` is applied; throws for unknown ones.
  std::vector<ParameterInfo> (*parameters)(const std::vector<ParameterValue>& given);
};

/// In the order of the catalogue.
const std::vector<Entry>& catalogue();
/// Throws InvalidParameter that suggests the nearest name.
const Entry& find_policy(std::string_view name);

}  // namespace tacit::policies
