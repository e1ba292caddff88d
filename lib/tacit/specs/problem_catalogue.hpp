// Problems by name, and problems as people write them.
#pragma once

#include <compare>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::specs {

/// What is played on, with the actions that the text or the problem itself chooses.
struct ChosenProblem {
  std::shared_ptr<const problems::Problem> problem;
  std::shared_ptr<const actions::ActionSet> actions = nullptr;  // null: one arm a round
  std::string actions_text = "single";
  /// Of the means, where they are released: once, and `problem` is what was released; or, with an epsilon here, anew in
  /// every run, and `problem` is the truth that regret is measured against.
  std::optional<privacy::Guarantee> environment = {};
  std::optional<double> environment_epsilon = {};
  std::vector<std::string> arm_names = {};  // empty: they have numbers
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

/// What somebody wants to play on, as they write it: a name, means or a prior, and what else is not as usual.
struct ProblemText {
  std::optional<std::string> name = {};     // as `tacit list --problems` shows them
  std::optional<std::string> means = {};    // numbers, or @file
  std::optional<std::string> prior = {};    // over means: every run draws its own
  std::optional<std::string> rewards = {};  // bernoulli unless given
  std::optional<std::string> actions = {};  // single unless given, or the problem's own
  /// Release the means, with this much privacy, and play on what was released.
  std::optional<std::string> environment_epsilon = {};
  /// Of what is released then: "released" (once, with secure noise; may be shared) unless given, or "true" (anew in every
  /// run, from the seed: what the privacy costs, not to be shared).
  std::optional<std::string> environment_regret = {};

  // NOLINTNEXTLINE(modernize-use-nullptr): taken for a comparison with 0.
  friend auto operator<=>(const ProblemText&, const ProblemText&) = default;
};

/// Throws InvalidParameter that names the option.
ChosenProblem problem(const ProblemText& text);
/// By its name alone. A template, so that problem({.name = ...}) can only be the other.
template <std::convertible_to<std::string> Name>
ChosenProblem problem(const Name& name) {
  return problem(ProblemText{.name = std::string(name)});
}

/// Throws InvalidParameter for actions that do not fit, about the option that they came from: the problem may
/// have brought its own.
[[noreturn]] void refuse_actions(const ProblemText& text, const actions::UnfitActions& why);

}  // namespace tacit::specs
