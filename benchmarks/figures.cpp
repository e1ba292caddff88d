// What a paper's experiment costs: the two figures of Hu et al. with a hundred times the paper's runs, from a few of them.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "measuring.hpp"
#include "tacit/lab/experiment.hpp"
#include "tacit/lab/plan.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::benchmarks {

void measure_figures(Report& report) {
  constexpr int kRuns = 2000;
  constexpr std::uint64_t kMeasured = 16;  // of each line of a figure
  const std::string path = TACIT_EXPERIMENTS "/hu.toml";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const lab::Plan plan = lab::make_plan(lab::read_experiment(text, path));
  Job unit_job = plain_ucb1();
  fmt::print("\nhu-fig1 and hu-fig2, {} runs of every line, in units x 1e6 rounds\n", kRuns);
  double all = 0;
  for (const lab::Task& task : plan.tasks) {
    const auto simulator = simulation::prepare(task.request);
    measure({&unit_job}, 1);
    const double start = cpu_seconds();
    for (std::uint64_t run = 0; run < kMeasured; ++run) simulator->run(run);
    all += (cpu_seconds() - start) / kMeasured;
  }
  report.at_most(fmt::format("hu-fig1 and hu-fig2, {} lines", plan.tasks.size()),
                 kRuns * all / unit_job.best, 7000);
}

}  // namespace tacit::benchmarks
