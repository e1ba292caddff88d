// Computes the units of a plan that the results lack, over threads, and stores each as it is done.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "tacit/lab/coordinator.hpp"

namespace tacit::lab {

/// Simulators of a plan's tasks, each made when it is first needed. Thread safety: any.
class Simulators {
 public:
  /// Once `stop` is true, simulation::Stopped is thrown.
  explicit Simulators(const Plan& plan, const std::atomic<bool>* stop = nullptr)
      : plan_(plan), stop_(stop), made_(plan.tasks.size()) {}
  BlockResult compute(const WorkUnit& unit) { return lab::compute(of(unit.task), unit.block); }
  Benchmark benchmark(std::size_t task) {
    return {of(task).benchmark(), of(task).benchmark_is_proven()};
  }

 private:
  struct Made {
    std::once_flag once;
    std::unique_ptr<simulation::Simulator> simulator;
  };
  const simulation::Simulator& of(std::size_t task);

  const Plan& plan_;
  const std::atomic<bool>* stop_;
  std::vector<Made> made_;
};

/// Takes units and computes them until none is left. What goes wrong is told to the coordinator.
void work(Coordinator& coordinator, Simulators& simulators);

/// Returns how far it came: done == total unless stopped.
Progress run(const Plan& plan, Results& results, const RunOptions& options);

}  // namespace tacit::lab
