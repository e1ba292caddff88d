// Ranked lists in the engine: what a learner is told of a list, and before the first one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/recipes/cascade_baselines.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/channel.hpp"
#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/recorder.hpp"

namespace tacit::simulation {
namespace {

constexpr int kSize = 2;

random::SimulationKey key() { return {1, "cascade", "play", 0}; }

template <class Learner, class Channel>
void play_lists(Learner& learner, Channel& channel, const problems::Problem& problem,
                Round horizon) {
  const actions::TopK set(problem.arms(), kSize);
  const std::vector<Round> checkpoints{horizon};
  auto outcomes = key().stream(random::Purpose::kOutcomes);
  Recorder recorder(
      ValueOfSets([&](std::span<const Arm> action) { return set.value(action, problem.means()); },
                  set.benchmark(problem.means()), problem.arms()),
      checkpoints);
  Engine(learner, channel, {problem, kSize, horizon, outcomes, nullptr}).play(recorder);
}

/// Shows one list in all rounds.
struct OneList {
  using Feedback = feedback::CascadeFirst;
  std::vector<Arm> list;
  Round stretch;
  double clicks = 0;

  void choose(const policies::Situation& situation, policies::Choice& choice) const {
    choice.set(list, situation.t + stretch - 1);
    choice.record({list[0], situation.t});
  }
  Round assign(Slot, Round n) const { return n; }
  void deliver(Slot, policies::Values values, Round, int) { clicks += values[0].value(); }
  void take(const policies::Choice&, policies::Values reports) { clicks += reports[0].value(); }
};

/// Keeps one sum, and lets it out as it is.
struct OpenSum {
  privacy::Secret<Sum> sum;
  void add(Slot, const privacy::Secret<Sum>& more) { sum += more; }
  curators::Release release(Slot, Round) {
    const curators::Release release{privacy::Exact::release(sum), 0};
    sum.clear();
    return release;
  }
};
struct OpenReport {
  privacy::Released<double> report(Arm, const privacy::Secret<Outcome>& outcome) const {
    return privacy::Exact::release(outcome);
  }
};

template <class Channel>
double clicks_on_first(const std::vector<Arm>& list, Round stretch) {
  OneList learner{list, stretch};
  Channel channel;
  play_lists(learner, channel, problems::IndependentArms({1, 0}, problems::Rewards::kBernoulli),
             10);
  return learner.clicks;
}

TEST(Engine, TellsOfTheFirstItemOfAListAlone) {
  EXPECT_EQ(clicks_on_first<OpenReport>({0, 1}, 1), 10);
  EXPECT_EQ(clicks_on_first<OpenReport>({1, 0}, 1), 0);
  EXPECT_EQ(clicks_on_first<OpenSum>({0, 1}, 7), 10);
  EXPECT_EQ(clicks_on_first<OpenSum>({1, 0}, 7), 0);
}

/// A learner whose lists are kept.
template <class Learner>
struct Watched : Learner {
  std::vector<std::vector<Arm>> lists = {};

  void choose(const policies::Situation& situation, policies::Choice& choice) {
    Learner::choose(situation, choice);
    lists.emplace_back(choice.arms().begin(), choice.arms().end());
  }
};

std::vector<std::vector<Arm>> lists_of_ucb1(const problems::Problem& problem) {
  using policies::recipes::CascadeUcb1;
  const policies::Setting setting{
      .arms = problem.arms(),
      .epsilon = std::nullopt,
      .delta = std::nullopt,
      .horizon = problem.last_round(),
      .pace = policies::Pace::kSkipping,
      .actions = std::make_shared<actions::TopK>(problem.arms(), kSize)};
  Watched<CascadeUcb1::Learner> learner{CascadeUcb1::learner(setting, {}, random::Dice(key()))};
  auto eyes = channel(CascadeUcb1::plan(setting, {}), problem.arms(),
                      {key(), privacy::Arithmetic::kIdealised, nullptr});
  play_lists(learner, eyes, problem, problem.last_round());
  return std::move(learner.lists);
}

TEST(Engine, GivesEveryItemsOutcomeBeforeTheFirstList) {
  for (Arm attractive = 0; attractive < 6; ++attractive) {
    std::vector<double> row(6, 0);
    row[static_cast<std::size_t>(attractive)] = 1;
    EXPECT_EQ(lists_of_ucb1(problems::Table({row}))[0][0], attractive);
  }
}

TEST(Engine, LetsARankingLearnFromTheItemsUpToTheFirstClick) {
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
