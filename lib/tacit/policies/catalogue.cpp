#include "tacit/policies/catalogue.hpp"

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"

namespace tacit::policies {
namespace {

template <class Recipe>
Entry entry_of() {
  using Parameters = typename Recipe::Parameters;
  return {.card = Recipe::kCard,
          .guarantee =
              [](const Setting& setting, const std::vector<ParameterValue>& given) {
                const auto parameters = read_parameters<Parameters>(Recipe::kCard.name, given);
                return Recipe::make(setting, parameters).guarantee();
              },
          .parameters =
              [](const std::vector<ParameterValue>& given) {
                return list_parameters(read_parameters<Parameters>(Recipe::kCard.name, given));
              }};
}

template <class... Recipe>
std::vector<Entry> entries_of(RecipeList<Recipe...>) {
  return {entry_of<Recipe>()...};
}

}  // namespace

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> entries = entries_of(Recipes{});
  return entries;
}

const Entry& find_policy(std::string_view name) {
  if (name.empty()) throw InvalidParameter("", "policy", "", "`tacit list` shows all names");
  std::vector<std::string> names;
  for (const Entry& entry : catalogue()) {
    if (name == entry.card.name) return entry;
    names.emplace_back(entry.card.name);
  }
  throw InvalidParameter(
      "", "policy", std::string(name),
      "unknown; did you mean " + nearest_name(name, names) + "? `tacit list` shows all");
}

}  // namespace tacit::policies
