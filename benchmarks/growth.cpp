// How costs grow with the number of arms and with the horizon: equal gaps of 0.1, epsilon 1.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "measuring.hpp"

namespace tacit::benchmarks {
namespace {

constexpr int kArms[] = {10, 100, 1000, 10000};
constexpr const char* kHorizons[] = {"1e4", "1e6", "1e9", "1e12"};

struct Growing {
  const char* policy;
  double at_100, at_1000;  // of plain ucb1 with as many arms
};
constexpr Growing kGrowing[] = {
    {"anytime-lazy-ucb", 0.02, 0.02}, {"mgf-imed", 0.2, 0.2}, {"lazy-dp-ts", 1, 2}};

Job growing_job(const char* policy, int arms, const char* horizon, bool plain = false) {
  return job({.problem = {.name = fmt::format("equal-gaps:{}:0.1", arms)},
              .policy = policy,
              .epsilon = "1",
              .horizon = horizon,
              .plain = plain});
}

}  // namespace

void measure_growth(Report& report) {
  fmt::print(
      "\nmilliseconds a run, equal gaps of 0.1, epsilon 1, on this machine at this moment\n");
  fmt::print("{:<20}{:>8}", "", "arms");
  for (const char* horizon : kHorizons) fmt::print("{:>12}", fmt::format("T={}", horizon));
  fmt::print("{:>18}\n", "ucb1, plain, 1e6");
  std::vector<double> shares;
  double ucb1[std::size(kArms)] = {};
  for (const Growing& it : kGrowing) {
    for (std::size_t k = 0; k < std::size(kArms); ++k) {
      fmt::print("{:<20}{:>8}", it.policy, kArms[k]);
      for (const char* horizon : kHorizons) {
        Job run = growing_job(it.policy, kArms[k], horizon);
        if (kArms[k] < 1000)
          measure({&run}, 3);
        else
          measure_once(run);
        fmt::print("{:>12.4g}", 1e3 * run.best);
        std::fflush(stdout);
        if (horizon != kHorizons[1]) continue;
        if (ucb1[k] == 0) {
          const bool large = kArms[k] > 1000;
          Job plain = growing_job("ucb1", kArms[k], large ? "1e5" : "1e6", true);
          measure_once(plain);
          ucb1[k] = plain.best * (large ? 10 : 1);
        }
        shares.push_back(run.best / ucb1[k]);
      }
      fmt::print("{:>18.4g}\n", 1e3 * ucb1[k]);
    }
  }
  fmt::print("\n");
  auto share = shares.begin();
  for (const Growing& it : kGrowing) {
    for (const int arms : kArms) {
      const double limit = arms == 100 ? it.at_100 : it.at_1000;
      if (arms == 100 || arms == 1000) {
        report.at_most(fmt::format("{}, {} arms, T=1e6: a run / of plain ucb1", it.policy, arms),
                       *share, limit);
      }
      ++share;
    }
  }
  {
    Job unit_job = plain_ucb1();
    std::string means;
    for (int i = 0; i < 10000; ++i)
      means += fmt::format("{}{:.5f}", i == 0 ? "" : ",", 0.7 - 0.4 * i / 10000);
    Job it = job({.problem = {.means = means, .actions = "top:10"},
                  .policy = "lazy-kl-cucb",
                  .epsilon = "1",
                  .horizon = "1e6"});
    measure({&unit_job}, 3);
    measure_once(it);
    report.at_most("lazy-kl-cucb, top 10 of 10000, T=1e6: a run / 1e6 rounds of ucb1",
                   it.best / unit_job.best, 40);
  }
}

}  // namespace tacit::benchmarks
