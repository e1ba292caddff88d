#include "tacit/lab/experiment.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "tacit/core/nearest_name.hpp"
#include "tacit/lab/strict_toml.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::lab {
namespace {

using Named = std::vector<std::pair<std::string, std::string>>;
using NamedLists = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Every way to pick one value from each list; the last list runs fastest.
std::vector<Named> combinations(const NamedLists& lists) {
  std::vector<Named> all{{}};
  for (const auto& [name, values] : lists) {
    std::vector<Named> longer;
    for (const Named& picked : all) {
      for (const std::string& value : values) {
        longer.push_back(picked);
        longer.back().emplace_back(name, value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// "k-path:20:{K}:0.4" with K = 4 is "k-path:20:4:0.4".
std::string with_values(const Place& place, const std::string& key, const std::string& pattern,
                        const Named& values) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != '{') {
      text += pattern[at];
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    const std::string name = end == std::string::npos ? "" : pattern.substr(at + 1, end - at - 1);
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const auto& value) { return value.first == name; });
    if (found == values.end()) {
      refuse(place, key, pattern,
             fmt::format("{{{}}} has no value; give it like with = {{ {} = [2, 4] }}", name,
                         name.empty() ? "K" : name));
    }
    text += found->second;
    at = end;
  }
  return text;
}

/// What holds for the whole experiment unless a problem or a policy says otherwise.
struct Defaults {
  std::optional<std::string> horizon, runs;
  std::string seed, checkpoints, noise;
  std::optional<std::vector<std::string>> epsilon, delta;
};

using Problem = Configuration;  // with the problem's part filled in

std::vector<Problem> read_problem(StrictTable& table, const Defaults& defaults) {
  const auto name = table.list("name");
  const auto means = table.list("means");
  const auto rewards = table.text("rewards");
  const auto actions = table.text("actions");
  const auto label = table.text("label");
  const auto horizon = table.has("horizon") ? table.text("horizon") : defaults.horizon;
  const auto runs = table.has("runs") ? table.text("runs") : defaults.runs;
  table.text("horizon");  // known, whether or not it is there
  table.text("runs");
  const NamedLists variables = table.lists("with");
  table.close();
  if (name.has_value() == means.has_value()) {
    refuse(table.place(), "problem", name ? name->front() : "",
           "give either name = \"...\" or means = [...]");
  }
  if (!horizon) refuse(table.place(), "horizon", "", "give it at the top or in the problem");
  if (!runs) refuse(table.place(), "runs", "", "give it at the top or in the problem");

  std::vector<Problem> all;
  for (const Named& values : combinations(variables)) {
    const auto filled = [&](const char* key, const std::string& pattern) {
      return with_values(table.place_of(key), key, pattern, values);
    };
    for (const std::string& one : name.value_or(std::vector<std::string>{""})) {
      Problem p;
      if (name) p.problem = filled("name", one);
      if (means) {
        p.means = filled("means", fmt::format("{}", fmt::join(*means, ",")));
      }
      p.rewards = rewards;
      if (actions) p.actions = filled("actions", *actions);
      p.horizon = filled("horizon", *horizon);
      p.runs = *runs;
      p.variables = values;
      const std::string plain = name ? one : fmt::format("{}", fmt::join(*means, ","));
      p.problem_family = label.value_or(actions ? fmt::format("{} {}", plain, *actions) : plain);
      p.problem_label = filled("label", p.problem_family);
      p.seed = defaults.seed;
      p.checkpoints = defaults.checkpoints;
      p.noise = defaults.noise;
      p.problem_place = table.place();
      all.push_back(std::move(p));
    }
  }
  return all;
}

/// A [[policy]] as written; `names` may be several.
struct PolicyText {
  std::vector<std::string> names;
  std::optional<std::string> label;
  std::optional<std::vector<std::string>> epsilon, delta;
  NamedLists parameters;
  Place place;
};

PolicyText read_policy(StrictTable& table, const Defaults& defaults) {
  PolicyText policy;
  const auto names = table.list("name");
  policy.label = table.text("label");
  policy.epsilon = table.list("epsilon");
  policy.delta = table.list("delta");
  policy.parameters = table.lists("params");
  policy.place = table.place();
  table.close();
  if (!names) refuse(table.place(), "name", "", "a [[policy]] needs one; tacit list shows them");
  policy.names = *names;
  if (!policy.epsilon) policy.epsilon = defaults.epsilon;
  if (!policy.delta) policy.delta = defaults.delta;
  if (policy.label && policy.names.size() > 1) {
    refuse(table.place_of("label"), "label", *policy.label, "is for one policy, not for several");
  }
  return policy;
}

std::vector<std::optional<std::string>> optional_values(
    const std::optional<std::vector<std::string>>& values, bool used) {
  if (!used || !values) return {std::nullopt};
  return {values->begin(), values->end()};
}

void add_policy(const PolicyText& policy, const Problem& problem,
                std::vector<Configuration>& configurations) {
  for (const std::string& name : policy.names) {
    policies::Card card{};
    try {
      card = policies::find_policy(name).card;
    } catch (const InvalidParameter& error) {
      refuse(policy.place, error.parameter(), error.value(), error.requirement());
    }
    // Those who have no use for a parameter run once, not once for each of its values.
    const bool takes_epsilon = card.trust != policies::Trust::kNone;
    for (const auto& epsilon : optional_values(policy.epsilon, takes_epsilon)) {
      for (const auto& delta : optional_values(policy.delta, card.takes_delta)) {
        for (const Named& parameters : combinations(policy.parameters)) {
          Configuration c = problem;
          c.policy = name;
          if (epsilon) c.epsilon = with_values(policy.place, "epsilon", *epsilon, c.variables);
          c.delta = delta;
          c.parameters = parameters;
          c.policy_label = policy.label.value_or(name);
          // Swept parameters tell the curves of one policy apart.
          for (const auto& [key, values] : policy.parameters) {
            if (values.size() == 1 && policy.label) continue;
            const auto value = std::find_if(parameters.begin(), parameters.end(),
                                            [&](const auto& p) { return p.first == key; });
            c.policy_label += fmt::format(" {}={}", key, value->second);
          }
          c.policy_place = policy.place;
          configurations.push_back(std::move(c));
        }
      }
    }
  }
}

void require_one_of(const Place& place, const std::string& key, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
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
  if (!of_one && !of_two) {
    refuse(
        table.place(), "claim", claim.figure,
        "must have policy with value, slope or settles; or less and than; or steeper, than and by");
  }
  claim.policy = policy ? *policy : less ? *less : *steeper;
  require_one_of(table.place(), "policy", claim.policy, policies);
  for (const std::string& other : claim.than) {
    require_one_of(table.place_of("than"), "than", other, policies);
  }
  if (claim.problem) require_one_of(table.place_of("problem"), "problem", *claim.problem, problems);
  return claim;
}

}  // namespace

Experiment read_experiment(const std::string& text, const std::string& file) {
  const toml::table parsed = parse_toml(text, file);
  StrictTable top(parsed, file, "");
  Experiment experiment;
  experiment.file = file;
  experiment.text = text;
  experiment.title = top.text("title").value_or(file);
  Defaults defaults;
  defaults.horizon = top.text("horizon");
  defaults.runs = top.text("runs");
  defaults.seed = top.text("seed").value_or("1");
  defaults.checkpoints = top.text("checkpoints").value_or("log:50");
  defaults.noise = top.text("noise").value_or("ideal");
  defaults.epsilon = top.list("epsilon");
  defaults.delta = top.list("delta");
  auto problem_tables = top.tables("problem");
  auto policy_tables = top.tables("policy");
  auto figure_tables = top.tables("figure");
  auto claim_tables = top.tables("claim");
  top.close();
  if (problem_tables.empty()) refuse({file, 1}, "problem", "", "give at least one [[problem]]");
  if (policy_tables.empty()) refuse({file, 1}, "policy", "", "give at least one [[policy]]");

  std::vector<PolicyText> policies;
  for (StrictTable& table : policy_tables) policies.push_back(read_policy(table, defaults));
  for (StrictTable& table : problem_tables) {
    for (const Problem& problem : read_problem(table, defaults)) {
      for (const PolicyText& policy : policies) {
        add_policy(policy, problem, experiment.configurations);
      }
    }
  }
  for (StrictTable& table : figure_tables) {
    FigureRequest figure = read_figure(table, experiment);
    for (const FigureRequest& earlier : experiment.figures) {
      if (earlier.name == figure.name) {
        refuse(figure.place, "name", figure.name, "is the name of an earlier [[figure]]");
      }
    }
    experiment.figures.push_back(std::move(figure));
  }
  for (StrictTable& table : claim_tables) {
    experiment.claims.push_back(read_claim(table, experiment));
  }
  return experiment;
}

}  // namespace tacit::lab
