// Hands out the units of a plan that the results lack, and stores what comes back. The workers may
// be threads of this process or other machines.
//
// Thread safety: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "tacit/lab/plan.hpp"
#include "tacit/lab/results.hpp"

namespace tacit::lab {

struct Progress {
  std::int64_t done = 0;   // units, those found in the file included
  std::int64_t found = 0;  // in the file at the start
  std::int64_t total = 0;  // of the shard
  double cpu_left = 0;     // seconds, guessed from the units that are done
};

struct RunOptions {
  Shard shard = {};
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;  // once true, no further unit is handed out
  bool gives_up_units = false;              // then what is being computed is given up, too
  std::function<void(const Progress&)> report = [](const Progress&) {};
  std::function<bool(const Task&)> wanted = [](const Task&) { return true; };
};

class Coordinator {
 public:
  Coordinator(const Plan& plan, Results& results, const RunOptions& options);

  /// The next unit that is missing; none when all are handed out, or the work is to stop.
  std::optional<WorkUnit> take();
  void finish(const WorkUnit& unit, const BlockResult& result, const Benchmark& benchmark);
  /// Something went wrong: nothing more is handed out, and check() throws it.
  void fail(std::exception_ptr failure);

  Progress progress() const;
  /// Throws what a worker failed with.
  void check() const;

 private:
  /// What the runs of a task cost so far.
  struct Cost {
    double cpu_seconds = 0;
    std::int64_t runs_done = 0;
    std::int64_t runs_left = 0;
  };
  double cpu_left() const;

  const Plan& plan_;
  Results& results_;
  RunOptions options_;
  mutable std::mutex mutex_;
  std::vector<WorkUnit> missing_;
  std::size_t next_ = 0;
  std::vector<Cost> costs_;  // of tasks
  Progress progress_;
  std::exception_ptr failure_;
};

}  // namespace tacit::lab
