#include <cmath>

#include <fmt/format.h>

#include "measurements.hpp"
#include "servers.hpp"

namespace tacit::benchmarks {

void measure_soak(const Plan& plan, Report& report) {
  const Folder folder(plan.folder);
  // Answers are late by seconds only, so that slots are released while it lasts.
  TacitServe serve(folder, {.name = "soak", .wait = "5s"});
  Requests requests = serve.requests();
  Connections connections(serve.port(), plan.connections);
  const auto measured = [&](std::uint64_t decisions) {
    ask_and_tell_many(connections, requests, decisions);
    return static_cast<double>(serve.process().resident()) / (1 << 20);
  };
  const double after_a_tenth = measured(plan.decisions / 10);
  const double after_all = measured(plan.decisions - plan.decisions / 10);
  const double stored = static_cast<double>(serve.stored()) / (1 << 20);
  fmt::print(
      "{} decisions, each with its outcome: {:.1f} MiB in memory after a tenth, {:.1f} after all\n",
      plan.decisions, after_a_tenth, after_all);
  report.at_most("memory after all decisions, by that after a tenth", after_all / after_a_tenth,
                 1.05);
  report.at_most("MiB of the store", stored, 50);
  serve.stop(requests);
  // A third of the outcomes is 1, and of so many the noise is next to nothing.
  report.at_most("mean of what was released, off what was told",
                 std::abs(3 * serve.released_mean() - 1), 0.05);
}

}  // namespace tacit::benchmarks
