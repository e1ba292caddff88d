#include "requests.hpp"

#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "arguments.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/simulation/checkpoints.hpp"

namespace tacit::cli {

simulation::Request read_request(const RequestOptions& o, const ChosenProblem& chosen) {
  if (o.noise != "ideal" && o.noise != "exact") {
    throw InvalidParameter("", "noise", o.noise, "must be ideal (doubles) or exact (integers)");
  }
  simulation::Request base;
  base.horizon = read_integer("horizon", o.horizon, 1, kLastRound);
  base.runs = read_integer("runs", o.runs, 1, 100000000);
  base.seed = static_cast<std::uint64_t>(read_integer("seed", o.seed, 0, kLastRound));
  base.problem = chosen.problem;
  base.actions = chosen.actions;
  base.checkpoints = simulation::parse_checkpoints(o.checkpoints, base.horizon);
  base.pace = o.plain ? policies::Pace::kPlain : policies::Pace::kSkipping;
  base.arithmetic =
      o.noise == "exact" ? privacy::Arithmetic::kExact : privacy::Arithmetic::kIdealised;
  if (o.epsilon) base.epsilon = read_positive("epsilon", *o.epsilon);
  if (o.delta) base.delta = read_share("delta", *o.delta);
  return base;
}

simulation::Request request_of(const simulation::Request& base, const std::string& policy,
                               std::vector<policies::ParameterValue> parameters) {
  const policies::Card& card = policies::find_policy(policy).card;
  simulation::Request request = base;
  request.policy = policy;
  request.parameters = std::move(parameters);
  if (card.trust == policies::Trust::kNone) request.epsilon.reset();
  if (!card.takes_delta) request.delta.reset();
  return request;
}

void check_request(const simulation::Request& request, const ProblemOptions& problem,
                   const ChosenProblem& chosen) {
  try {
    simulation::prepare(request);
  } catch (const InvalidParameter& error) {
    // What the library says of an action set, said of the option that it came from.
    if (error.parameter() != "actions") throw;
    const bool given = problem.actions.has_value();
    throw InvalidParameter("", given ? "actions" : "problem",
                           given ? chosen.actions_text : problem.problem.value_or(""),
                           error.requirement());
  }
}

lab::MakeRequest request_maker() {
  using Texts = std::tuple<std::optional<std::string>, std::optional<std::string>,
                           std::optional<std::string>, std::optional<std::string>>;
  // Problems that policies share are made once: a file may be large.
  auto made = std::make_shared<std::map<Texts, ChosenProblem>>();
  return [made](const lab::Configuration& c) -> lab::MadeRequest {
    const ProblemOptions problem{.problem = c.problem,
                                 .means = c.means,
                                 .rewards = c.rewards,
                                 .environment_epsilon = {},
                                 .actions = c.actions};
    const Texts key{c.problem, c.means, c.rewards, c.actions};
    auto found = made->find(key);
    if (found == made->end()) found = made->emplace(key, choose_problem(problem)).first;
    const ChosenProblem& chosen = found->second;
    const RequestOptions options{.epsilon = c.epsilon,
                                 .delta = c.delta,
                                 .horizon = c.horizon,
                                 .runs = c.runs,
                                 .seed = c.seed,
                                 .checkpoints = c.checkpoints,
                                 .noise = c.noise};
    std::vector<policies::ParameterValue> parameters;
    for (const auto& [name, value] : c.parameters) parameters.push_back({name, value});
    const simulation::Request request =
        request_of(read_request(options, chosen), c.policy, std::move(parameters));
    check_request(request, problem, chosen);
    return {request, chosen.actions_text};
  };
}

}  // namespace tacit::cli
