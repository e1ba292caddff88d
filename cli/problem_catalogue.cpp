#include "problem_catalogue.hpp"

#include <utility>

#include "arguments.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/problems/environment_private.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::cli {

const std::vector<NamedProblem>& named_problems() {
  static const std::vector<NamedProblem> problems = {
      {"hu-linear",
       "Hu et al. sec. 6, first setting: evenly spaced means",
       {0.75, 0.625, 0.5, 0.375, 0.25}},
      {"hu-equal",
       "Hu et al. sec. 6, second setting: one good arm, four equal",
       {0.5, 0.4, 0.4, 0.4, 0.4}},
  };
  return problems;
}

namespace {

std::vector<double> named_means(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedProblem& problem : named_problems()) {
    if (problem.name == name) return problem.means;
    names.push_back(problem.name);
  }
  throw InvalidParameter(
      "", "problem", name,
      "unknown; did you mean " + nearest_name(name, names) + "? `tacit list --problems` shows all");
}

problems::Rewards read_rewards(const std::string& text) {
  using problems::Rewards;
  for (const Rewards family :
       {Rewards::kBernoulli, Rewards::kBeta, Rewards::kPoint, Rewards::kTruncatedNormal}) {
    if (text == problems::name_of(family)) return family;
  }
  throw InvalidParameter("", "rewards", text, "must be bernoulli, beta, point or normal");
}

}  // namespace

ChosenProblem choose_problem(const ProblemOptions& options) {
  if (options.problem.has_value() == options.means.has_value()) {
    throw InvalidParameter("", options.problem ? "means" : "problem", options.means.value_or(""),
                           "give either --problem NAME or --means M1,M2,...");
  }
  if (options.problem && options.problem->starts_with("table:")) {
    if (options.environment_epsilon) {
      throw InvalidParameter("", "environment-epsilon", *options.environment_epsilon,
                             "a table is replayed as it is; give means instead");
    }
    if (options.rewards) {
      throw InvalidParameter("", "rewards", *options.rewards, "a table is replayed as it is");
    }
    return {std::make_shared<problems::Table>(read_table(options.problem->substr(6))), {}};
  }
  std::vector<double> means =
      options.problem ? named_means(*options.problem) : read_means(*options.means);
  const problems::Rewards rewards = read_rewards(options.rewards.value_or("bernoulli"));
  if (!options.environment_epsilon) {
    return {std::make_shared<problems::IndependentArms>(std::move(means), rewards), {}};
  }
  // From secure randomness, not from the seed: whoever knows the seed could subtract the noise. To play on
  // the same release again, give the means that were printed.
  const double epsilon = read_number("environment-epsilon", *options.environment_epsilon);
  if (!(epsilon >= 0x1p-10 && epsilon <= 0x1p20)) {
    throw InvalidParameter("", "environment-epsilon", *options.environment_epsilon,
                           "must be a number from 0.0009765625 (2^-10) to 1048576 (2^20)");
  }
  random::SecureSource source;
  auto released = problems::release_environment(means, epsilon, rewards, source);
  return {released.problem, released.guarantee};
}

}  // namespace tacit::cli
