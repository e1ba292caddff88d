#include "interruptible.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace tacit::python {

void without_python(const std::function<void(const std::atomic<bool>&)>& work) {
  const std::atomic<bool> never{false};
  const py::gil_scoped_release released;
  work(never);
}

void interruptibly(const std::function<void(const std::atomic<bool>&)>& work) {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;
  std::optional<py::error_already_set> interruption;
  {
    const py::gil_scoped_release released;
    const std::jthread worker([&] {
      try {
        work(stop);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      changed.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, kBetweenLooks, [&] { return done; })) {
      if (stop) continue;
      lock.unlock();
      {
        const py::gil_scoped_acquire acquired;
        if (PyErr_CheckSignals() != 0) {
          interruption.emplace();
          stop = true;
        }
      }
      lock.lock();
    }
  }
  if (interruption) throw *interruption;
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tacit::python
