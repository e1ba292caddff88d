// From text to what the library simulates: shared by the commands that play policies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem_catalogue.hpp"
#include "tacit/lab/plan.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::cli {

/// As given; what every policy of a command has in common.
struct RequestOptions {
  std::optional<std::string> epsilon, delta;
  std::string horizon, runs;
  std::string seed = "1", checkpoints = "log:50", noise = "ideal";
  bool plain = false;
};

/// Without a policy, and with one thread.
simulation::Request read_request(const RequestOptions& options, const ChosenProblem& chosen);

/// The same for one policy. Epsilon and delta are dropped where it has no use for them.
simulation::Request request_of(const simulation::Request& base, const std::string& policy,
                               std::vector<policies::ParameterValue> parameters);

/// Throws InvalidParameter that names the option.
void check_request(const simulation::Request& request, const ProblemOptions& problem,
                   const ChosenProblem& chosen);

/// Makes what an experiment's configuration asks for; problems that several share are made once.
lab::MakeRequest request_maker();

}  // namespace tacit::cli
