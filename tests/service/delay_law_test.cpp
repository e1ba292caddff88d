// With answers that come late the service plays what `tacit simulate --delay` plays, in law: the rounds that it plays each arm, over
// many runs on the same problem, are those of the simulation.
#include <gtest/gtest.h>

#include <deque>

#include "service/rig.hpp"
#include "statistics/goodness_of_fit.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/specs/requests.hpp"

namespace tacit::service {
namespace {

constexpr int kRuns = 200;
constexpr Round kRounds = 1500;
constexpr Round kDelay = 60;
const std::vector<double> kMeans{0.8, 0.6, 0.2};

/// How often the best arm was shown in each run of the service, a decision a second.
std::vector<double> served(const std::string& policy) {
  SecureReleaser releaser;
  Rig rig(releaser);
  rig.population("people", 10 * kRuns);
  std::vector<double> best;
  auto world = random::SimulationKey(4, policy, "world", 0).stream(random::Purpose::kOutcomes);
  for (int run = 0; run < kRuns; ++run) {
    Json spec = small_spec("run" + std::to_string(run));
    spec["policy"] = policy;
    // With the two seconds of grace, what a decision brings is there for the one that is kDelay seconds later.
    spec["wait"] = kDelay - 2;
    const Id id = rig.create(spec);
    Round shown = 0;
    for (Round t = 1; t <= kRounds; ++t) {
      rig.clock.advance(kSecond);
      if (rig.experiment(id).next_due() <= rig.clock.now()) rig.tick();
      const Decision decision = rig.decide(id);
      // At once or late is the same: nothing comes out of a slot before its last deadline.
      const Event event = rig.event(decision);
      std::vector<double> outcomes;
      for (std::size_t arm = 0; arm < kMeans.size(); ++arm) {
        outcomes.push_back(random::bernoulli(world, kMeans[arm]) ? 1 : 0);
      }
      rig.engine().report(event, secret(outcomes[static_cast<std::size_t>(decision.arms[0])]),
                          rig.clock.now());
      shown += decision.arms[0] == 0 ? 1 : 0;
    }
    best.push_back(static_cast<double>(shown));
    rig.engine().stop(id, "", "test", rig.clock.now());
    rig.release_all();
  }
  return best;
}

std::vector<double> simulated(const std::string& policy, const std::string& delay) {
  const simulation::Request request = specs::request({.problem = {.means = "0.8,0.6,0.2"},
                                                      .policy = policy,
                                                      .epsilon = "1",
                                                      .horizon = std::to_string(kRounds),
                                                      .runs = std::to_string(kRuns),
                                                      .noise = "exact",
                                                      .delay = delay})
                                          .request;
  const auto simulator = simulation::prepare(request);
  std::vector<double> best;
  for (int run = 0; run < kRuns; ++run) {
    best.push_back(static_cast<double>(simulator->run(static_cast<std::uint64_t>(run)).pulls[0]));
  }
  return best;
}

class Delayed : public ::testing::TestWithParam<const char*> {};

TEST_P(Delayed, ServesWhatIsSimulatedInLaw) {
  const double critical = testing::ks_two_sample_critical(kRuns, testing::kFamilyError / 4);
  const auto here = served(GetParam());
  const auto there = simulated(GetParam(), std::to_string(kDelay));
  EXPECT_LT(testing::ks_distance(here, there), critical);
  // A test that sees a delay which is not the same.
  EXPECT_GT(testing::ks_distance(here, simulated(GetParam(), std::to_string(8 * kDelay))),
            critical);
}

INSTANTIATE_TEST_SUITE_P(Served, Delayed,
                         ::testing::Values("mgf-imed", "anytime-lazy-ucb", "lazy-dp-ts"),
                         [](const auto& policy) {
                           std::string name = policy.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace tacit::service
