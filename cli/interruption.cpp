#include "interruption.hpp"

#include <csignal>

namespace tacit::cli {
namespace {

std::atomic<bool> interrupted{false};

void on_signal(int signal) {
  if (interrupted.exchange(true)) {
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
