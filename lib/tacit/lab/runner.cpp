#include "tacit/lab/runner.hpp"

#include <thread>

namespace tacit::lab {

const simulation::Simulator& Simulators::of(std::size_t task) {
  Made& made = made_[task];
  std::call_once(made.once,
                 [&] { made.simulator = simulation::prepare(plan_.tasks[task].request); });
  return *made.simulator;
}

void work(Coordinator& coordinator, Simulators& simulators) {
  try {
    while (const auto unit = coordinator.take()) {
      const BlockResult result = simulators.compute(*unit);
      coordinator.finish(*unit, result, simulators.benchmark(unit->task));
    }
  } catch (...) {
    coordinator.fail(std::current_exception());
  }
}

Progress run(const Plan& plan, Results& results, const RunOptions& options) {
  Coordinator coordinator(plan, results, options);
  Simulators simulators(plan);
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < options.threads; ++i) {
      threads.emplace_back([&] { work(coordinator, simulators); });
    }
    work(coordinator, simulators);
  }
  coordinator.check();
  return coordinator.progress();
}

}  // namespace tacit::lab
