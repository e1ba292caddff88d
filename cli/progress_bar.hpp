// How far a run is: a line that moves on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "tacit/lab/coordinator.hpp"

namespace tacit::cli {

/// Writes to standard error. Not thread-safe: the coordinator reports one at a time.
class ProgressBar {
 public:
  /// `what` is said at the start.
  ProgressBar(std::string what, int workers);

  void show(const lab::Progress& progress, bool stopping);
  /// Takes the moving line away.
  void clear() const;
  /// Since it was made.
  std::string elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const lab::Progress& progress, bool stopping);

  std::string what_;
  int workers_;
  bool terminal_;
  bool said_start_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point last_ = {};
};

/// "42 s", "3 min 5 s", "2 h 10 min".
std::string duration_text(double seconds);

}  // namespace tacit::cli
