#include "tacit/lab/coordinator.hpp"

#include <utility>

namespace tacit::lab {

Coordinator::Coordinator(const Plan& plan, Results& results, const RunOptions& options)
    : plan_(plan), results_(results), options_(options), costs_(plan.tasks.size()) {
  const std::vector<WorkUnit> all = work_units_of(plan);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!options_.shard.holds(i) || !options_.wanted(plan.tasks[all[i].task])) continue;
    ++progress_.total;
    const WorkUnit& unit = all[i];
    if (results_.has(plan.tasks[unit.task].fingerprint, unit.block)) {
      ++progress_.found;
    } else {
      missing_.push_back(unit);
      costs_[unit.task].runs_left += unit.block.runs;
    }
  }
  progress_.done = progress_.found;
  options_.report(progress_);
}

std::optional<WorkUnit> Coordinator::take() {
  const std::lock_guard lock(mutex_);
  if (failure_ || (options_.stop != nullptr && options_.stop->load())) return {};
  if (next_ == missing_.size()) return {};
  return missing_[next_++];
}

void Coordinator::finish(const WorkUnit& unit, const BlockResult& result,
                         const Benchmark& benchmark) {
  const std::lock_guard lock(mutex_);
  const std::string& fingerprint = plan_.tasks[unit.task].fingerprint;
  Cost& cost = costs_[unit.task];
  // The first block that is stored brings the benchmark: all or nothing with it.
  results_.add(fingerprint, result, cost.runs_done == 0 ? &benchmark : nullptr);
  cost.cpu_seconds += result.cpu_seconds;
  cost.runs_done += unit.block.runs;
  cost.runs_left -= unit.block.runs;
  ++progress_.done;
  progress_.cpu_left = cpu_left();
  options_.report(progress_);
}

void Coordinator::fail(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
}

Progress Coordinator::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void Coordinator::check() const {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

double Coordinator::cpu_left() const {
  double seconds = 0;
  std::int64_t runs = 0;
  for (const Cost& cost : costs_) {
    seconds += cost.cpu_seconds;
    runs += cost.runs_done;
  }
  const double usual = runs > 0 ? seconds / static_cast<double>(runs) : 0;
  double left = 0;
  for (const Cost& cost : costs_) {
    const double each = cost.runs_done > 0
                            ? cost.cpu_seconds / static_cast<double>(cost.runs_done)
                            : usual;  // none of its runs is done yet: like the others
    left += each * static_cast<double>(cost.runs_left);
  }
  return left;
}

}  // namespace tacit::lab
