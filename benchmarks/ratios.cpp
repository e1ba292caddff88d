// The speeds that tacit promises, as ratios measured in one run: absolute times mean nothing on a
// noisy machine. Prints every ratio with its limit; exits 1 when one is missed.
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hand_written.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace {

using namespace tacit;

const benchmarks::Means kMeans{0.75, 0.625, 0.5, 0.375, 0.25};
constexpr Round kMillion = 1000000;
constexpr Round kTrillion = 1000000000000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A job's name and one run of it.
struct Job {
  std::string name;
  std::function<void(std::uint64_t run)> run;
  double best = 1e300;  // seconds a run, the smallest of all repetitions
};

Job library_job(const std::string& policy, Round horizon, policies::Pace pace) {
  simulation::Request r;
  r.policy = policy;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>(kMeans.begin(), kMeans.end()), problems::Rewards::kBernoulli);
  r.horizon = horizon;
  r.runs = 1;
  r.checkpoints = {horizon};
  r.pace = pace;
  const std::shared_ptr<simulation::Simulator> simulator = simulation::prepare(r);
  return {policy, [simulator](std::uint64_t run) { simulator->run(run); }};
}

/// The smallest time of several repetitions, jobs taken in turn so that a slow moment hits all
/// alike.
void measure(std::vector<Job*> jobs) {
  constexpr int kRepetitions = 7;
  constexpr double kLongEnough = 0.02;  // seconds a repetition
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    for (Job* job : jobs) {
      std::uint64_t runs = 0;
      const double start = cpu_seconds();
      double spent = 0;
      while (spent < kLongEnough) {
        job->run(1000 * static_cast<std::uint64_t>(repetition) + runs++);
        spent = cpu_seconds() - start;
      }
      job->best = std::min(job->best, spent / static_cast<double>(runs));
    }
  }
}

int missed = 0;

void report(const std::string& what, double ratio, const char* relation, double limit) {
  const bool holds = std::string(relation) == ">=" ? ratio >= limit : ratio <= limit;
  if (!holds) ++missed;
  fmt::print("{:<66} {:>10.4g}   {} {:<8.4g} {}\n", what, ratio, relation, limit,
             holds ? "holds" : "MISSED");
}

}  // namespace

int main() {
  using policies::Pace;
  fmt::print("K = 5, epsilon = 1, CPU time a run, smallest of seven repetitions\n\n");
  fmt::print("{:<66} {:>10}   {}\n", "ratio", "measured", "limit");

  Job plain_lazy = library_job("anytime-lazy-ucb", kMillion, Pace::kPlain);
  Job fast_lazy = library_job("anytime-lazy-ucb", kMillion, Pace::kSkipping);
  Job plain_ucb1 = library_job("ucb1", kMillion, Pace::kPlain);
  Job plain_beta = library_job("thompson-beta", kMillion, Pace::kPlain);
  Job hand_ucb1{"", [](std::uint64_t i) { benchmarks::hand_written_ucb1(kMeans, kMillion, i); }};
  Job hand_beta{
      "", [](std::uint64_t i) { benchmarks::hand_written_thompson_beta(kMeans, kMillion, i); }};
  Job hand_lazy{"", [](std::uint64_t i) {
                  benchmarks::hand_written_anytime_lazy_ucb(kMeans, 1, kMillion, i);
                }};
  measure({&plain_lazy, &hand_lazy, &fast_lazy, &plain_ucb1, &hand_ucb1, &plain_beta, &hand_beta});
  report("anytime-lazy-ucb, T=1e6: plain / skipping", plain_lazy.best / fast_lazy.best, ">=", 1000);
  report("ucb1, plain: library / hand-written", plain_ucb1.best / hand_ucb1.best, "<=", 1.25);
  report("thompson-beta, plain: library / hand-written", plain_beta.best / hand_beta.best,
         "<=", 1.25);
  report("anytime-lazy-ucb, plain: library / hand-written", plain_lazy.best / hand_lazy.best,
         "<=", 1.25);

  for (const char* name :
       {"anytime-lazy-ucb", "adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "dp-se", "rnm-ftnl"}) {
    Job million = library_job(name, kMillion, Pace::kSkipping);
    Job trillion = library_job(name, kTrillion, Pace::kSkipping);
    measure({&million, &trillion, &plain_ucb1});
    report(fmt::format("{}, T=1e6: skipping / plain ucb1", name), million.best / plain_ucb1.best,
           "<=", 0.02);
    report(fmt::format("{}: T=1e12 / T=1e6", name), trillion.best / million.best, "<=", 4);
  }

  simulation::Request r;
  r.policy = "anytime-lazy-ucb";
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>(kMeans.begin(), kMeans.end()), problems::Rewards::kBernoulli);
  r.horizon = kTrillion;
  r.runs = 1000;
  r.threads = 2;
  r.checkpoints = {kTrillion};
  simulation::simulate(r);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  report("peak memory of all of this and 1000 runs at T=1e12, MiB",
         static_cast<double>(usage.ru_maxrss) / 1024, "<=", 64);

  fmt::print(
      "\nfor scale, on this machine at this moment: ucb1 {:.0f} ns a round, "
      "thompson-beta {:.0f} ns a round, anytime-lazy-ucb {:.1f} us a run of 1e6\n",
      1e9 * plain_ucb1.best / kMillion, 1e9 * plain_beta.best / kMillion, 1e6 * fast_lazy.best);
  return missed == 0 ? 0 : 1;
}
