// How costs grow with the number of arms and with the horizon: equal gaps of 0.1, epsilon 1.
#include <cstdio>
#include <map>
#include <string>

#include <fmt/format.h>

#include "measuring.hpp"

namespace tacit::benchmarks {
namespace {

constexpr int kArms[] = {10, 100, 1000, 10000};
constexpr const char* kHorizons[] = {"1e4", "1e6", "1e9", "1e12"};
constexpr const char* kPlayed = kHorizons[1];  // by plain ucb1, too

struct Growing {
  const char* policy;
  std::map<int, double> limits;  // of its share of plain ucb1 with as many arms
};

Job growing_job(const std::string& policy, int arms, const std::string& horizon, bool plain) {
  return job({.problem = {.name = fmt::format("equal-gaps:{}:0.1", arms)},
              .policy = policy,
              .epsilon = "1",
              .horizon = horizon,
              .plain = plain});
}

double milliseconds(Job job, int arms) {
  constexpr int kMany = 10000;
  if (arms < kMany) {
    measure({&job}, 3);
  } else {
    measure_once(job);
  }
  return 1e3 * job.best;
}

/// Three digits, and no exponents.
std::string figure(double milliseconds) {
  return milliseconds < 1000 ? fmt::format("{:.3g}", milliseconds)
                             : fmt::format("{:.0f}", milliseconds);
}

/// What plain ucb1 takes for a million rounds; of very many arms from a tenth of them.
double plain_milliseconds(int arms) {
  constexpr int kVeryMany = 10000;
  if (arms < kVeryMany) return milliseconds(growing_job("ucb1", arms, kPlayed, true), arms);
  return 10 * milliseconds(growing_job("ucb1", arms, "1e5", true), arms);
}

}  // namespace

void measure_growth(Report& report) {
  const Growing growing[] = {{"anytime-lazy-ucb", {{100, 0.02}, {1000, 0.02}}},
                             {"mgf-imed", {{100, 0.2}, {1000, 0.2}}},
                             {"lazy-dp-ts", {{100, 1}, {1000, 2}}}};
  fmt::print("\nmilliseconds a run, equal gaps of 0.1, epsilon 1, on this machine now\n");
  fmt::print("{:<18}{:>6}", "", "arms");
  for (const char* horizon : kHorizons) fmt::print("{:>10}", fmt::format("T={}", horizon));
  fmt::print("\n");
  std::map<int, double> plain;
  for (const int arms : kArms) {
    plain[arms] = plain_milliseconds(arms);
    fmt::print("{:<18}{:>6}{:>10}{:>10}\n", "ucb1, plain", arms, "", figure(plain[arms]));
  }
  std::map<std::string, std::map<int, double>> shares;
  for (const Growing& it : growing) {
    for (const int arms : kArms) {
      fmt::print("{:<18}{:>6}", it.policy, arms);
      for (const char* horizon : kHorizons) {
        const double time = milliseconds(growing_job(it.policy, arms, horizon, false), arms);
        if (horizon == kPlayed) shares[it.policy][arms] = time / plain[arms];
        fmt::print("{:>10}", figure(time));
        std::fflush(stdout);
      }
      fmt::print("\n");
    }
  }
  fmt::print("\n");
  for (const Growing& it : growing) {
    for (const auto& [arms, limit] : it.limits) {
      report.at_most(fmt::format("{}, {} arms, T=1e6: a run / of plain ucb1", it.policy, arms),
                     shares[it.policy][arms], limit);
    }
  }

  Job unit_job = plain_ucb1();
  Job sets = job({.problem = {.means = falling_means(10000), .actions = "top:10"},
                  .policy = "lazy-kl-cucb",
                  .epsilon = "1",
                  .horizon = "1e6"});
  measure({&sets, &unit_job}, 3);
  report.at_most("lazy-kl-cucb, top 10 of 10000, T=1e6: a run / 1e6 rounds of ucb1",
                 sets.best / unit_job.best, 40);
}

}  // namespace tacit::benchmarks
