#include <algorithm>

#include <fmt/format.h>

#include "measurements.hpp"
#include "servers.hpp"
#include "synced_commits.hpp"

namespace tacit::benchmarks {
namespace {

double milliseconds(double seconds) { return 1e3 * seconds; }

void keep_best(double& best, const Histogram& times) {
  best = std::min(best, times.quantile(0.99));
}

}  // namespace

void measure_latency(const Plan& plan, Report& report) {
  const Folder folder(plan.folder);
  const Echo echo(folder);
  TacitServe strict(folder, {.name = "strict"});
  TacitServe fast(folder, {.name = "fast", .durability = "fast"});
  Requests for_strict = strict.requests();
  Requests for_fast = fast.requests();
  Requests to_nobody = strict.requests();
  Connections to_strict(strict.port(), plan.connections);
  Connections to_fast(fast.port(), plan.connections);
  const double rate = ask_and_tell(to_strict, for_strict, plan.seconds) / 10;

  double commit = 1;
  double echoed = 1;
  double strictly = 1;
  double quickly = 1;
  for (int i = 0; i < plan.repetitions; ++i) {
    keep_best(commit, synced_commits(folder.file("commits.db"), plan.seconds));
    keep_best(strictly, paced(to_strict, for_strict, rate, plan.seconds));
    keep_best(quickly, paced(to_fast, for_fast, rate, plan.seconds));
    Connections to_echo(echo.port(), plan.connections);  // it closes what is idle for seconds
    keep_best(echoed, paced(to_echo, to_nobody, rate, plan.seconds, kSomeEvent));
  }
  strict.stop(for_strict);
  fast.stop(for_fast);
  fmt::print(
      "at {:.0f} requests a second, 99 of 100 decisions take {:.3g} ms, with durability=fast "
      "{:.3g} ms; the echo {:.3g} ms, a commit {:.3g} ms\n",
      rate, milliseconds(strictly), milliseconds(quickly), milliseconds(echoed),
      milliseconds(commit));
  report.at_most("p99 of a strict decision, by p99 of one commit", strictly / commit, 5);
  report.at_most("p99 of a decision with durability=fast, by the echo's", quickly / echoed, 10);
}

}  // namespace tacit::benchmarks
