// What the disk takes for one durable commit, whoever asks for it: the unit of the service's times.
#pragma once

#include <string>

#include "histogram.hpp"
#include "traffic.hpp"

namespace tacit::benchmarks {

/// Commits of one small row each, synced as the service's are, one after the other for a while; their times.
Histogram synced_commits(const std::string& file, Seconds duration);

}  // namespace tacit::benchmarks
