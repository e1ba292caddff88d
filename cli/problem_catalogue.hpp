// Problems by name, and problems from options.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/privacy/guarantee.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::cli {

struct NamedProblem {
  std::string name;
  std::string title;
  std::vector<double> means;
};

const std::vector<NamedProblem>& named_problems();

inline constexpr const char* kTableHelp =
    "outcomes replayed from a CSV file, one row a round, one column an arm";

/// What the user asked to play on, as given.
struct ProblemOptions {
  std::optional<std::string> problem;              // a name, or table:FILE
  std::optional<std::string> means;                // numbers, or @file
  std::optional<std::string> rewards;              // bernoulli unless given
  std::optional<std::string> environment_epsilon;  // release the means once, with this much privacy
};

struct ChosenProblem {
  std::shared_ptr<const problems::Problem> problem;
  std::optional<privacy::Guarantee> environment;
};

/// Throws InvalidParameter that names the option.
ChosenProblem choose_problem(const ProblemOptions& options);

}  // namespace tacit::cli
