#include "tacit/lab/experiment.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/storage/strict_toml.hpp"

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
std::string with_values(const storage::SourceLine& place, const std::string& key,
                        const std::string& pattern, const Named& values) {
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

using Values = std::optional<std::vector<std::string>>;

/// What runs are to find instead of regret, as written.
struct GoalText {
  Values error;  // a list is a sweep
  std::optional<std::string> budget, most, top;

  bool is_given() const { return error || budget; }
};
constexpr std::array kGoalKeys{"error", "budget", "most", "top"};

GoalText read_goal(storage::StrictTable& table) {
  return {.error = table.list("error"),
          .budget = table.text("budget"),
          .most = table.text("most"),
          .top = table.text("top")};
}

/// What holds for the whole experiment unless a problem or a policy says otherwise.
struct Defaults {
  std::map<std::string, storage::SourceLine> places;  // of its keys
  std::set<std::string> used_by_policies;             // variables, as in epsilon = "{eps}"
  std::optional<std::string> horizon, runs;
  std::string seed, checkpoints, noise, against;
  Values epsilon, delta;
  GoalText goal;
};

/// A configuration with the problem's part filled in.
struct Problem : Configuration {
  std::vector<std::string> played_by;  // labels or names of policies; empty: all
  Values epsilon_there, error_there;   // unless the policy has its own
};

/// Of a problem: its own, or the experiment's where it says nothing else. None where its regret is measured.
GoalText goal_of(storage::StrictTable& table, const Defaults& defaults) {
  GoalText goal = read_goal(table);
  const auto refuse_key = [&](const char* key, const char* why) {
    if (!table.has(key)) return;
    refuse(table.place_of(key), key, table.list(key).value().front(), why);
  };
  if (table.has("horizon")) {
    for (const char* key : kGoalKeys) {
      refuse_key(key, "a problem with a horizon measures regret; leave one of them out");
    }
    return {};
  }
  if (!goal.is_given()) {
    goal.error = defaults.goal.error;
    goal.budget = defaults.goal.budget;
  }
  if (!goal.is_given()) {
    for (const char* key : kGoalKeys) {
      refuse_key(key, "is for problems whose best arm is identified; give error or budget, too");
    }
    return {};
  }
  refuse_key("checkpoints", "a run that identifies has none; leave it out");
  if (!goal.most && !goal.budget) goal.most = defaults.goal.most;
  if (!goal.top) goal.top = defaults.goal.top;
  return goal;
}

std::vector<Problem> read_problem(storage::StrictTable& table, const Defaults& defaults) {
  const auto name = table.list("name");
  const auto means = table.list("means");
  const auto prior = table.text("prior");
  const auto rewards = table.text("rewards");
  const auto actions = table.text("actions");
  const auto environment_epsilon = table.text("environment-epsilon");
  const auto label = table.text("label");
  const auto own_horizon = table.text("horizon");
  const auto own_runs = table.text("runs");
  const auto runs = own_runs ? own_runs : defaults.runs;
  const auto checkpoints = table.text("checkpoints");
  const auto against = table.text("against");
  const auto epsilon = table.list("epsilon");
  const auto played_by = table.list("policies");
  const NamedLists variables = table.lists("with");
  const GoalText goal = goal_of(table, defaults);
  const auto horizon = own_horizon ? own_horizon : defaults.horizon;
  table.close();
  if (static_cast<int>(name.has_value()) + static_cast<int>(means.has_value()) +
          static_cast<int>(prior.has_value()) !=
      1) {
    refuse(table.place(), "problem", name ? name->front() : prior.value_or(""),
           "give either name = \"...\", means = [...] or prior = \"...\"");
  }
  if (label && name && name->size() > 1) {
    refuse(table.place_of("label"), "label", *label, "is for one problem, not for several");
  }
  if (!horizon && !goal.is_given()) {
    refuse(table.place(), "horizon", "", "give it at the top or in the problem");
  }
  if (!runs) refuse(table.place(), "runs", "", "give it at the top or in the problem");

  for (const auto& [variable, values] : variables) {
    std::string patterns;
    for (const auto& text :
         {horizon, prior, actions, environment_epsilon, label, goal.budget, goal.most, goal.top}) {
      patterns += text.value_or("");
    }
    for (const auto& texts : {name, means, epsilon, goal.error}) {
      for (const std::string& text : texts.value_or(std::vector<std::string>{})) patterns += text;
    }
    const std::string use = fmt::format("{{{}}}", variable);
    if (patterns.find(use) == std::string::npos && !defaults.used_by_policies.contains(variable)) {
      refuse(table.place_of("with"), "with", variable,
             fmt::format("is used nowhere; write {} into name, means, prior, actions, "
                         "environment-epsilon, horizon, "
                         "budget or label",
                         use));
    }
  }
  std::vector<Problem> all;
  for (const Named& values : combinations(variables)) {
    const auto filled = [&](const char* key, const std::string& pattern) {
      return with_values(table.place_of(key), key, pattern, values);
    };
    for (const std::string& one : name.value_or(std::vector<std::string>{""})) {
      Problem p;
      specs::ProblemText& played = p.request.problem;
      if (name) played.name = filled("name", one);
      if (means) {
        played.means = filled("means", fmt::format("{}", fmt::join(*means, ",")));
      }
      if (prior) played.prior = filled("prior", *prior);
      played.rewards = rewards;
      if (actions) played.actions = filled("actions", *actions);
      if (environment_epsilon) {
        played.environment_epsilon = filled("environment-epsilon", *environment_epsilon);
        played.environment_regret = "true";  // what it costs; a secure release would not repeat
      }
      if (!goal.is_given()) p.request.horizon = filled("horizon", *horizon);
      if (goal.budget) p.request.budget = filled("budget", *goal.budget);
      if (goal.most) p.request.most = filled("most", *goal.most);
      if (goal.top) p.request.top = filled("top", *goal.top);
      p.request.runs = *runs;
      p.request.seed = defaults.seed;
      p.request.checkpoints = checkpoints.value_or(defaults.checkpoints);
      p.request.noise = defaults.noise;
      p.request.against = against.value_or(defaults.against);
      p.variables = values;
      const std::string plain = name    ? one
                                : prior ? *prior
                                        : fmt::format("{}", fmt::join(*means, ","));
      p.problem_family = label.value_or(actions ? fmt::format("{} {}", plain, *actions) : plain);
      p.problem_label = filled("label", p.problem_family);
      p.epsilon_there = epsilon;
      p.error_there = goal.error;
      p.played_by = played_by.value_or(std::vector<std::string>{});
      p.places = defaults.places;
      for (const char* key : {"name", "means", "prior", "rewards", "actions", "environment-epsilon",
                              "horizon", "runs", "checkpoints", "against", "epsilon", "policies",
                              "error", "budget", "most", "top"}) {
        if (table.has(key)) p.places[key] = table.place_of(key);
      }
      p.places["problem"] = table.place_of("name");
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
  Values epsilon, delta;
  Values error;              // its own; else that of the problem
  bool own_epsilon = false;  // not the experiment's
  NamedLists parameters;
  storage::SourceLine place;
  std::map<std::string, storage::SourceLine> places;  // of its keys
};

PolicyText read_policy(storage::StrictTable& table, const Defaults& defaults) {
  PolicyText policy;
  const auto names = table.list("name");
  policy.label = table.text("label");
  policy.epsilon = table.list("epsilon");
  policy.delta = table.list("delta");
  policy.error = table.list("error");
  policy.parameters = table.lists("params");
  policy.place = table.place();
  for (const char* key : {"epsilon", "delta", "error"}) {
    if (table.has(key)) policy.places[key] = table.place_of(key);
  }
  table.close();
  if (!names) refuse(table.place(), "name", "", "a [[policy]] needs one; tacit list shows them");
  policy.names = *names;
  policy.own_epsilon = policy.epsilon.has_value();
  if (!policy.epsilon) policy.epsilon = defaults.epsilon;
  if (!policy.delta) policy.delta = defaults.delta;
  if (policy.label && policy.names.size() > 1) {
    refuse(table.place_of("label"), "label", *policy.label, "is for one policy, not for several");
  }
  return policy;
}

/// What a policy is given of what is swept; none where it has no use for it.
struct Given {
  std::optional<std::string> epsilon, error, delta;
};

std::vector<Given> all_given(const Values& epsilons, const Values& errors, const Values& deltas) {
  const auto each_of = [](const Values& values) -> std::vector<std::optional<std::string>> {
    if (!values) return {std::nullopt};
    return {values->begin(), values->end()};
  };
  std::vector<Given> all;
  for (const auto& epsilon : each_of(epsilons)) {
    for (const auto& error : each_of(errors)) {
      for (const auto& delta : each_of(deltas)) all.push_back({epsilon, error, delta});
    }
  }
  return all;
}

/// Whether another point of the problem's sweep, whose epsilon alone differs, has brought the same to a policy that takes none.
bool is_there(const Configuration& c, const std::vector<Configuration>& configurations) {
  return std::any_of(configurations.begin(), configurations.end(), [&](const Configuration& other) {
    return other.problem_place.line == c.problem_place.line &&
           other.policy_place.line == c.policy_place.line && other.policy_label == c.policy_label &&
           other.request.policy == c.request.policy && other.request.delta == c.request.delta &&
           other.request.problem == c.request.problem &&
           other.request.horizon == c.request.horizon && other.request.error == c.request.error &&
           other.request.budget == c.request.budget && other.request.most == c.request.most &&
           other.request.top == c.request.top;
  });
}

void add_policy(const PolicyText& policy, const Problem& problem,
                std::vector<Configuration>& configurations) {
  for (const std::string& name : policy.names) {
    policies::Card card{};
    try {
      card = policies::find_policy(name).card;
    } catch (const InvalidParameter& error) {
      refuse(policy.place, error.parameter(), error.value(), error.refusal().located());
    }
    // Those who have no use for a parameter run once, not once for each of its values.
    const bool takes_epsilon = card.trust != policies::Trust::kNone;
    const auto& epsilons =
        problem.epsilon_there && !policy.own_epsilon ? problem.epsilon_there : policy.epsilon;
    const bool epsilon_varies =
        epsilons && std::any_of(epsilons->begin(), epsilons->end(), [](const std::string& text) {
          return text.find('{') != std::string::npos;
        });
    const Values& errors = problem.error_there && policy.error ? policy.error : problem.error_there;
    const auto plays = [&](const std::string& label) {
      const auto& all = problem.played_by;
      return all.empty() || std::find(all.begin(), all.end(), label) != all.end();
    };
    for (const Given& given : all_given(takes_epsilon ? epsilons : Values{}, errors,
                                        card.takes_delta ? policy.delta : Values{})) {
      for (const Named& parameters : combinations(policy.parameters)) {
        Configuration c = static_cast<const Configuration&>(problem);
        c.request.policy = name;
        const auto filled = [&](const char* key, const std::optional<std::string>& pattern) {
          return pattern ? std::optional(with_values(policy.place, key, *pattern, c.variables))
                         : std::nullopt;
        };
        c.request.epsilon = filled("epsilon", given.epsilon);
        c.request.error = filled("error", given.error);
        c.request.delta = given.delta;
        for (const auto& [key, value] : parameters) c.request.parameters.push_back({key, value});
        c.policy_label = policy.label.value_or(name);
        // Swept parameters tell the curves of one policy apart.
        for (const auto& [key, values] : policy.parameters) {
          if (values.size() == 1 && policy.label) continue;
          const auto value = std::find_if(parameters.begin(), parameters.end(),
                                          [&](const auto& p) { return p.first == key; });
          c.policy_label += fmt::format(" {}={}", key, value->second);
        }
        if (!plays(name) && !plays(c.policy_label)) continue;
        c.policy_place = policy.place;
        if (!takes_epsilon && epsilon_varies && is_there(c, configurations)) continue;
        for (const auto& [key, place] : policy.places) c.places[key] = place;
        configurations.push_back(std::move(c));
      }
    }
  }
}

/// Figures, tables and claims know what is played by its labels: two under the same would be one line.
void check_labels(const std::vector<Configuration>& configurations) {
  using Text = std::optional<std::string>;
  std::map<std::tuple<std::string, Named, std::string, Text, Text, Text>, const Configuration*>
      known;
  for (const Configuration& c : configurations) {
    const auto [earlier, is_new] =
        known.try_emplace({c.problem_label, c.variables, c.policy_label, c.request.epsilon,
                           c.request.delta, c.request.error},
                          &c);
    if (is_new) continue;
    const Configuration& other = *earlier->second;
    const bool two_problems = other.problem_place.line != c.problem_place.line;
    refuse(two_problems ? c.problem_place : c.policy_place, two_problems ? "problem" : "policy",
           two_problems ? c.problem_label : c.policy_label,
           fmt::format("is there already (line {}); give it a label of its own",
                       two_problems ? other.problem_place.line : other.policy_place.line));
  }
}

/// What is said of identifying where nothing is identified.
void check_goals(storage::StrictTable& top, const std::vector<PolicyText>& policies,
                 const std::vector<Configuration>& configurations) {
  const auto any = [&](const auto& is) {
    return std::any_of(configurations.begin(), configurations.end(),
                       [&](const Configuration& c) { return is(c.request); });
  };
  const bool by_error = any([](const auto& request) { return request.error.has_value(); });
  if (!by_error && !any([](const auto& request) { return request.budget.has_value(); })) {
    for (const char* key : {"most", "top"}) {
      if (!top.has(key)) continue;
      refuse(top.place_of(key), key, top.text(key).value(),
             "is for problems whose best arm is identified; give error or budget, too");
    }
  }
  for (const PolicyText& policy : policies) {
    if (!policy.error || by_error) continue;
    refuse(policy.places.at("error"), "error", policy.error->front(),
           "is for problems that are identified with an error; give one there or at the top, too");
  }
}

}  // namespace

Experiment read_experiment(const std::string& text, const std::string& file) {
  const toml::table parsed = storage::parse_toml(text, file);
  storage::StrictTable top(parsed, file, "");
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
  defaults.against = top.text("against").value_or("oracle");
  defaults.epsilon = top.list("epsilon");
  defaults.delta = top.list("delta");
  defaults.goal = read_goal(top);
  for (const char* key : {"horizon", "runs", "seed", "checkpoints", "noise", "against", "epsilon",
                          "delta", "error", "budget", "most", "top"}) {
    if (top.has(key)) defaults.places[key] = top.place_of(key);
  }
  if (defaults.horizon && defaults.goal.is_given()) {
    refuse(top.place_of("horizon"), "horizon", *defaults.horizon,
           fmt::format("what identifies, by {}, has none; give it to the problems whose regret is "
                       "measured",
                       defaults.goal.error ? "error" : "budget"));
  }
  auto problem_tables = top.tables("problem");
  auto policy_tables = top.tables("policy");
  for (const char* reported : {"figure", "claim"})
    top.tables(reported);  // known, and read elsewhere
  top.close();
  if (problem_tables.empty())
    storage::refuse({file, 1}, "problem", "", "give at least one [[problem]]");
  if (policy_tables.empty())
    storage::refuse({file, 1}, "policy", "", "give at least one [[policy]]");

  std::vector<PolicyText> policies;
  for (storage::StrictTable& table : policy_tables) {
    policies.push_back(read_policy(table, defaults));
    for (const Values& values : {policies.back().epsilon, policies.back().error}) {
      for (const std::string& each : values.value_or(std::vector<std::string>{})) {
        if (each.starts_with('{') && each.ends_with('}')) {
          defaults.used_by_policies.insert(each.substr(1, each.size() - 2));
        }
      }
    }
  }
  std::vector<std::string> players;  // names and labels
  for (const PolicyText& policy : policies) {
    players.insert(players.end(), policy.names.begin(), policy.names.end());
    if (policy.label) players.push_back(*policy.label);
  }
  for (storage::StrictTable& table : problem_tables) {
    for (const Problem& problem : read_problem(table, defaults)) {
      for (const std::string& player : problem.played_by) {
        if (std::find(players.begin(), players.end(), player) == players.end()) {
          refuse(table.place_of("policies"), "policies", player,
                 fmt::format("is no [[policy]] here; did you mean {}?",
                             nearest_name(player, players)));
        }
      }
      for (const PolicyText& policy : policies) {
        add_policy(policy, problem, experiment.configurations);
      }
    }
  }
  check_labels(experiment.configurations);
  check_goals(top, policies, experiment.configurations);
  return experiment;
}

}  // namespace tacit::lab
