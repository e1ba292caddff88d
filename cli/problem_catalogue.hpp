// Problems by name, and problems from options.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

/// A named problem with Bernoulli rewards, or "table:FILE".
std::shared_ptr<const problems::Problem> problem_by_name(const std::string& name);
/// `rewards` is bernoulli, beta, point or normal.
std::shared_ptr<const problems::Problem> problem_from_means(std::vector<double> means,
                                                            const std::string& rewards);

}  // namespace tacit::cli
