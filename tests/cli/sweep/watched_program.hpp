// Runs the program beside a watchdog: a command that does not end is a finding, not a test that hangs.
#pragma once

#include <chrono>

#include "cli/program.hpp"

namespace tacit::cli_test {

struct Watched {
  bool ended = false;  // false: the watchdog ended it
  Result result;
};

/// At most so many seconds of work, which a busy machine does not lengthen. Without a shell, so that thousands take no minutes;
/// standard input is empty.
Watched run_watched(const Arguments& arguments, std::chrono::seconds at_most);

}  // namespace tacit::cli_test
