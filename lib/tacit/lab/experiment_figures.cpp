#include "tacit/lab/experiment_figures.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/nearest_name.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {
namespace {

void require_one_of(const Place& place, const std::string& key, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  if (allowed.empty()) refuse(place, key, value, "there is none in this file");
  constexpr std::size_t kFew = 8;  // that are worth spelling out
  refuse(place, key, value,
         allowed.size() <= kFew
             ? fmt::format("must be one of {}; did you mean {}?", fmt::join(allowed, ", "),
                           nearest_name(value, allowed))
             : fmt::format("unknown; did you mean {}?", nearest_name(value, allowed)));
}

/// The distinct values of something in all configurations.
std::vector<std::string> distinct(
    const std::vector<Configuration>& configurations,
    const std::function<std::optional<std::string>(const Configuration&)>& of) {
  std::vector<std::string> all;
  for (const Configuration& c : configurations) {
    const std::optional<std::string> value = of(c);
    if (value && std::find(all.begin(), all.end(), *value) == all.end()) all.push_back(*value);
  }
  return all;
}

}  // namespace

FigureRequest read_figure(StrictTable& table, const Experiment& experiment) {
  const std::vector<Configuration>& all = experiment.configurations;
  auto problems = distinct(all, [](const auto& c) { return c.problem_label; });
  for (std::string& family : distinct(all, [](const auto& c) { return c.problem_family; })) {
    problems.push_back(std::move(family));
  }
  const auto policies = distinct(all, [](const auto& c) { return c.policy_label; });
  const auto epsilons = distinct(all, [](const auto& c) { return c.epsilon; });
  std::vector<std::string> variables;
  for (const Configuration& c : all) {
    for (const auto& [name, value] : c.variables) {
      if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
        variables.push_back(name);
      }
    }
  }
  FigureRequest figure;
  figure.place = table.place();
  const auto read = [&](const char* key, std::string& value, std::vector<std::string> allowed) {
    if (auto given = table.text(key)) value = *given;
    if (table.has(key)) require_one_of(table.place_of(key), key, value, allowed);
  };
  const auto pick = [&](const char* key, std::vector<std::string>& values,
                        const std::vector<std::string>& allowed) {
    if (auto given = table.list(key)) values = *given;
    for (const std::string& value : values) {
      require_one_of(table.place_of(key), key, value, allowed);
    }
  };
  const auto name = table.text("name");
  if (!name || name->empty() || name->find_first_of("/\\ ") != std::string::npos) {
    refuse(table.place_of("name"), "name", name.value_or(""),
           "a [[figure]] needs a name fit for a file, without blanks and slashes");
  }
  figure.name = *name;
  figure.title = table.text("title").value_or("");
  figure.source = table.text("source").value_or("");
  figure.note = table.text("note").value_or("");
  std::vector<std::string> x{"t", "epsilon", "1/epsilon"};
  std::vector<std::string> panels{"problem", "epsilon"};
  x.insert(x.end(), variables.begin(), variables.end());
  panels.insert(panels.end(), variables.begin(), variables.end());
  read("x", figure.x, x);
  read("y", figure.y, {"regret", "regret/ln(t)", "return"});
  read("axes", figure.axes, {"linear", "logx", "logy", "loglog"});
  read("panels", figure.panels, panels);
  pick("problems", figure.problems, problems);
  pick("policies", figure.policies, policies);
  pick("epsilon", figure.epsilons, epsilons);
  std::vector<std::string> bounds;
  for (const theory::Bound& bound : theory::bounds()) bounds.push_back(bound.name);
  pick("bounds", figure.bounds, bounds);
  figure.slopes = table.flag("slopes").value_or(false);
  table.close();
  return figure;
}

Claim read_claim(StrictTable& table, const Experiment& experiment) {
  const std::vector<Configuration>& all = experiment.configurations;
  const auto policies = distinct(all, [](const auto& c) { return c.policy_label; });
  const auto problems = distinct(all, [](const auto& c) { return c.problem_label; });
  std::vector<std::string> figures;
  for (const FigureRequest& figure : experiment.figures) figures.push_back(figure.name);

  const auto figure = table.text("figure");
  const auto says = table.text("says");
  const auto policy = table.text("policy");
  const auto less = table.text("less");
  const auto steeper = table.text("steeper");
  Claim claim;
  claim.place = table.place();
  claim.than = table.list("than").value_or(std::vector<std::string>{});
  claim.problem = table.text("problem");
  claim.epsilon = table.number("epsilon");
  claim.factor = table.number("factor");
  claim.value = table.number("value");
  claim.slope = table.number("slope");
  claim.steeper_by = table.number("by");
  claim.settles = table.number("settles");
  claim.within = table.number("within").value_or(0);
  table.close();

  if (!figure || !says) {
    refuse(table.place(), figure ? "says" : "figure", "", "a [[claim]] needs figure and says");
  }
  claim.figure = *figure;
  claim.says = *says;
  require_one_of(table.place_of("figure"), "figure", claim.figure, figures);
  const int judged = (claim.value ? 1 : 0) + (claim.slope ? 1 : 0) + (claim.settles ? 1 : 0);
  const bool of_one = policy && !less && !steeper && judged == 1 && claim.than.empty();
  const bool of_two = !policy && judged == 0 && !claim.than.empty() &&
                      less.has_value() != steeper.has_value() &&
                      steeper.has_value() == claim.steeper_by.has_value();
  const bool no_more = (!claim.factor || less) && (!claim.problem || claim.value) &&
                       (!claim.epsilon || claim.value) &&
                       (!table.has("within") || claim.value || claim.slope);
  if (!(of_one || of_two) || !no_more) {
    refuse(table.place(), "claim", claim.figure,
           "must have policy with value (within, problem, epsilon), slope (within) or settles; or "
           "less and "
           "than (factor); or steeper, than and by");
  }
  claim.policy = policy ? *policy : less ? *less : *steeper;
  require_one_of(table.place(), "policy", claim.policy, policies);
  for (const std::string& other : claim.than) {
    require_one_of(table.place_of("than"), "than", other, policies);
  }
  if (claim.problem) require_one_of(table.place_of("problem"), "problem", *claim.problem, problems);
  return claim;
}

}  // namespace tacit::lab
