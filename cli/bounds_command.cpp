#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "problem_catalogue.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/instance_of.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ProblemOptions problem;
  std::optional<std::string> feedback, delta;
  std::string epsilon, horizon;
  bool all = false;
  bool json = false;
};

/// What was asked for, or what fits the actions: sets are semi-bandit unless said otherwise.
feedback::Kind feedback_of(const Options& o, const ChosenProblem& chosen) {
  const bool sets = chosen.actions != nullptr;
  if (!o.feedback) return sets ? feedback::Kind::kSemi : feedback::Kind::kBandit;
  const feedback::Kind kind = read_feedback(*o.feedback);
  const bool wants_sets = kind == feedback::Kind::kSemi || kind == feedback::Kind::kCascade;
  if (wants_sets == sets) return kind;
  throw InvalidParameter("", "feedback", *o.feedback,
                         sets ? "the problem plays sets of arms: semi or cascade"
                              : "needs --actions, such as top:2; without, bandit or full");
}

theory::Instance instance_of(const Options& o) {
  const double epsilon = read_positive("epsilon", o.epsilon);
  const double delta = o.delta ? read_share("delta", *o.delta) : policies::kDefaultDelta;
  const Round horizon = read_integer("horizon", o.horizon, 1, kLastRound);
  const ChosenProblem chosen = choose_problem(o.problem);
  const feedback::Kind kind = feedback_of(o, chosen);
  try {
    return lab::instance_of({.feedback = kind,
                             .problem = chosen.problem.get(),
                             .actions = chosen.actions.get(),
                             .epsilon = epsilon,
                             .delta = delta},
                            horizon);
  } catch (const InvalidParameter& error) {
    // What the library says of an instance, said of the option that it came from.
    const std::string& what = error.parameter();
    const bool actions = what == "actions";
    throw InvalidParameter(
        "",
        actions           ? "actions"
        : o.problem.means ? "means"
                          : "problem",
        actions ? chosen.actions_text : o.problem.means.value_or(o.problem.problem.value_or("")),
        actions || what == "problem"
            ? error.requirement()
            : fmt::format("{} = {}: {}", what, error.value(), error.requirement()));
  }
}

Json to_json(const theory::Bound& bound, const theory::Evaluation& found) {
  Json row = {
      {"name", bound.name},
      {"reference", bound.reference},
      {"kind", theory::name_of(bound.kind)},
      {"side", theory::name_of(bound.side)},
      {"value", found.value ? Json(*found.value) : Json(nullptr)},
      {"conditions", bound.conditions},
      {"form", bound.form},
      {"notion", privacy::name_of(bound.notion)},
      {"policies", bound.policies},
      {"caveat", bound.caveat.empty() ? Json(nullptr) : Json(bound.caveat)},
      {"superseded_by", bound.superseded_by.empty() ? Json(nullptr) : Json(bound.superseded_by)},
      {"conjecture", bound.conjecture}};
  if (!found.value) row["why"] = found.why;
  return row;
}

/// Whom a bound concerns, in a few words.
std::string whom(const theory::Bound& bound) {
  if (!bound.policies.empty()) return fmt::format("{}", fmt::join(bound.policies, ", "));
  return bound.notion == privacy::Notion::kNone
             ? "every policy"
             : fmt::format("every {} policy", privacy::name_of(bound.notion));
}

std::string line(const theory::Bound& bound, const std::string& value, const std::string& what) {
  return fmt::format("{:<26} {:<5} {:<10} {:>12}  {}\n", bound.name, theory::name_of(bound.side),
                     theory::name_of(bound.kind), value, what);
}

void print_bounds(const Options& options) {
  const theory::Instance instance = instance_of(options);
  Json document = Json::array();
  std::string with_number =
      fmt::format("{:<26} {:<5} {:<10} {:>12}  {}\n", "bound", "side", "kind", "regret", "of");
  std::string orders, elsewhere;
  int left_out = 0;
  for (const theory::Bound& bound : theory::bounds()) {
    const theory::Evaluation found = theory::try_evaluate(bound, instance);
    document.push_back(to_json(bound, found));
    if (found.value) {
      with_number += line(bound, fmt::format("{:.6g}", *found.value), whom(bound));
    } else if (bound.kind == theory::Kind::kOrder &&
               theory::concerns_feedback(bound, instance.feedback)) {
      orders += line(bound, "-", fmt::format("{}: {}", whom(bound), bound.form));
    } else {
      elsewhere += line(bound, "-", found.why);
      ++left_out;
    }
  }
  if (options.json) {
    fmt::print("{}\n", document.dump(2));
    return;
  }
  std::string text = fmt::format("{} feedback, {} arms, epsilon {}, {} rounds\n\n{}",
                                 feedback::name_of(instance.feedback), instance.arms(),
                                 instance.epsilon, instance.horizon, with_number + orders);
  if (options.all) {
    text += fmt::format("\ndo not apply here\n{}", elsewhere);
  } else {
    text += fmt::format("\n{} more do not apply here; --all says why\n", left_out);
  }
  text +=
      "finite: at every horizon. asymptotic: c ln T. minimax: of the worst instance, not of this "
      "one. order: no constant "
      "known\n";
  fmt::print("{}", text);
}

}  // namespace

Action add_bounds_command(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("bounds", "Show what theory says of the regret on a problem");
  add_problem_options(*c, o->problem);
  c->add_option("--feedback", o->feedback,
                "bandit, full, semi or cascade; default: bandit for single arms, semi for sets");
  c->add_option("--epsilon", o->epsilon, "Privacy parameter")->required();
  c->add_option("--delta", o->delta, "Second privacy parameter, for bounds that have one");
  c->add_option("--horizon", o->horizon, "Rounds, like 1000000 or 1e6")->required();
  c->add_flag("--all", o->all, "List those that do not apply here too, and why");
  c->add_flag("--json", o->json, "Print one JSON document");
  return [o] { print_bounds(*o); };
}

}  // namespace tacit::cli
