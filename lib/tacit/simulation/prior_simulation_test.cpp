// Bayesian regret: every run has an environment of its own.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "tacit/actions/top_k.hpp"
#include "tacit/problems/prior.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

Request drawn(const char* policy, std::shared_ptr<const problems::Prior> prior,
              problems::Rewards rewards = problems::Rewards::kBernoulli) {
  Request request;
  request.policy = policy;
  request.epsilon = 1;
  request.problem = std::make_shared<problems::DrawnEnvironment>(std::move(prior), rewards);
  request.horizon = 300;
  request.runs = 60;
  request.checkpoints = {10, 300};
  return request;
}

/// The environment of a run, as the simulation draws it.
std::shared_ptr<const problems::Problem> environment(const Request& request, std::uint64_t index) {
  auto stream = random::SimulationKey(request.seed, "", request.problem->name(), index)
                    .stream(random::Purpose::kEnvironment);
  return request.problem->draw_environment(stream);
}

TEST(BayesianRegret, IsOfTheRunsOwnEnvironment) {
  for (const char* policy : {"ucb1", "anytime-lazy-ucb", "ldp-ucb-bits", "ftl"}) {
    const Request request = drawn(policy, problems::beta_prior(1, 1, 4));
    const auto simulator = prepare(request);
    for (std::uint64_t index = 0; index < 20; ++index) {
      const auto run = simulator->run(index);
      const auto played = environment(request, index);
      double regret = 0;
      for (Arm arm = 0; arm < 4; ++arm) {
        regret += static_cast<double>(run.pulls[static_cast<std::size_t>(arm)]) *
                  (played->best_mean() - played->mean(arm));
      }
      EXPECT_NEAR(run.regrets.back(), regret, 1e-9) << policy << " run " << index;
    }
  }
}

TEST(BayesianRegret, OfCertainOutcomesFollowsTheBestArm) {
  // Outcomes are the means, so that whoever sees all of them needs two rounds: any other environment would cost more.
  const Request request = drawn("ftl", problems::beta_prior(1, 1, 5), problems::Rewards::kPoint);
  const auto simulator = prepare(request);
  for (std::uint64_t index = 0; index < 20; ++index) {
    const auto run = simulator->run(index);
    EXPECT_LE(run.regrets.back(), 1.0);
    const std::vector<double> means = environment(request, index)->means();
    const auto best = std::max_element(means.begin(), means.end()) - means.begin();
    EXPECT_GE(run.pulls[static_cast<std::size_t>(best)], 299);
  }
}

TEST(BayesianRegret, EnvironmentsAreTheSameForAllPolicies) {
  // Who never learns has the regret of the environment, whatever its name.
  Request request = drawn("ucb1", problems::beta_prior(1, 1, 3), problems::Rewards::kPoint);
  request.horizon = 1;
  request.checkpoints = {1};
  const Summary one = simulate(request);
  request.policy = "kl-ucb";
  const Summary other = simulate(request);
  EXPECT_EQ(one.benchmark, other.benchmark);
}

TEST(BayesianRegret, IsTheSameForEveryNumberOfThreads) {
  Request request = drawn("anytime-lazy-ucb", problems::beta_prior(2, 3, 4));
  const Summary one = simulate(request);
  request.threads = 3;
  const Summary more = simulate(request);
  EXPECT_EQ(one.curve.back().mean(), more.curve.back().mean());
  EXPECT_EQ(one.benchmark, more.benchmark);
}

TEST(BayesianRegret, OfSetsAndLists) {
  for (const char* policy : {"cucb", "cucb-ldp1", "cascade-ucb1"}) {
    Request request = drawn(policy, problems::beta_prior(1, 1, 5));
    request.actions = std::make_shared<actions::TopK>(5, 2);
    const Summary summary = simulate(request);
    EXPECT_GE(summary.curve.back().mean(), 0) << policy;
    double best = 0;
    for (std::uint64_t index = 0; index < 60; ++index) {
      std::vector<double> means = environment(request, index)->means();
      std::sort(means.rbegin(), means.rend());
      best += (policy == std::string("cascade-ucb1") ? 1 - (1 - means[0]) * (1 - means[1])
                                                     : means[0] + means[1]) /
              60;
    }
    EXPECT_NEAR(summary.benchmark, best, 1e-9) << policy;
    EXPECT_TRUE(summary.benchmark_is_proven);
  }
}

}  // namespace
}  // namespace tacit::simulation
