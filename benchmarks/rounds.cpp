// What a round costs where it cannot be skipped, in rounds of plain ucb1 with five arms.
#include <string>

#include <fmt/format.h>

#include "hand_written.hpp"
#include "measuring.hpp"

namespace tacit::benchmarks {
namespace {

struct Limit {
  const char* policy;
  double units;
};

/// Every policy of the list on one problem, at epsilon 1.
void measure_all(Report& report, const std::string& what, const specs::ProblemText& problem,
                 const std::string& horizon, double rounds, const std::vector<Limit>& limits) {
  for (const Limit& limit : limits) {
    Job unit_job = plain_ucb1();
    Job it = job({.problem = problem, .policy = limit.policy, .epsilon = "1", .horizon = horizon});
    measure({&it, &unit_job}, 5);
    report.at_most(fmt::format("{}, {}: a round", limit.policy, what),
                   it.best / rounds / unit(unit_job), limit.units);
  }
}

}  // namespace

void measure_rounds(Report& report) {
  fmt::print("\na round, in rounds of plain ucb1 with five arms\n");
  measure_all(report, "five arms", {.name = "hu-linear"}, "1e6", 1e6,
              {{"kl-ucb", 6},
               {"kl-ucb-cf", 6},
               {"thompson-beta", 4},
               {"ts-cf", 4},
               {"ldp-ucb-bits", 1.3},
               {"ldp-ucb-laplace", 1.5},
               {"dp-ucb-tree", 3}});
  measure_all(report, "lists of 4 of 20", {.name = "kveton:20:4:0.2:0.15"}, "1e6", 1e6,
              {{"cascade-kl-ucb", 20}, {"cascade-ldp", 15}, {"cascade-ldp-stop", 60}});
  measure_all(report, "top 4 of 20", {.means = falling_means(20), .actions = "top:4"}, "1e6", 1e6,
              {{"cucb", 6}, {"cts-beta", 12}});

  Job kl_ucb = job({.problem = {.name = "hu-linear"}, .policy = "kl-ucb", .horizon = "1e6"});
  Job by_hand{[](std::uint64_t run) { hand_written_kl_ucb(kFiveMeans, kMillion, run); }};
  measure({&kl_ucb, &by_hand}, 3);
  report.at_least("kl-ucb, five arms: hand-written / library", by_hand.best / kl_ucb.best, 4);
}

}  // namespace tacit::benchmarks
