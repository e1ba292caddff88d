// What skipping gains, what the library's structure costs beside loops that are written by hand, what holding a policy
// costs, and how much memory all of it takes.
#include <sys/resource.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hand_written.hpp"
#include "measuring.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/live/policy.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::benchmarks {
namespace {

constexpr Round kTrillion = 1000000000000;
constexpr Round kHeldRounds = 20000;

/// On the five arms, at epsilon 1.
Job five_arms(const std::string& policy, const std::string& horizon, bool plain) {
  return job({.problem = {.name = "hu-linear"},
              .policy = policy,
              .epsilon = "1",
              .horizon = horizon,
              .plain = plain});
}

/// A policy that an application holds: answers at once, secure noise, nothing saved.
Job live_job(const std::string& policy) {
  return {[policy](std::uint64_t run) {
    live::Policy held({.policy = policy,
                       .arms = static_cast<int>(kFiveMeans.size()),
                       .epsilon = policy == "ucb1" ? std::nullopt : std::optional<double>(1)});
    auto world = random::SimulationKey(1, "held", policy, run).stream(random::Purpose::kOutcomes);
    for (Round t = 0; t < kHeldRounds; ++t) {
      const live::Ticket ticket = held.choose();
      held.report(
          ticket,
          random::bernoulli(world, kFiveMeans[static_cast<std::size_t>(ticket.arm())]) ? 1 : 0);
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
  return {[simulator](std::uint64_t run) { simulator->run(run); }};
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

}  // namespace

void measure_skipping(Report& report) {
  using policies::Pace;
  fmt::print(
      "K = 5, epsilon = 1 (sets: as said, epsilon = 2), CPU time a run, smallest of seven\n\n");
  fmt::print("{:<66} {:>10}   {}\n", "ratio", "measured", "limit");

  Job plain_lazy = five_arms("anytime-lazy-ucb", "1e6", true);
  Job fast_lazy = five_arms("anytime-lazy-ucb", "1e6", false);
  Job plain_ucb1 = five_arms("ucb1", "1e6", true);
  Job plain_beta = five_arms("thompson-beta", "1e6", true);
  Job hand_ucb1{[](std::uint64_t i) { hand_written_ucb1(kFiveMeans, kMillion, i); }};
  Job hand_beta{[](std::uint64_t i) { hand_written_thompson_beta(kFiveMeans, kMillion, i); }};
  Job hand_lazy{[](std::uint64_t i) { hand_written_anytime_lazy_ucb(kFiveMeans, 1, kMillion, i); }};
  measure({&plain_lazy, &hand_lazy, &fast_lazy, &plain_ucb1, &hand_ucb1, &plain_beta, &hand_beta});
  report.at_least("anytime-lazy-ucb, T=1e6: plain / skipping", plain_lazy.best / fast_lazy.best,
                  1000);
  report.at_most("ucb1, plain: library / hand-written", plain_ucb1.best / hand_ucb1.best, 1.0);
  report.at_most("thompson-beta, plain: library / hand-written", plain_beta.best / hand_beta.best,
                 1.25);
  report.at_most("anytime-lazy-ucb, plain: library / hand-written",
                 plain_lazy.best / hand_lazy.best, 1.25);

  for (const char* name : {"anytime-lazy-ucb", "mgf-imed", "ucb1"}) {
    Job held = live_job(name);
    measure({&held, &plain_ucb1});
    report.at_most(fmt::format("{}, held: choose and report / a round of plain ucb1", name),
                   held.best / kHeldRounds / (plain_ucb1.best / kMillion), 40);
  }

  for (const char* name :
       {"anytime-lazy-ucb", "adap-ucb", "adap-klucb", "dp-klucb", "dp-imed", "dp-se", "rnm-ftnl"}) {
    Job million = five_arms(name, "1e6", false);
    Job trillion = five_arms(name, "1e12", false);
    measure({&million, &trillion, &plain_ucb1});
    report.at_most(fmt::format("{}, T=1e6: skipping / plain ucb1", name),
                   million.best / plain_ucb1.best, 0.02);
    report.at_most(fmt::format("{}: T=1e12 / T=1e6", name), trillion.best / million.best, 4);
  }

  {
    Job plain = five_arms("lazy-dp-ts", "1e6", true);
    Job million = five_arms("lazy-dp-ts", "1e6", false);
    Job billion = five_arms("lazy-dp-ts", "1e9", false);
    measure({&plain, &million, &billion}, 5);
    report.at_least("lazy-dp-ts, T=1e6: plain / skipping", plain.best / million.best, 100);
    report.at_most("lazy-dp-ts: T=1e9 / T=1e6", billion.best / million.best, 3);
  }
  {
    const auto vectors = hundred_vectors();
    const std::vector<double> means = spread_means(100, 0.2, 0.6);
    Job plain = set_job("dpucb-mat", means, vectors, kMillion, Pace::kPlain);
    Job fast = set_job("dpucb-mat", means, vectors, kMillion, Pace::kSkipping);
    measure({&fast});
    measure_once(plain);
    report.at_least("dpucb-mat, 100 arms of rank 17, T=1e6: plain / skipping",
                    plain.best / fast.best, 50);
  }
  {
    const auto sampler = [](bool plain) {
      return job({.problem = {.name = "chandak-vectors"},
                  .policy = "dpts-mat",
                  .epsilon = "2",
                  .horizon = "1e6",
                  .plain = plain});
    };
    Job plain = sampler(true);
    Job fast = sampler(false);
    measure({&fast, &plain}, 3);
    report.at_least("dpts-mat, 7 arms of rank 3, T=1e6: plain / skipping", plain.best / fast.best,
                    10);
  }
  {
    // A round of top:10 touches ten arms: a hundred times as many others must not matter much.
    constexpr Round kRounds = 20000;
    Job few = set_job("cucb-ldp2", spread_means(100, 0.3, 0.7),
                      std::make_shared<actions::TopK>(100, 10), kRounds, Pace::kPlain);
    Job many = set_job("cucb-ldp2", spread_means(10000, 0.3, 0.7),
                       std::make_shared<actions::TopK>(10000, 10), kRounds, Pace::kPlain);
    measure({&few, &many, &plain_ucb1});
    report.at_most("cucb-ldp2, top:10: m=10000 / m=100", many.best / few.best, 4);
    report.at_most("cucb-ldp2, top:10 of 10000, a round / a round of plain ucb1",
                   many.best / kRounds / (plain_ucb1.best / kMillion), 200);
    fmt::print("{:<66} {:>10.4g}   microseconds a round, on this machine now\n", "  the same",
               1e6 * many.best / kRounds);
  }

  simulation::Request r;
  r.policy = "anytime-lazy-ucb";
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>(kFiveMeans.begin(), kFiveMeans.end()), problems::Rewards::kBernoulli);
  r.horizon = kTrillion;
  r.runs = 1000;
  r.threads = 2;
  r.checkpoints = {kTrillion};
  simulation::simulate(r);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  report.at_most("peak memory of all of this and 1000 runs at T=1e12, MiB",
                 static_cast<double>(usage.ru_maxrss) / 1024, 64);

  fmt::print(
      "\nfor scale, on this machine at this moment: ucb1 {:.0f} ns a round, "
      "thompson-beta {:.0f} ns a round, anytime-lazy-ucb {:.1f} us a run of 1e6\n",
      1e9 * plain_ucb1.best / kMillion, 1e9 * plain_beta.best / kMillion, 1e6 * fast_lazy.best);
}

}  // namespace tacit::benchmarks
