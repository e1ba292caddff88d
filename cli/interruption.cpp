#include "interruption.hpp"

#include <csignal>
#include <cstdint>
#include <ctime>

namespace tacit::cli {
namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> first_at{0};  // nanoseconds

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);  // one of the few that a handler may call
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// The first asks to stop, a second one stops at once. What passes signals on (timeout, mpirun) sends one to the
/// program and one to its group: that is no second one.
void on_signal(int signal) {
  constexpr std::int64_t kTheSame = 200'000'000;
  if (!interrupted.exchange(true)) {
    first_at = now();
  } else if (now() - first_at > kTheSame) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

const std::atomic<bool>* stop_when_interrupted() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return &interrupted;
}

}  // namespace tacit::cli
