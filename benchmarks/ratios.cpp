// The speeds that tacit promises, as ratios measured in one run: absolute times mean nothing on a
// noisy machine. Prints every ratio with its limit; exits 1 when one is missed.
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hand_written.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/live/policy.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/random/distributions.hpp"
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

constexpr Round kHeldRounds = 20000;

/// A policy that an application holds: answers at once, secure noise, nothing saved.
Job live_job(const std::string& policy) {
  return {
      policy, [policy](std::uint64_t run) {
        live::Policy held({.policy = policy,
                           .arms = static_cast<int>(kMeans.size()),
                           .epsilon = policy == "ucb1" ? std::nullopt : std::optional<double>(1)});
        auto world =
            random::SimulationKey(1, "held", policy, run).stream(random::Purpose::kOutcomes);
        for (Round t = 0; t < kHeldRounds; ++t) {
          const live::Ticket ticket = held.choose();
          held.report(
              ticket,
              random::bernoulli(world, kMeans[static_cast<std::size_t>(ticket.arm())]) ? 1 : 0);
        }
      }};
}

/// A policy on sets at epsilon 2.
Job set_job(const std::string& policy, std::vector<double> means,
            std::shared_ptr<const actions::ActionSet> actions, Round horizon, policies::Pace pace) {
  simulation::Request r;
  r.policy = policy;
  r.epsilon = 2;
  r.problem =
      std::make_shared<problems::IndependentArms>(std::move(means), problems::Rewards::kBernoulli);
  r.actions = std::move(actions);
  r.horizon = horizon;
  r.runs = 1;
  r.checkpoints = {horizon};
  r.pace = pace;
  const std::shared_ptr<simulation::Simulator> simulator = simulation::prepare(r);
  return {policy, [simulator](std::uint64_t run) { simulator->run(run); }};
}

/// A hundred vectors of 17 bits, of full rank, and means for them: the size of the thesis's movies.
std::shared_ptr<const actions::ActionSet> hundred_vectors() {
  auto stream = random::SimulationKey(1, "ratios", "vectors", 0).stream(random::Purpose::kOutcomes);
  std::vector<std::vector<std::int64_t>> rows(100, std::vector<std::int64_t>(17));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t& entry : rows[i]) entry = stream() % 6 == 0 ? 1 : 0;  // few genres a movie
    if (i < 17) rows[i][i] = 1;
  }
  return std::make_shared<actions::MatroidBases>(std::make_shared<actions::LinearMatroid>(rows),
                                                 "hundred vectors");
}

std::vector<double> spread_means(int arms, double low, double high) {
  std::vector<double> means;
  for (int i = 0; i < arms; ++i) means.push_back(high - (high - low) * i / arms);
  return means;
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

/// One run, for jobs of many seconds.
void measure_once(Job& job) {
  const double start = cpu_seconds();
  job.run(0);
  job.best = cpu_seconds() - start;
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
  fmt::print(
      "K = 5, epsilon = 1 (sets: as said, epsilon = 2), CPU time a run, smallest of seven\n\n");
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
  report("ucb1, plain: library / hand-written", plain_ucb1.best / hand_ucb1.best, "<=", 1.0);
  report("thompson-beta, plain: library / hand-written", plain_beta.best / hand_beta.best,
         "<=", 1.25);
  report("anytime-lazy-ucb, plain: library / hand-written", plain_lazy.best / hand_lazy.best,
         "<=", 1.25);

  for (const char* name : {"anytime-lazy-ucb", "mgf-imed", "ucb1"}) {
    Job held = live_job(name);
    measure({&held, &plain_ucb1});
    report(fmt::format("{}, held: choose and report / a round of plain ucb1", name),
           held.best / kHeldRounds / (plain_ucb1.best / kMillion), "<=", 40);
  }

  for (const char* name :
       {"anytime-lazy-ucb", "adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "dp-se", "rnm-ftnl"}) {
    Job million = library_job(name, kMillion, Pace::kSkipping);
    Job trillion = library_job(name, kTrillion, Pace::kSkipping);
    measure({&million, &trillion, &plain_ucb1});
    report(fmt::format("{}, T=1e6: skipping / plain ucb1", name), million.best / plain_ucb1.best,
           "<=", 0.02);
    report(fmt::format("{}: T=1e12 / T=1e6", name), trillion.best / million.best, "<=", 4);
  }

  {
    const auto vectors = hundred_vectors();
    const std::vector<double> means = spread_means(100, 0.2, 0.6);
    Job plain = set_job("dpucb-mat", means, vectors, kMillion, Pace::kPlain);
    Job fast = set_job("dpucb-mat", means, vectors, kMillion, Pace::kSkipping);
    measure({&fast});
    measure_once(plain);
    report("dpucb-mat, 100 arms of rank 17, T=1e6: plain / skipping", plain.best / fast.best,
           ">=", 50);
  }
  {
    // A round of top:10 touches ten arms: a hundred times as many others must not matter much.
    constexpr Round kRounds = 20000;
    Job few = set_job("cucb-ldp2", spread_means(100, 0.3, 0.7),
                      std::make_shared<actions::TopK>(100, 10), kRounds, Pace::kPlain);
    Job many = set_job("cucb-ldp2", spread_means(10000, 0.3, 0.7),
                       std::make_shared<actions::TopK>(10000, 10), kRounds, Pace::kPlain);
    measure({&few, &many, &plain_ucb1});
    report("cucb-ldp2, top:10: m=10000 / m=100", many.best / few.best, "<=", 4);
    report("cucb-ldp2, top:10 of 10000, a round / a round of plain ucb1",
           many.best / kRounds / (plain_ucb1.best / kMillion), "<=", 200);
    fmt::print("{:<66} {:>10.4g}   microseconds a round, on this machine now\n", "  the same",
               1e6 * many.best / kRounds);
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
