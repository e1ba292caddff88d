// Runs that stop when the best arm is known, and intervals beside them.
#include "tacit/simulation/identify.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/cpu_time.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

Request request(const std::string& policy, std::vector<double> means, double epsilon,
                std::int64_t runs) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.problem =
      std::make_shared<problems::IndependentArms>(std::move(means), problems::Rewards::kBernoulli);
  r.horizon = kLastRound;
  r.runs = runs;
  r.checkpoints = {1, kLastRound};
  return r;
}

Request to_find(const std::string& policy, std::vector<double> means, double epsilon,
                std::int64_t runs, Goal goal = {.error = 0.05}) {
  Request r = request(policy, std::move(means), epsilon, runs);
  r.goal = goal;
  return r;
}

TEST(Identify, StopsAndRecommendsTheBest) {
  for (const char* policy :
       {"mgf-tt", "ldp-mgf-tt", "top-two", "dp-se", "adap-tt", "adap-tt-star", "ctb-tt"}) {
    const Summary s = simulate(to_find(policy, {0.4, 0.8, 0.5}, 1, 20));
    EXPECT_EQ(s.goal->stopped, 20) << policy;
    EXPECT_LE(s.goal->wrong, 3) << policy;
    EXPECT_GT(s.curve.back().mean(), 30) << policy;
    EXPECT_LT(s.curve.back().mean(), 1e5) << policy;
  }
}

/// A policy that identifies nothing by itself stops by what it releases.
TEST(Identify, AnyPolicyWhoseReleasesAddUpStopsByThem) {
  for (const char* policy :
       {"mgf-imed", "anytime-lazy-ucb", "dp-klucb", "ldp-ucb-bits", "ucb1", "lazy-dp-ts"}) {
    Request r = to_find(policy, {0.3, 0.8}, 1, 5);
    r.horizon = 10000000;
    const Summary s = simulate(r);
    EXPECT_EQ(s.goal->stopped, 5) << policy;
    EXPECT_EQ(s.goal->wrong, 0) << policy;
  }
}

TEST(Identify, HeuristicThresholdsStopSooner) {
  for (const char* policy : {"adap-tt", "adap-tt-star", "ctb-tt"}) {
    Request r = to_find(policy, {0.4, 0.8, 0.5}, 1, 40);
    const double proven = simulate(r).curve.back().mean();
    r.parameters = {{"threshold", "heuristic"}};
    const Summary s = simulate(r);
    EXPECT_LT(s.curve.back().mean(), 0.75 * proven) << policy;
    EXPECT_LE(s.goal->wrong, 4) << policy;
  }
}

TEST(Identify, SamplesAreThePullsOfTheRun) {
  const auto simulator = prepare(to_find("mgf-tt", {0.4, 0.6, 0.5}, 1, 1));
  for (std::uint64_t index = 0; index < 5; ++index) {
    const auto run = simulator->Simulator::run(index);
    Round pulls = 0;
    for (const Round one : run.pulls) pulls += one;
    EXPECT_EQ(run.identified->samples, pulls);
    EXPECT_EQ(run.regrets.back(), static_cast<double>(pulls));
    EXPECT_EQ(run.regrets.front(), run.identified->right ? 0 : 1);
  }
}

TEST(Identify, FastAndPlainAreTheSameOnPointMasses) {
  for (const char* policy : {"mgf-tt", "dp-se", "mgf-imed", "adap-tt", "adap-tt-star"}) {
    Request fast = to_find(policy, {0.4, 0.6, 0.5}, 1, 1);
    fast.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.4, 0.6, 0.5},
                                                               problems::Rewards::kPoint);
    Request plain = fast;
    plain.pace = policies::Pace::kPlain;
    const auto fast_runs = prepare(fast);
    const auto plain_runs = prepare(plain);
    for (std::uint64_t index = 0; index < 5; ++index) {
      const auto a = fast_runs->Simulator::run(index);
      const auto b = plain_runs->Simulator::run(index);
      EXPECT_EQ(a.pulls, b.pulls) << policy;
      EXPECT_EQ(a.identified->recommended, b.identified->recommended) << policy;
    }
  }
}

TEST(Identify, FastAndPlainAgreeInLaw) {
  constexpr std::int64_t kRuns = 400;
  const auto samples = [](policies::Pace pace, std::uint64_t seed) {
    Request r = to_find("mgf-tt", {0.35, 0.65, 0.5}, 1, kRuns);
    r.pace = pace;
    r.seed = seed;
    return simulate(r).final_regrets;
  };
  const double distance = testing::ks_distance(samples(policies::Pace::kSkipping, 1),
                                               samples(policies::Pace::kPlain, 2));
  EXPECT_LT(distance, testing::ks_two_sample_critical(kRuns, 1e-6));
}

TEST(Identify, ABillionSamplesAreSkipped) {
  const Summary s = simulate(to_find("mgf-tt", {0.5, 0.4999}, 1, 1));
  EXPECT_GT(s.curve.back().mean(), 3e8);
  EXPECT_LT(s.decisions, 500);
}

TEST(Identify, StopsHoweverSmallEpsilonIs) {
  for (const double epsilon : {1e-3, 1e-6, 1e-8, 1e-9}) {
    const Summary s = simulate(to_find("mgf-tt", {0.4, 0.5}, epsilon, 3));
    EXPECT_EQ(s.goal->stopped, 3) << epsilon;
    EXPECT_LT(s.curve.back().mean(), 1e4 / epsilon) << epsilon;
  }
}

TEST(Identify, SeveralArms) {
  const std::vector<double> means = {0.2, 0.7, 0.3, 0.8, 0.6};
  const auto simulator = prepare(to_find("mgf-tt", means, 1, 1, {.error = 0.01, .top = 3}));
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto run = simulator->Simulator::run(index);
    std::vector<Arm> found = run.identified->recommended;
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, (std::vector<Arm>{1, 3, 4}));
    EXPECT_TRUE(run.identified->right);
  }
}

TEST(Identify, ABudgetIsPlayedToItsEnd) {
  for (const char* policy : {"mgf-tt", "ldp-mgf-tt", "top-two", "mgf-imed", "dp-ucb-tree"}) {
    Request r = to_find(policy, {0.3, 0.8, 0.4}, 1, 40, {.budget = true});
    r.horizon = 3000;
    const Summary s = simulate(r);
    EXPECT_EQ(s.curve.back().mean(), 3000) << policy;
    EXPECT_LE(s.goal->wrong, 4) << policy;
  }
}

/// What is filling when the budget ends is released then: with one phase in all, there would be nothing else.
TEST(Identify, WhatIsFillingAtTheEndOfABudgetCounts) {
  Request r = to_find("mgf-tt", {0.1, 0.9}, 1, 40, {.budget = true});
  r.horizon = 70;  // the first phases have 40 rounds
  const Summary s = simulate(r);
  EXPECT_EQ(s.goal->wrong, 0);
}

TEST(Identify, WhoKnowsNothingIsWrong) {
  // No epoch of dp-se ends in so few rounds, and it cannot be cut short.
  Request r = to_find("dp-se", {0.9, 0.1}, 1, 5, {.budget = true});
  r.horizon = 50;
  EXPECT_EQ(simulate(r).goal->wrong, 5);
  EXPECT_EQ(simulate(r).goal->silent, 5);
}

TEST(Identify, GivesUpAtTheHorizon) {
  Request r = to_find("mgf-tt", {0.5, 0.5, 0.2}, 1, 10);
  r.horizon = 20000;
  const Summary s = simulate(r);
  EXPECT_LE(s.goal->stopped, 2);
  EXPECT_EQ(s.goal->wrong, 0);  // either of two equal arms is right
}

TEST(Identify, LateAnswersAreWaitedFor) {
  for (const Round delay : {0, 10, 1000}) {
    Request r = to_find("mgf-tt", {0.3, 0.8}, 1, 20);
    r.delay.rounds = delay;
    const Summary s = simulate(r);
    EXPECT_EQ(s.goal->stopped, 20);
    EXPECT_LE(s.goal->wrong, 3);
    EXPECT_GE(s.curve.back().mean(), static_cast<double>(delay));
  }
}

TEST(Identify, RefusesWhatCannotBeIdentified) {
  const auto refused = [](Request r) { EXPECT_THROW(prepare(r), InvalidParameter); };
  refused(to_find("mgf-tt", {0.5}, 1, 1));
  refused(to_find("mgf-tt", {0.5, 0.5}, 1, 1));
  refused(to_find("mgf-tt", {0.5, 0.4}, 1, 1, {.error = 0}));
  refused(to_find("mgf-tt", {0.5, 0.4}, 1, 1, {.error = 1}));
  refused(to_find("mgf-tt", {0.5, 0.4}, 1, 1, {.error = -0.1}));
  refused(to_find("mgf-tt", {0.5, 0.4}, 1, 1, {.error = 0.05, .top = 2}));
  refused(to_find("dp-se", {0.5, 0.4, 0.3}, 1, 1, {.error = 0.05, .top = 2}));
  refused(to_find("lazy-kl-cucb", {0.5, 0.4}, 1, 1));
  refused(to_find("dp-ucb-tree", {0.5, 0.4}, 1, 1));
  refused(to_find("rnm-ftnl", {0.5, 0.4}, 1, 1));
  Request twice = to_find("mgf-tt", {0.5, 0.4}, 1, 1);
  twice.parameters = {{"error", "0.1"}};
  refused(twice);
  Request table = to_find("mgf-tt", {0.5, 0.4}, 1, 1);
  table.problem = std::make_shared<problems::Table>(std::vector<std::vector<double>>(10, {0, 1}));
  table.horizon = 10;
  refused(table);
}

/// Whoever watches changes nothing.
TEST(Intervals, DoNotChangeARun) {
  for (const char* policy :
       {"mgf-imed", "anytime-lazy-ucb", "ldp-ucb-bits", "ucb1", "dp-se", "ftnl"}) {
    Request r = request(policy, {0.4, 0.6, 0.5}, 1, 1);
    r.horizon = 3000;
    r.checkpoints = {10, 100, 3000};
    const auto without = prepare(r);
    r.intervals = 0.05;
    const auto with = prepare(r);
    for (std::uint64_t index = 0; index < 3; ++index) {
      const auto a = without->Simulator::run(index);
      const auto b = with->Simulator::run(index);
      EXPECT_EQ(a.regrets, b.regrets) << policy;
      EXPECT_EQ(a.pulls, b.pulls) << policy;
      EXPECT_EQ(a.decisions, b.decisions) << policy;
    }
  }
}

TEST(Intervals, CoverAndAreNarrow) {
  for (const char* policy : {"mgf-imed", "anytime-lazy-ucb", "ldp-ucb-laplace", "ucb1", "ftnl"}) {
    Request r = request(policy, {0.4, 0.6}, 1, 50);
    r.horizon = 5000;
    r.checkpoints = {5000};
    r.intervals = 0.01;
    const Summary s = simulate(r);
    EXPECT_LE(s.intervals->most_missed(), 0.1) << policy;
    EXPECT_LE(s.intervals->most_differences_missed(), 0.1) << policy;
    EXPECT_LT(s.intervals->mean_width(), 0.9) << policy;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT(s.intervals->at_the_end().low[i], r.problem->means()[i]);
      EXPECT_GT(s.intervals->at_the_end().high[i], r.problem->means()[i]);
    }
  }
}

/// A phase that is filling says nothing yet, however long its choice stands.
TEST(Intervals, AreOfWhatWasReleasedByThen) {
  Request r = request("mgf-tt", {0.4, 0.6}, 1, 1);
  r.horizon = 100;
  r.checkpoints = {1, 39, 40, 41, 79, 80, 100};  // first phases have 40 rounds
  r.intervals = 0.05;
  for (const auto pace : {policies::Pace::kSkipping, policies::Pace::kPlain}) {
    r.pace = pace;
    const auto run = prepare(r)->Simulator::run(0);
    const auto known = [&](std::size_t c) {
      int arms = 0;
      for (const evidence::Interval& interval : run.intervals->at[c])
        arms += interval.width() < 1 ? 1 : 0;
      return arms;
    };
    std::vector<int> all;
    for (std::size_t c = 0; c < r.checkpoints.size(); ++c) all.push_back(known(c));
    EXPECT_EQ(all, (std::vector<int>{0, 0, 1, 1, 1, 2, 2}));
  }
}

TEST(Intervals, AreRefusedWhereReleasesDoNotAddUp) {
  for (const char* policy : {"dp-ucb-tree", "rnm-ftnl", "dp-ucb-int"}) {
    Request r = request(policy, {0.4, 0.6}, 1, 1);
    r.horizon = 100;
    r.checkpoints = {100};
    r.intervals = 0.05;
    EXPECT_THROW(prepare(r), InvalidParameter) << policy;
  }
  Request r = request("mgf-imed", {0.4, 0.6}, 1, 1);
  for (const double alpha : {0.0, 1.0, -1.0}) {
    r.intervals = alpha;
    EXPECT_THROW(prepare(r), InvalidParameter);
  }
}

}  // namespace
}  // namespace tacit::simulation
