// Two policies compared on one problem, as the command line would: every value is the text of an option.
#include <cstdio>

#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/requests.hpp"

int main() {
  using namespace tacit;
  for (const char* policy : {"anytime-lazy-ucb", "mgf-imed"}) {
    const specs::ReadRequest read = specs::request({.problem = {.name = "hu-linear"},
                                                    .policy = policy,
                                                    .epsilon = "0.5",
                                                    .horizon = "1e5",
                                                    .runs = "20"});
    const simulation::Summary summary = simulation::simulate(read.request);
    std::printf("%-18s regret %7.1f +- %.1f, %s epsilon %g\n", policy, summary.curve.back().mean(),
                summary.curve.back().half_width95(), privacy::name_of(summary.guarantee.notion),
                summary.guarantee.epsilon);
  }
}
