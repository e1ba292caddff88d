// Problems by name, and problems from options.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/problems/problem.hpp"

namespace CLI {
class App;
}

namespace tacit::cli {

struct ChosenProblem {
  std::shared_ptr<const problems::Problem> problem;
  std::shared_ptr<const actions::ActionSet> actions = nullptr;  // null: one arm a round
  std::string actions_text = "single";
  std::optional<privacy::Guarantee> environment = {};
};

/// A problem that has a name, perhaps with an argument: NAME or NAME:ARGUMENT.
struct ProblemForm {
  std::string name;
  std::string argument;                 // its form; empty: takes none
  std::optional<std::string> fallback;  // the argument when none is given; no value: one is needed
  std::string title;
  ChosenProblem (*make)(const std::string& argument);

  bool needs_argument() const { return !argument.empty() && !fallback; }
  /// NAME, NAME[:ARGUMENT] or NAME:ARGUMENT.
  std::string form() const;
};

const std::vector<ProblemForm>& problem_forms();

/// What the user asked to play on, as given.
struct ProblemOptions {
  std::optional<std::string> problem;
  std::optional<std::string> means;                // numbers, or @file
  std::optional<std::string> rewards;              // bernoulli unless given
  std::optional<std::string> environment_epsilon;  // release the means once, with this much privacy
  std::optional<std::string> actions;              // single unless given, or the problem's own
};

/// --problem, --means and --actions, read into `options`.
void add_problem_options(CLI::App& command, ProblemOptions& options);

/// Throws InvalidParameter that names the option.
ChosenProblem choose_problem(const ProblemOptions& options);

}  // namespace tacit::cli
