// What is measured of the service, a file each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../report.hpp"
#include "traffic.hpp"

namespace tacit::benchmarks {

struct Plan {
  Seconds seconds{2};             // of every single measurement
  int repetitions = 3;            // in turn, so that a slow moment hits all alike; the best counts
  std::size_t connections = 256;  // kept alive
  std::uint64_t decisions = 10000000;  // of a soak
  std::string folder = "/var/tmp";     // where stores are made: a disk, as a rule
};

/// What the service gets through, by what a bare echo does.
void measure_rates(const Plan& plan, Report& report);
/// What a decision waits at a tenth of that, by what a commit or an echo takes.
void measure_latency(const Plan& plan, Report& report);
/// The same once more by h2load, an independent client, where it is installed.
void measure_with_h2load(const Plan& plan, Report& report);
/// How long a start takes after much was released.
void measure_start(const Plan& plan, Report& report);
/// That memory and files do not grow with decisions.
void measure_soak(const Plan& plan, Report& report);

}  // namespace tacit::benchmarks
