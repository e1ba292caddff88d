#include "problem_catalogue.hpp"

#include "arguments.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::cli {

const std::vector<NamedProblem>& named_problems() {
  static const std::vector<NamedProblem> problems = {
      {"hu-linear",
       "seed 004 sec. 6, first setting: evenly spaced means",
       {0.75, 0.625, 0.5, 0.375, 0.25}},
      {"hu-equal",
       "seed 004 sec. 6, second setting: one good arm, four equal",
       {0.5, 0.4, 0.4, 0.4, 0.4}},
  };
  return problems;
}

std::shared_ptr<const problems::Problem> problem_by_name(const std::string& name) {
  if (name.starts_with("table:")) {
    return std::make_shared<problems::Table>(read_table(name.substr(6)));
  }
  std::vector<std::string> names;
  for (const NamedProblem& problem : named_problems()) {
    if (problem.name == name) return problem_from_means(problem.means, "bernoulli");
    names.push_back(problem.name);
  }
  throw InvalidParameter(
      "", "problem", name,
      "unknown; did you mean " + nearest_name(name, names) + "? `tacit list --problems` shows all");
}

std::shared_ptr<const problems::Problem> problem_from_means(std::vector<double> means,
                                                            const std::string& rewards) {
  using problems::Rewards;
  for (const Rewards family :
       {Rewards::kBernoulli, Rewards::kBeta, Rewards::kPoint, Rewards::kTruncatedNormal}) {
    if (rewards == problems::name_of(family)) {
      return std::make_shared<problems::IndependentArms>(std::move(means), family);
    }
  }
  throw InvalidParameter("", "rewards", rewards, "must be bernoulli, beta, point or normal");
}

}  // namespace tacit::cli
