// A policy from outside the catalogue, and runs that are given up.
#include "tacit/simulation/held_simulator.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "tacit/actions/top_k.hpp"
#include "tacit/simulation/catalogue_cases_test.hpp"

namespace tacit::simulation {
namespace {

Request request_of(const std::string& policy, Round horizon) {
  Request r;
  r.policy = policy;
  r.epsilon = 0.8;
  r.problem = arms({0.3, 0.8, 0.5, 0.6}, problems::Rewards::kBernoulli);
  if (policies::find_policy(policy).card.plays_sets())
    r.actions = std::make_shared<actions::TopK>(4, 2);
  r.horizon = horizon;
  r.runs = 3;
  r.checkpoints = {1, horizon};
  return r;
}

class FromOutside : public ::testing::TestWithParam<std::string> {};

TEST_P(FromOutside, APolicyPlaysAsItDoesFromTheCatalogue) {
  for (const Round horizon : {Round{2}, Round{65}, Round{3000}}) {
    for (const auto pace : {policies::Pace::kSkipping, policies::Pace::kPlain}) {
      Request by_name = request_of(GetParam(), horizon);
      by_name.pace = pace;
      Request own = by_name;
      own.own_entry = std::make_shared<policies::Entry>(policies::find_policy(GetParam()));
      for (std::uint64_t run = 0; run < 2; ++run) {
        const simulation::Run a = prepare(by_name)->run(run);
        const simulation::Run b = prepare(own)->run(run);
        EXPECT_EQ(a.regrets, b.regrets);
        EXPECT_EQ(a.pulls, b.pulls);
        EXPECT_EQ(a.decisions, b.decisions);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, FromOutside, ::testing::ValuesIn(all_names()), test_name);

TEST(OwnEntry, ItsNameNeedNotBeKnown) {
  Request r = request_of("ucb1", 100);
  r.policy = "nobody's";
  EXPECT_THROW(prepare(r), InvalidParameter);
  r.own_entry = std::make_shared<policies::Entry>(policies::find_policy("ucb1"));
  EXPECT_EQ(simulate(r).mean_pulls.size(), 4U);
}

class GivenUp : public ::testing::TestWithParam<std::string> {};

TEST_P(GivenUp, ARunEndsSoonAfterItIsAskedTo) {
  std::atomic<bool> stop{true};
  Request r = request_of(GetParam(), 1000);
  r.stop = &stop;
  EXPECT_THROW(simulate(r), Stopped);
  r.delay = Delay::parse("7");
  EXPECT_THROW(simulate(r), Stopped);
  stop = false;
  EXPECT_EQ(simulate(r).final_regrets.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, GivenUp, ::testing::ValuesIn(all_names()), test_name);

TEST(StopFlag, IsSeenWhenAnotherThreadSetsIt) {
  std::atomic<bool> stop{false};
  Request r = request_of("ucb1", 1000000000000);
  r.stop = &stop;
  r.threads = 2;
  const std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  EXPECT_THROW(simulate(r), Stopped);
}

}  // namespace
}  // namespace tacit::simulation
