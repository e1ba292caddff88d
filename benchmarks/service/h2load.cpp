// The limits of latency.cpp, held by a client that others wrote. It asks for decisions and tells no outcomes.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "measurements.hpp"
#include "servers.hpp"
#include "synced_commits.hpp"

namespace tacit::benchmarks {
namespace {

constexpr const char* kProgram = "/usr/bin/h2load";

Histogram paced_by_h2load(const Plan& plan, const Folder& folder, const TacitServe& serve,
                          std::uint16_t port, double rate) {
  const std::string body = folder.file("body");
  const std::string times = folder.file("times");
  std::ofstream(body) << "{}";
  std::filesystem::remove(times);
  // Its clients send whenever their own period is over: they start one after the other, or all would send at once.
  output_of({kProgram,
             "--h1",
             "--clients",
             std::to_string(plan.connections),
             "--rate",
             fmt::format("{:.0f}", std::ceil(rate / 1000)),
             "--rate-period",
             "1ms",
             "--requests",
             fmt::format("{:.0f}", rate * plan.seconds.count()),
             "--rps",
             fmt::format("{:.4f}", rate / static_cast<double>(plan.connections)),
             "--data",
             body,
             "--header",
             "content-type: application/json",
             "--header",
             "authorization: Bearer " + serve.key(),
             "--log-file",
             times,
             fmt::format("http://127.0.0.1:{}/v1/experiments/{}/decisions", port,
                         TacitServe::kExperiment)},
            folder);
  Histogram histogram;
  std::ifstream file(times);
  std::int64_t begun = 0;  // microseconds
  int status = 0;
  std::int64_t took = 0;
  while (file >> begun >> status >> took) {
    if (status != 200) throw std::runtime_error(fmt::format("h2load was answered {}", status));
    histogram.add(1000 * took);
  }
  if (histogram.total() < 100) throw std::runtime_error("h2load tells too few times");
  return histogram;
}

}  // namespace

void measure_with_h2load(const Plan& plan, Report& report) {
  if (!std::filesystem::exists(kProgram)) {
    fmt::print("h2load: not here (Debian: nghttp2-client)\n");
    return;
  }
  const Folder folder(plan.folder);
  const Echo echo(folder);
  const TacitServe strict(folder, {.name = "strict"});
  const TacitServe fast(folder, {.name = "fast", .durability = "fast"});
  Requests requests = strict.requests();
  double rate = 0;
  {
    Connections connections(strict.port(), plan.connections);
    rate = ask_and_tell(connections, requests, plan.seconds) / 10;
  }
  double commit = 1;
  double echoed = 1;
  double strictly = 1;
  double quickly = 1;
  const auto p99 = [&](const TacitServe& serve, std::uint16_t port) {
    return paced_by_h2load(plan, folder, serve, port, rate).quantile(0.99);
  };
  for (int i = 0; i < plan.repetitions; ++i) {
    commit =
        std::min(commit, synced_commits(folder.file("commits.db"), plan.seconds).quantile(0.99));
    strictly = std::min(strictly, p99(strict, strict.port()));
    quickly = std::min(quickly, p99(fast, fast.port()));
    echoed = std::min(echoed, p99(strict, echo.port()));
  }
  fmt::print(
      "h2load at {:.0f} requests a second: p99 of a strict decision {:.3g} ms, with "
      "durability=fast {:.3g} ms; the echo "
      "{:.3g} ms; a commit {:.3g} ms\n",
      rate, 1e3 * strictly, 1e3 * quickly, 1e3 * echoed, 1e3 * commit);
  report.at_most("h2load: p99 of a strict decision, by p99 of one commit", strictly / commit, 5);
  report.at_most("h2load: p99 with durability=fast, by the echo's", quickly / echoed, 10);
}

}  // namespace tacit::benchmarks
