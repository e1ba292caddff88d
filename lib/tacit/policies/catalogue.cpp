#include "tacit/policies/catalogue.hpp"

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/policies/recipes.hpp"

namespace tacit::policies {
namespace {

template <class... Recipe>
std::vector<Entry> entries_of(RecipeList<Recipe...>) {
  return {entry_of<Recipe>()...};  // each defined beside its recipe
}

}  // namespace

const std::vector<Entry>& catalogue() {
  static const std::vector<Entry> entries = entries_of(Recipes{});
  return entries;
}

const Entry& find_policy(std::string_view name) {
  if (name.empty()) throw InvalidParameter(Option{"policy"}, "", "`tacit list` shows all names");
  std::vector<std::string> names;
  for (const Entry& entry : catalogue()) {
    if (name == entry.card.name) return entry;
    names.emplace_back(entry.card.name);
  }
  throw InvalidParameter(
      Option{"policy"}, std::string(name),
      "unknown; did you mean " + nearest_name(name, names) + "? `tacit list` shows all");
}

}  // namespace tacit::policies
