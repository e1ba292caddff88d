#include "tacit/lab/runner.hpp"

#include <thread>

#include "tacit/simulation/stage.hpp"

namespace tacit::lab {

const simulation::Simulator& Simulators::of(std::size_t task) {
  Made& made = made_[task];
  std::call_once(made.once, [&] {
    simulation::Request request = plan_.tasks[task].request;
    request.stop = stop_;
    made.simulator = simulation::prepare(request);
  });
  return *made.simulator;
}

void work(Coordinator& coordinator, Simulators& simulators) {
  try {
    while (const auto unit = coordinator.take()) {
      const BlockResult result = simulators.compute(*unit);
      coordinator.finish(*unit, result, simulators.benchmark(unit->task));
    }
  } catch (const simulation::Stopped&) {
    // Nothing of the unit is kept, and no other is handed out.
  } catch (...) {
    coordinator.fail(std::current_exception());
  }
}

Progress run(const Plan& plan, Results& results, const RunOptions& options) {
  Coordinator coordinator(plan, results, options);
  Simulators simulators(plan, options.gives_up_units ? options.stop : nullptr);
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
