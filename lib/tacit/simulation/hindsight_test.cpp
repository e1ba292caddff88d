#include "tacit/simulation/hindsight.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/cover.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

using Rows = std::vector<std::vector<double>>;
using Rounds = Hindsight::Rounds;

Rows random_rows(std::size_t rounds, std::size_t arms, bool bits, std::uint64_t seed = 1) {
  auto stream =
      random::SimulationKey(seed, "hindsight", "rows", 0).stream(random::Purpose::kOutcomes);
  Rows rows(rounds, std::vector<double>(arms));
  for (auto& row : rows) {
    for (double& x : row) {
      x = random::uniform_open(stream);
      if (bits) x = x < 0.4 ? 1 : 0;
    }
  }
  return rows;
}

Request request(const std::string& policy, const Rows& rows, std::vector<Round> checkpoints) {
  Request r;
  r.policy = policy;
  r.problem = std::make_shared<problems::Table>(rows);
  r.horizon = checkpoints.back();
  r.runs = 1;
  r.checkpoints = std::move(checkpoints);
  return r;
}

/// By adding up: what an arm, or a set, or a list has in the first rounds.
double total(const Rows& rows, const std::vector<Arm>& action, std::size_t rounds, bool list) {
  double sum = 0;
  for (std::size_t t = 0; t < rounds; ++t) {
    double here = 0;
    for (const Arm arm : action) here += rows[t][static_cast<std::size_t>(arm)];
    sum += list ? std::min(1.0, here) : here;
  }
  return sum;
}

double best_total(const Rows& rows, int size, std::size_t rounds, bool list) {
  double best = 0;
  const int arms = static_cast<int>(rows[0].size());
  actions::for_each_choice(arms, size, [&](std::span<const int> chosen) {
    best = std::max(best, total(rows, {chosen.begin(), chosen.end()}, rounds, list));
  });
  return best;
}

TEST(Hindsight, IsTheBestColumnMinusTheRewardToTheLastBit) {
  // The best arm changes after 8000 of 20000 rounds.
  Rows rows(20000, {0.25, 0.75, 0.5});
  std::fill(rows.begin() + 8000, rows.end(), std::vector<double>{1, 0, 0.5});
  const Request r = request("ftl", rows, {1, 100, 8000, 8001, 12000, 20000});
  accounting::Transcript transcript;
  accounting::Ledger ledger(&transcript);
  const simulation::Run run = prepare(r)->run(0, &ledger);
  for (std::size_t i = 0; i < r.checkpoints.size(); ++i) {
    const auto rounds = static_cast<std::size_t>(r.checkpoints[i]);
    double reward = 0;
    for (std::size_t t = 0; t < rounds; ++t)
      reward += rows[t][static_cast<std::size_t>(transcript.actions[t])];
    EXPECT_EQ(run.regrets[i], best_total(rows, 1, rounds, false) - reward) << rounds;
  }
}

TEST(Hindsight, MayFall) {
  // Whoever plays the first arm alone has lost before the change, and has won after it.
  Rows rows(100, {0, 1});
  std::fill(rows.begin() + 50, rows.end(), std::vector<double>{1, 0});
  const problems::Table table(rows);
  const std::vector<Round> checkpoints{10, 50, 75, 100};
  const Hindsight hindsight(*table.playback(), 2, Rounds::kArms, nullptr, checkpoints);
  const std::vector<Arm> first{0};
  std::vector<double> regrets;
  for (const Round t : checkpoints)
    regrets.push_back(hindsight.regret(t, hindsight.reward(first, 1, t)));
  EXPECT_EQ(regrets, (std::vector<double>{10, 50, 25, 0}));
}

TEST(Hindsight, LooksBackOnSetsAndLists) {
  for (const bool list : {false, true}) {
    const Rows rows = random_rows(60, 6, list);
    const problems::Table table(rows);
    const actions::TopK pairs(6, 2);
    const std::vector<Round> checkpoints{1, 7, 60};
    const Hindsight hindsight(*table.playback(), 6, list ? Rounds::kLists : Rounds::kSets, &pairs,
                              checkpoints);
    EXPECT_TRUE(hindsight.proven());
    for (const Round t : checkpoints) {
      const double best = best_total(rows, 2, static_cast<std::size_t>(t), list);
      EXPECT_NEAR(hindsight.regret(t, 0), best, 1e-8) << t;
      EXPECT_NEAR(hindsight.best_mean(t), best / static_cast<double>(t), 1e-9);
      const std::vector<Arm> action{4, 1};
      const double reward = total(rows, action, static_cast<std::size_t>(t), list);
      EXPECT_NEAR(hindsight.regret(t, hindsight.reward(action, 1, t)), best - reward, 1e-8);
    }
  }
}

TEST(Hindsight, LooksAtAllChoicesOfAnApproximateOracle) {
  // Sets of edges {0, 1}, {2}, {3, 4}; two of the three are chosen, and items count once.
  const actions::Cover cover(3, 3, {{0, 0}, {0, 1}, {1, 1}, {2, 1}, {2, 2}}, 2);
  const Rows rows = random_rows(40, 5, false);
  const problems::Table table(rows);
  const std::vector<Round> checkpoints{5, 40};
  const Hindsight hindsight(*table.playback(), 5, Rounds::kSets, &cover, checkpoints);
  EXPECT_TRUE(hindsight.proven());
  for (const Round t : checkpoints) {
    double best = 0;
    for (const std::vector<Arm>& action : cover.all(100)) {
      double sum = 0;
      for (std::size_t i = 0; i < static_cast<std::size_t>(t); ++i)
        sum += actions::ActionSet::from_units(cover.value(action, rows[i]));
      best = std::max(best, sum);
    }
    EXPECT_NEAR(hindsight.regret(t, 0), best, 1e-8) << "no share of the best is forgiven";
  }
  EXPECT_EQ(cover.all(100).size(), 3);
  EXPECT_TRUE(cover.all(2).empty());
}

TEST(Hindsight, SaysWhenItOnlyFoundAGoodList) {
  const Rows rows = random_rows(2000, 40, true);
  const problems::Table table(rows);
  const actions::TopK ten(40, 10);
  const std::vector<Round> checkpoints{2000};
  const Hindsight hindsight(*table.playback(), 40, Rounds::kLists, &ten, checkpoints);
  EXPECT_FALSE(hindsight.proven());
  std::vector<Arm> first{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_GE(hindsight.regret(2000, hindsight.reward(first, 1, 2000)), 0);
}

TEST(Hindsight, DoesNotDependOnHowRoundsWereBatched) {
  const Rows rows = random_rows(3000, 3, false);
  for (const char* policy : {"anytime-lazy-ucb", "ftnl", "dp-exp3", "mgf-imed"}) {
    Request r = request(policy, rows, {1, 10, 999, 3000});
    r.epsilon = 1;
    const std::vector<double> skipping = prepare(r)->run(0).regrets;
    r.pace = policies::Pace::kPlain;
    EXPECT_EQ(prepare(r)->run(0).regrets, skipping) << policy;
  }
}

}  // namespace
}  // namespace tacit::simulation
