#include "progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "standard_error.hpp"

namespace tacit::cli {

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

ProgressBar::ProgressBar(std::string what, int workers)
    : what_(std::move(what)), workers_(workers), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::show(const lab::Progress& progress, bool stopping) {
  if (!std::exchange(said_start_, true)) {
    const std::string found =
        progress.found > 0 ? fmt::format(", {} of them done before", progress.found) : "";
    to_standard_error(fmt::format("tacit: {}: {} block{}{}\n", what_, progress.total,
                                  progress.total == 1 ? "" : "s", found));
  }
  // A terminal sees it move; a log gets a line a minute.
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::minutes(1);
  const Clock::time_point now = Clock::now();
  const bool due = terminal_ ? now - last_ >= pause : now - std::max(last_, started_) >= pause;
  if (due && progress.done < progress.total) {
    last_ = now;
    draw(progress, stopping);
  }
}

void ProgressBar::draw(const lab::Progress& progress, bool stopping) {
  const double share = static_cast<double>(progress.done) /
                       static_cast<double>(std::max<std::int64_t>(progress.total, 1));
  std::string left;
  if (stopping) {
    left = "stopping when the blocks in flight are done; Ctrl-C again drops them";
  } else if (progress.done > progress.found) {
    left = fmt::format("about {} left", duration_text(progress.cpu_left / workers_));
  }
  if (!terminal_) {
    to_standard_error(fmt::format("tacit: {} of {} blocks{}{}\n", progress.done, progress.total,
                                  left.empty() ? "" : ", ", left));
    return;
  }
  constexpr int kWidth = 30;
  const int full = static_cast<int>(share * kWidth);
  to_standard_error(
      fmt::format("\r[{}{}] {:3.0f}%  {}\033[K", std::string(static_cast<std::size_t>(full), '#'),
                  std::string(static_cast<std::size_t>(kWidth - full), '.'), 100 * share, left));
}

void ProgressBar::clear() const {
  if (terminal_) to_standard_error("\r\033[K");
}

std::string ProgressBar::elapsed() const {
  return duration_text(std::chrono::duration<double>(Clock::now() - started_).count());
}

}  // namespace tacit::cli
