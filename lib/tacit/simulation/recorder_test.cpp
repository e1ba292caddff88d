#include "tacit/simulation/recorder.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::simulation {
namespace {

using actions::ActionSet;
using actions::TopK;
using Action = std::vector<Arm>;

constexpr double kUnit = 0x1p-36;

/// A set that is played for some rounds.
struct Stretch {
  Action action;
  Round rounds;
};

struct Record {
  std::vector<double> regrets;
  std::vector<Round> pulls;
};

Record record(const std::vector<Stretch>& stretches, const std::vector<double>& means,
              std::int64_t benchmark, const std::vector<Round>& checkpoints) {
  const TopK set(static_cast<int>(means.size()), 1);  // only its value() is asked for
  Recorder recorder(
      ValueOfSets([&](std::span<const Arm> action) { return set.value(action, means); }, benchmark,
                  set.arms()),
      checkpoints);
  Round t = 1;
  for (const Stretch& stretch : stretches) {
    recorder.hold(stretch.action, t, stretch.rounds);
    t += stretch.rounds;
  }
  return {recorder.regrets(), recorder.pulls()};
}

std::vector<Stretch> cut_into_rounds(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> rounds;
  for (const Stretch& s : stretches) {
    rounds.insert(rounds.end(), static_cast<std::size_t>(s.rounds), {s.action, 1});
  }
  return rounds;
}

TEST(RecorderOfSets, ReadsCheckpointsInsideStretches) {
  // The best pair is {0, 1}, worth 1.5. Gaps: {0, 1} 0, {1, 2} 0.75, {2, 3} 1.
  const std::vector<double> means{1, 0.5, 0.25, 0.25};
  const std::vector<Stretch> played{{{2, 3}, 3}, {{1, 2}, 1}, {{0, 1}, 10}, {{2, 1}, 4}};
  const auto read = record(played, means, ActionSet::units(1.5), {1, 2, 3, 4, 5, 14, 15, 18});
  EXPECT_EQ(read.regrets, (std::vector<double>{1, 2, 3, 3.75, 3.75, 3.75, 4.5, 6.75}));
  EXPECT_EQ(read.pulls, (std::vector<Round>{10, 15, 8, 3}));
}

TEST(RecorderOfSets, AddsUpValuesOfArmsAsAFunctionOfSetsWould) {
  const std::vector<double> means{1, 0.5, 0.25, 1.0 / 3};
  const std::vector<Round> checkpoints{2, 4, 9, 17};
  const std::vector<Stretch> played{{{2, 3}, 3}, {{1, 2}, 1}, {{0, 1}, 4},
                                    {{0, 1}, 6}, {{1, 0}, 1}, {{2, 1}, 4}};
  const auto by_function = record(played, means, ActionSet::units(1.5), checkpoints);
  PerArm<std::int64_t> of_arms;
  for (const double mean : means) of_arms.push_back(ActionSet::units(mean));
  Recorder added(ValueOfSets(of_arms, ActionSet::units(1.5)), checkpoints);
  Round t = 1;
  for (const Stretch& stretch : played) {
    added.hold(stretch.action, t, stretch.rounds);
    t += stretch.rounds;
  }
  EXPECT_EQ(added.regrets(), by_function.regrets);
  EXPECT_EQ(added.pulls(), by_function.pulls);
}

TEST(RecorderOfSets, AsksForAValueAgainWhenTheSetChanges) {
  std::vector<Action> asked;
  const std::vector<Round> checkpoints{7};
  Recorder recorder(ValueOfSets(
                        [&](std::span<const Arm> action) {
                          asked.emplace_back(action.begin(), action.end());
                          return ActionSet::units(static_cast<double>(action.size()));
                        },
                        ActionSet::units(3), 3),
                    checkpoints);
  const std::vector<Stretch> played{{{0, 1}, 1}, {{0, 1}, 2}, {{0, 2}, 1}, {{0}, 1}, {{0, 1}, 2}};
  Round t = 1;
  for (const Stretch& stretch : played) {
    recorder.hold(stretch.action, t, stretch.rounds);
    t += stretch.rounds;
  }
  EXPECT_EQ(asked, (std::vector<Action>{{0, 1}, {0, 2}, {0}, {0, 1}}));
  EXPECT_EQ(recorder.regrets(), (std::vector<double>{8}));
}

TEST(RecorderOfSets, ReadsNothingBeforeACheckpointIsReached) {
  const auto read = record({{{0}, 9}}, {0.5}, ActionSet::units(1), {10});
  EXPECT_TRUE(read.regrets.empty());
  EXPECT_EQ(read.pulls, (std::vector<Round>{9}));
}

TEST(RecorderOfSets, IsTheSameInStretchesAndRoundByRound) {
  for (std::uint64_t run = 0; run < 50; ++run) {
    auto draw =
        random::SimulationKey(1, "set recorder", "test", run).stream(random::Purpose::kDecisions);
    std::vector<double> means(6);
    for (double& mean : means) mean = random::uniform_open(draw);
    std::vector<Stretch> played;
    Round horizon = 0;
    for (int i = 0; i < 40; ++i) {
      Action action;
      for (Arm arm = 0; arm < 6; ++arm) {
        if (random::bernoulli(draw, 0.4)) action.push_back(arm);
      }
      played.push_back({action, 1 + random::uniform_index(draw, 30)});
      horizon += played.back().rounds;
    }
    std::vector<Round> checkpoints;
    for (Round t = 1; t <= horizon; t += 1 + random::uniform_index(draw, 20)) {
      checkpoints.push_back(t);
    }
    const std::int64_t benchmark = ActionSet::units(random::uniform_open(draw) * 3);
    const auto one_by_one = cut_into_rounds(played);
    const auto whole = record(played, means, benchmark, checkpoints);
    const auto rounds = record(one_by_one, means, benchmark, checkpoints);
    ASSERT_EQ(whole.regrets, rounds.regrets);
    ASSERT_EQ(whole.pulls, rounds.pulls);

    // And is what adding up real numbers gives; means are rounded to units.
    ASSERT_EQ(whole.regrets.size(), checkpoints.size());
    double regret = 0;
    std::size_t next = 0;
    for (Round t = 1; t <= horizon && next < checkpoints.size(); ++t) {
      regret += static_cast<double>(benchmark) * kUnit;
      for (const Arm arm : one_by_one[static_cast<std::size_t>(t - 1)].action) {
        regret -= means[static_cast<std::size_t>(arm)];
      }
      if (checkpoints[next] == t) {
        ASSERT_NEAR(whole.regrets[next++], regret, 6 * kUnit * static_cast<double>(t) + 1e-9);
      }
    }
  }
}

TEST(RecorderOfSets, LosesNothingInQuadrillionsOfRounds) {
  // Against a benchmark of 0.6 an action of mean 0.3 loses what one of mean 0.9 gains back; then one
  // unit is left of 2e15 rounds. Sums of doubles, or of 64-bit integers, would not get there.
  constexpr Round kLong = 1'000'000'000'000'000;
  const std::int64_t loss = ActionSet::units(0.3);
  const std::int64_t benchmark = 2 * loss;
  const std::vector<double> means{ActionSet::from_units(loss), ActionSet::from_units(3 * loss),
                                  ActionSet::from_units(benchmark - 1)};
  const auto read = record({{{0}, kLong}, {{1}, kLong}, {{2}, 1}}, means, benchmark,
                           {kLong, kLong + kLong / 2, 2 * kLong, 2 * kLong + 1});
  const double highest = static_cast<double>(kLong) * ActionSet::from_units(loss);
  EXPECT_EQ(read.regrets, (std::vector<double>{highest, highest / 2, 0, kUnit}));
  EXPECT_EQ(read.pulls, (std::vector<Round>{kLong, kLong, 1}));
  // One round at a time in between changes no bit.
  const auto cut =
      record({{{0}, 1}, {{0}, kLong - 3}, {{0}, 2}, {{1}, kLong - 1}, {{1}, 1}, {{2}, 1}}, means,
             benchmark, {kLong, kLong + kLong / 2, 2 * kLong, 2 * kLong + 1});
  EXPECT_EQ(cut.regrets, read.regrets);
}

TEST(RecorderOfSets, RegretFallsWhileActionsBeatTheBenchmark) {
  // An approximate oracle is measured against a share of the best: playing the best gains.
  const std::vector<double> means{0.5, 0.25};
  const auto read =
      record({{{0, 1}, 4}, {{}, 2}, {{0}, 2}}, means, ActionSet::units(0.375), {1, 4, 5, 6, 8});
  EXPECT_EQ(read.regrets, (std::vector<double>{-0.375, -1.5, -1.125, -0.75, -1}));
}

}  // namespace
}  // namespace tacit::simulation
