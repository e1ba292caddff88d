// Runs anytime-lazy-ucb through the installed library and prints its regret and its guarantee. What it asks for is
// written as on the command line; simulation::Request takes the same as numbers and objects.
#include <cstdio>

#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/requests.hpp"

int main() {
  using namespace tacit;
  simulation::Request request = specs::request({.problem = {.name = "hu-linear"},
                                                .policy = "anytime-lazy-ucb",
                                                .epsilon = "0.5",
                                                .horizon = "1e5",
                                                .runs = "20",
                                                .checkpoints = "log:10"})
                                    .request;
  request.threads = 2;

  const simulation::Summary summary = simulation::simulate(request);
  std::printf("regret %.1f over %zu checkpoints\n", summary.curve.back().mean(),
              summary.curve.size());
  std::printf("guarantee %s epsilon %g\n", privacy::name_of(summary.guarantee.notion),
              summary.guarantee.epsilon);
}
