// Runs anytime-lazy-ucb through the installed library and prints its regret and its guarantee.
#include <cstdio>
#include <memory>
#include <vector>

#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/checkpoints.hpp"
#include "tacit/simulation/simulate.hpp"

int main() {
  using namespace tacit;
  simulation::Request request;
  request.policy = "anytime-lazy-ucb";
  request.epsilon = 0.5;
  request.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>{0.75, 0.625, 0.5, 0.375, 0.25}, problems::Rewards::kBernoulli);
  request.horizon = 100000;
  request.runs = 20;
  request.threads = 2;
  request.checkpoints = simulation::log_checkpoints(request.horizon, 10);

  const simulation::Summary summary = simulation::simulate(request);
  std::printf("regret %.1f over %zu checkpoints\n", summary.curve.back().mean(),
              summary.curve.size());
  std::printf("guarantee %s epsilon %g\n", privacy::name_of(summary.guarantee.notion),
              summary.guarantee.epsilon);
}
