// Ranked lists in the engine: what a policy is told of a list, and before the first one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/engine.hpp"

namespace tacit::simulation {
namespace {

constexpr int kSize = 2;

random::SimulationKey key() { return {1, "cascade", "play", 0}; }

template <class Policy>
void play_lists(Policy& policy, const problems::Problem& problem, Round horizon) {
  const actions::TopK set(problem.arms(), kSize);
  const std::vector<Round> checkpoints{horizon};
  auto outcomes = key().stream(random::Purpose::kOutcomes);
  SetRecorder recorder(
      [&](std::span<const Arm> action) { return set.value(action, problem.means()); },
      set.benchmark(problem.means()), problem.arms(), checkpoints);
  play_sets(policy, problem, kSize, horizon, outcomes, recorder);
}

/// Shows one list in all rounds and adds up what it is told of the first item.
template <class T>
struct OneList {
  using Feedback = feedback::CascadeFirst;
  using Input = T;
  std::vector<Arm> list;
  double clicks = 0;

  policies::SetDecision decide(Round t) const {
    constexpr bool kSingly = std::is_same_v<Input, Outcome>;
    return {list, {list.data(), 1}, kSingly ? t : t + 6};
  }
  void learn(const policies::SetDecision&, Round, const privacy::SecretVector<Input>& inputs) {
    clicks += privacy::Exact::release(inputs[0]).value();
  }
};

template <class T>
double clicks_on_first(const std::vector<Arm>& list) {
  OneList<T> policy{list};
  play_lists(policy, problems::IndependentArms({1, 0}, problems::Rewards::kBernoulli), 10);
  return policy.clicks;
}

TEST(PlaySets, TellsOfTheFirstItemOfAListAlone) {
  EXPECT_EQ(clicks_on_first<Outcome>({0, 1}), 10);
  EXPECT_EQ(clicks_on_first<Outcome>({1, 0}), 0);
  EXPECT_EQ(clicks_on_first<Sum>({0, 1}), 10);
  EXPECT_EQ(clicks_on_first<Sum>({1, 0}), 0);
}

/// A policy whose lists are kept.
template <class Policy>
struct Watched {
  using Feedback = typename Policy::Feedback;
  using Input = typename Policy::Input;
  static constexpr bool kStartsFromRawOutcomes = Policy::kStartsFromRawOutcomes;
  Policy policy;
  std::vector<std::vector<Arm>> lists = {};

  void learn_before_the_first_round(const privacy::SecretVector<Outcome>& outcomes) {
    policy.learn_before_the_first_round(outcomes);
  }
  policies::SetDecision decide(Round t) {
    const policies::SetDecision decision = policy.decide(t);
    lists.emplace_back(decision.action.begin(), decision.action.end());
    return decision;
  }
  void learn(const policies::SetDecision& decision, const privacy::Secret<Stop>& stop) {
    policy.learn(decision, stop);
  }
};

std::vector<std::vector<Arm>> lists_of_ucb1(const problems::Problem& problem) {
  const policies::Setting setting{
      .arms = problem.arms(),
      .epsilon = std::nullopt,
      .delta = std::nullopt,
      .horizon = problem.last_round(),
      .pace = policies::Pace::kSkipping,
      .key = key(),
      .actions = std::make_shared<actions::TopK>(problem.arms(), kSize)};
  Watched<policies::recipes::CascadeUcb1::Policy> policy{
      policies::recipes::CascadeUcb1::make(setting, {})};
  play_lists(policy, problem, problem.last_round());
  return std::move(policy.lists);
}

TEST(PlaySets, GivesEveryItemsOutcomeBeforeTheFirstList) {
  for (Arm attractive = 0; attractive < 6; ++attractive) {
    std::vector<double> row(6, 0);
    row[static_cast<std::size_t>(attractive)] = 1;
    EXPECT_EQ(lists_of_ucb1(problems::Table({row}))[0][0], attractive);
  }
}

TEST(PlaySets, LetsARankingLearnFromTheItemsUpToTheFirstClick) {
  // Users of six tastes take turns; the lists are followed by counting here.
  const std::vector<std::vector<double>> tastes{{0, 1, 0, 0, 1}, {1, 0, 0, 1, 0}, {0, 0, 0, 0, 1},
                                                {0, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, {1, 0, 0, 0, 1}};
  std::vector<std::vector<double>> rows;
  for (std::size_t t = 0; t < 600; ++t) rows.push_back(tastes[t % tastes.size()]);
  const auto lists = lists_of_ucb1(problems::Table(rows));
  std::vector<double> clicked = rows[0];
  std::vector<double> examined(5, 1);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    std::vector<double> index;
    for (std::size_t i = 0; i < 5; ++i) {
      index.push_back(clicked[i] / examined[i] +
                      std::sqrt(1.5 * std::log(double(t + 1)) / examined[i]));
    }
    std::vector<double> shown;
    for (const Arm item : lists[t]) shown.push_back(index[static_cast<std::size_t>(item)]);
    std::sort(index.rbegin(), index.rend());
    for (std::size_t k = 0; k < kSize; ++k) ASSERT_NEAR(shown[k], index[k], 1e-9) << t;
    for (const Arm item : lists[t]) {
      const auto i = static_cast<std::size_t>(item);
      examined[i] += 1;
      clicked[i] += rows[t][i];
      if (rows[t][i] == 1) break;
    }
  }
}

}  // namespace
}  // namespace tacit::simulation
