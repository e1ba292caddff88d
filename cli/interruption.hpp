// Ctrl-C, and being told to stop.
#pragma once

#include <atomic>

namespace tacit::cli {

/// From now on the first SIGINT or SIGTERM sets the flag, so that the work in flight can be finished; the second
/// ends the program at once.
const std::atomic<bool>* stop_when_interrupted();

}  // namespace tacit::cli
