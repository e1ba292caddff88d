// Independent pieces of work over threads.
#pragma once

#include <cstdint>
#include <functional>

namespace tacit::simulation {

/// work(0), ..., work(count - 1), each once, by so many threads, the calling one among them. The first piece that throws ends
/// it: nothing is begun after it, and what it threw is thrown. Returns the CPU seconds of all threads.
double in_parallel(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

}  // namespace tacit::simulation
