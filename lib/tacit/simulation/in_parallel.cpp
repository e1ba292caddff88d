#include "tacit/simulation/in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "tacit/simulation/cpu_time.hpp"

namespace tacit::simulation {

double in_parallel(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work) {
  std::atomic<std::int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  double seconds = 0;
  const auto take_pieces = [&] {
    const double start = thread_cpu_seconds();
    try {
      for (std::int64_t index = next++; index < count; index = next++) work(index);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
    const std::lock_guard lock(mutex);
    seconds += thread_cpu_seconds() - start;
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::int64_t i = 1; i < std::min<std::int64_t>(threads, count); ++i) {
        others.emplace_back(take_pieces);
      }
    } catch (const std::system_error&) {
      // The system has no more threads to give: those that there are do all of it.
    }
    take_pieces();
  }
  if (failure) std::rethrow_exception(failure);
  return seconds;
}

}  // namespace tacit::simulation
