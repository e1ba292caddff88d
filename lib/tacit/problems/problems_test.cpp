#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/problems/environment_private.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/replay_matrix.hpp"
#include "tacit/problems/shared_outcomes.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::problems {
namespace {

using privacy::Exact;
using Rows = std::vector<std::vector<double>>;

random::SimulationStream stream(std::uint64_t run = 0) {
  return random::SimulationKey(1, "problems", "test", run).stream(random::Purpose::kOutcomes);
}

TEST(Problems, SayHowTheirOutcomesHangTogether) {
  BitMatrix bits(2, 2);
  EXPECT_EQ(IndependentArms({0.5, 0.4}, Rewards::kBeta).dependence(), Dependence::kIndependent);
  EXPECT_EQ(SharedOutcomes({0.5}, {0, 0}).dependence(), Dependence::kInGroups);
  EXPECT_EQ(ReplayMatrix(bits).dependence(), Dependence::kCorrelated);
  EXPECT_EQ(Table({{0.5, 0.4}}).dependence(), Dependence::kReplayed);
}

TEST(IndependentArms, DrawSeveralOutcomesAsTheyDrawOneByOne) {
  const std::vector<Arm> arms{3, 0, 4, 1, 2};
  for (const Rewards family :
       {Rewards::kBernoulli, Rewards::kBeta, Rewards::kPoint, Rewards::kTruncatedNormal}) {
    const IndependentArms problem({0, 0.3, 0.5, 0.9, 1}, family);
    auto together = stream(1);
    auto alone = stream(1);
    privacy::SecretVector<Outcome> outcomes(arms.size());
    for (Round t = 1; t <= 200; ++t) {
      problem.draw_outcomes(arms, t, together, outcomes);
      for (std::size_t i = 0; i < arms.size(); ++i) {
        ASSERT_EQ(Exact::release(outcomes[i]).value(),
                  Exact::release(problem.draw_outcome(arms[i], t, alone)).value());
      }
    }
    EXPECT_EQ(together.used(), alone.used());
  }
}

TEST(IndependentArms, StopWhereAnItemAttractsByItsMean) {
  const IndependentArms problem({0, 0.3, 1}, Rewards::kBernoulli);
  const std::vector<Arm> list{0, 1, 2, 1};
  auto stops = stream(2);
  auto words = stream(2);
  for (int i = 0; i < 1000; ++i) {
    const int stop = Exact::release_as_is(problem.draw_stop(list, 1, stops)).value().position;
    words();  // of the item that never attracts
    const bool attracted = words() < static_cast<std::uint64_t>(std::ldexp(0.3, 64));
    if (!attracted) words();
    ASSERT_EQ(stop, attracted ? 1 : 2);
  }
  EXPECT_EQ(stops.used(), words.used());
}

TEST(Problems, AClickChanceIsThatOfTheSetHoweverItIsRankedAndHoweverLongItIs) {
  std::vector<double> means;
  for (int i = 0; i < 40; ++i) means.push_back(0.01 * (i + 1));
  const IndependentArms problem(means, Rewards::kBernoulli);
  for (const int size : {1, 4, 15, 16, 17, 40}) {
    std::vector<Arm> list;
    double none = 1;
    for (Arm arm = 0; arm < size; ++arm) {
      list.push_back(size - 1 - arm);
      none *= 1 - means[static_cast<std::size_t>(arm)];
    }
    EXPECT_EQ(problem.click_chance(list), 1 - none) << size;
  }
}

TEST(IndependentArms, AreDrawnHoweverCloseToAnEndTheirMeanIs) {
  auto random = stream(3);
  for (const Rewards family : {Rewards::kBernoulli, Rewards::kBeta, Rewards::kTruncatedNormal}) {
    for (const double small : {5e-324, 1e-300, 1e-100, 1e-17, 0x1p-53, 1e-9}) {
      for (const double mean : {small, 1 - small}) {
        const IndependentArms problem({mean}, family);
        for (int i = 0; i < 200; ++i) {
          const double x = Exact::release(problem.draw_outcome(0, 1, random)).value();
          EXPECT_NEAR(x, mean, 1e-3) << name_of(family) << " " << mean;
        }
      }
    }
  }
}

TEST(IndependentArms, EveryFamilyHasItsMeans) {
  const std::vector<double> means{0, 0.003, 0.08, 0.3, 0.5, 0.77, 0.95, 0.999, 1};
  const double critical = testing::two_sided_z(testing::kFamilyError / 40);
  for (const Rewards family :
       {Rewards::kBernoulli, Rewards::kBeta, Rewards::kPoint, Rewards::kTruncatedNormal}) {
    const IndependentArms problem(means, family);
    auto random = stream();
    for (Arm arm = 0; arm < problem.arms(); ++arm) {
      constexpr int kCount = 40000;
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < kCount; ++i) {
        const double x = Exact::release(problem.draw_outcome(arm, 1, random)).value();
        ASSERT_GE(x, 0);
        ASSERT_LE(x, 1);
        sum += x;
        squares += x * x;
      }
      const double mean = sum / kCount;
      const double variance = std::max(0.0, squares / kCount - mean * mean);
      const double expected = means[static_cast<std::size_t>(arm)];
      EXPECT_LE(std::abs(mean - expected), critical * std::sqrt(variance / kCount) + 1e-9)
          << name_of(family) << " " << expected;
      if (family != Rewards::kPoint && expected > 0 && expected < 1) {
        EXPECT_GT(variance, 0) << name_of(family) << " " << expected;
      }
    }
  }
}

TEST(IndependentArms, ASumOfManyRoundsHasTheLawOfManySums) {
  for (const Rewards family : {Rewards::kBernoulli, Rewards::kBeta}) {
    const IndependentArms problem({0.3, 0.7}, family);
    auto random = stream(1);
    std::vector<double> at_once;
    std::vector<double> one_by_one;
    for (int i = 0; i < 20000; ++i) {
      at_once.push_back(Exact::release(problem.draw_sum(0, 1, 30, random)).value());
      double sum = 0;
      for (int j = 0; j < 30; ++j) {
        sum += Exact::release(problem.draw_outcome(0, 1, random)).value();
      }
      one_by_one.push_back(sum);
    }
    EXPECT_LT(testing::ks_distance(at_once, one_by_one),
              testing::ks_two_sample_critical(at_once.size(), testing::kFamilyError / 2));
  }
}

TEST(IndependentArms, PointMassesAddUpExactly) {
  const IndependentArms problem({0.1}, Rewards::kPoint);
  auto random = stream();
  privacy::Secret<Sum> sum;
  for (Round t = 1; t <= 1000; ++t) sum += problem.draw_sum(0, t, 1, random);
  EXPECT_EQ(Exact::release(sum).value(),
            Exact::release(problem.draw_sum(0, 1, 1000, random)).value());
}

TEST(IndependentArms, RefusesBadMeans) {
  EXPECT_THROW(IndependentArms({}, Rewards::kBernoulli), InvalidParameter);
  EXPECT_THROW(IndependentArms({0.5, 1.01}, Rewards::kBernoulli), InvalidParameter);
  EXPECT_THROW(IndependentArms({std::nan("")}, Rewards::kBernoulli), InvalidParameter);
}

TEST(Table, ReplaysItsRows) {
  const Table table(Rows{{1, 0}, {0, 0.5}, {1, 1}, {0, 0.25}});
  auto random = stream();
  EXPECT_EQ(table.last_round(), 4);
  EXPECT_EQ(Exact::release(table.draw_outcome(1, 2, random)).value(), 0.5);
  EXPECT_EQ(Exact::release(table.draw_sum(1, 1, 4, random)).value(), 1.75);
  EXPECT_EQ(Exact::release(table.draw_sum(1, 2, 2, random)).value(), 1.5);
  EXPECT_EQ(Exact::release(table.draw_sum(0, 1, 3, random)).value(), 2);
  privacy::SecretVector<Sum> all(2);
  table.draw_all_sums(3, 2, random, all);
  EXPECT_EQ(Exact::release(all[0]).value(), 1);
  EXPECT_EQ(Exact::release(all[1]).value(), 1.25);
  EXPECT_EQ(table.means(), (std::vector<double>{0.5, 0.4375}));
}

TEST(Table, NamesTellTablesApart) {
  EXPECT_NE(Table(Rows{{1, 0}}).name(), Table(Rows{{0, 1}}).name());
}

TEST(Table, RefusesRaggedRowsAndBadOutcomes) {
  EXPECT_THROW(Table(Rows{}), InvalidParameter);
  EXPECT_THROW(Table(Rows{{1, 0}, {1}}), InvalidParameter);
  EXPECT_THROW(Table(Rows{{2}}), InvalidParameter);
}

TEST(EnvironmentPrivate, HistoriesDependOnTheTrueMeansOnlyThroughTheReleasedOnes) {
  // Two environments whose releases happen to agree (their noise differs by exactly what separates
  // them: here the noise pushes both below 0, where clipping makes them equal) must give identical
  // histories.
  const double epsilon = 0.05;
  for (std::uint64_t run = 0; run < 50; ++run) {
    const random::SimulationKey key(1, "environment", "test", run);
    const auto a = release_environment(seal_means({0.2, 0.9}), epsilon, Rewards::kBernoulli, key);
    const auto b = release_environment(seal_means({0.25, 0.8}), epsilon, Rewards::kBernoulli, key);
    if (a.problem->means() != b.problem->means()) continue;
    EXPECT_EQ(a.problem->name(), b.problem->name());
    auto random_a = stream(run);
    auto random_b = stream(run);
    for (Round t = 1; t <= 200; ++t) {
      const Arm arm = static_cast<Arm>(t % 2);
      ASSERT_EQ(Exact::release(a.problem->draw_outcome(arm, t, random_a)).value(),
                Exact::release(b.problem->draw_outcome(arm, t, random_b)).value());
    }
    return;
  }
  FAIL() << "no two releases agreed";
}

TEST(EnvironmentPrivate, RegretAndNameComeFromTheReleasedMeans) {
  const random::SimulationKey key(1, "environment", "test", 3);
  const auto released = release_environment(seal_means({0.31, 0.62}), 4, Rewards::kBernoulli, key);
  EXPECT_NE(released.problem->means()[0], 0.31);
  EXPECT_EQ(released.problem->name().find("0.31"), std::string::npos);
  EXPECT_EQ(released.guarantee.notion, privacy::Notion::kEnvironment);
  EXPECT_DOUBLE_EQ(released.guarantee.epsilon, 4);
}

TEST(EnvironmentPrivate, TakesAnyProblemThatIsMadeOfMeans) {
  const random::SimulationKey key(1, "environment", "test", 3);
  const SharedOutcomes groups({0.3, 0.7}, {0, 0, 1});
  const auto shared = release_environment(groups, 4, key);
  EXPECT_EQ(shared.problem->dependence(), Dependence::kInGroups);
  EXPECT_EQ(shared.problem->arms(), 3);
  EXPECT_EQ(shared.problem->means()[0], shared.problem->means()[1]) << "one mean, one noise";
  const IndependentArms arms({0.3, 0.7}, Rewards::kPoint);
  const auto single = release_environment(arms, 4, key);
  EXPECT_EQ(single.problem->means()[0], shared.problem->means()[0]) << "the same noise";
  EXPECT_EQ(single.problem->name().find("point"), 0U) << "and the same law of rewards";
  EXPECT_EQ(single.loss.at(0.5), 2);
  EXPECT_EQ(single.loss.at(0), 0);
  EXPECT_THROW(release_environment(Table(Rows{{1, 0}}), 4, key), InvalidParameter);
  EXPECT_THROW(release_environment(arms, 0, key), InvalidParameter);
  EXPECT_EQ(Table(Rows{{1, 0}}).in_environment({0.1, 0.2}), nullptr);
  EXPECT_THROW(arms.in_environment({0.5}), InvalidParameter);
  EXPECT_THROW(groups.in_environment({0.5, 0.5, 0.5}), InvalidParameter);
}

TEST(EnvironmentPrivate, EveryArmHasNoiseOfItsOwn) {
  // Shared noise would tell the differences of the means exactly.
  const random::SimulationKey key(1, "environment", "arms", 0);
  const auto simulated = release_environment(seal_means({0.5, 0.5, 0.5}), 20, Rewards::kPoint, key);
  EXPECT_NE(simulated.problem->means()[0], simulated.problem->means()[1]);
  EXPECT_NE(simulated.problem->means()[1], simulated.problem->means()[2]);
}

TEST(EnvironmentPrivate, ASharedReleaseIsExactSecureAndHasItsLaw) {
  random::SecureSource source;
  std::vector<double> noise;
  privacy::Guarantee guarantee;
  for (int i = 0; i < 4000; ++i) {
    const auto released = release_environment({0.5, 0.5, 0.5}, 20, Rewards::kPoint, source);
    for (const double mean : released.problem->means()) noise.push_back(mean - 0.5);
    guarantee = released.guarantee;
  }
  // The grid of 2^-20 is far finer than what the test resolves.
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x * 20) : 1 - 0.5 * std::exp(-x * 20);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf),
            testing::ks_critical(noise.size(), testing::kFamilyError));
  EXPECT_EQ(guarantee.notion, privacy::Notion::kEnvironment);
  EXPECT_NEAR(guarantee.epsilon, 20, 1e-4);
  EXPECT_EQ(guarantee.arithmetic, privacy::Arithmetic::kExact);
  EXPECT_EQ(guarantee.randomness, privacy::Randomness::kSecure);
  EXPECT_THROW(release_environment({0.5}, 1e-9, Rewards::kPoint, source), InvalidParameter);
}

TEST(EnvironmentPrivate, PaysForEveryMeanThatIsCutToTheGrid) {
  random::SecureSource source;
  const auto epsilon = [&](std::size_t arms) {
    return release_environment(std::vector<double>(arms, 0.5), 1, Rewards::kPoint, source)
        .guarantee.epsilon;
  };
  // Noise of scale 1 lies on a grid of 2^-20. Means a hair apart can be cut to neighbouring points of it, all of
  // them at once, however little distance that takes.
  EXPECT_EQ(epsilon(1), 1);
  EXPECT_DOUBLE_EQ(epsilon(3), 1 + 3 * 0x1p-20);
  EXPECT_DOUBLE_EQ(epsilon(100000), 1 + 100000 * 0x1p-20);
}

TEST(EnvironmentPrivate, SaysThatDistancesBelowTheGridCostToo) {
  random::SecureSource source;
  const std::vector<double> means(100000, 0.5);
  const auto shared = release_environment(means, 1, Rewards::kPoint, source).guarantee;
  EXPECT_EQ(shared.neighbours,
            "environments at L1 distance 1; at distance d, however small, epsilon is 1 d + 0.0954");
  EXPECT_EQ(shared.because.find("in proportion"), std::string::npos) << shared.because;
  const random::SimulationKey key(1, "environment", "ideal", 0);
  const auto ideal = release_environment(seal_means(means), 1, Rewards::kPoint, key).guarantee;
  EXPECT_EQ(ideal.epsilon, 1);
  EXPECT_EQ(ideal.neighbours, "environments at L1 distance 1; epsilon grows in proportion");
}

TEST(EnvironmentPrivate, LeavesTheLaplaceNoiseThatItPromises) {
  std::vector<double> noise;
  for (std::uint64_t run = 0; run < 20000; ++run) {
    const random::SimulationKey key(1, "environment", "law", run);
    const auto released = release_environment(seal_means({0.5}), 20, Rewards::kPoint, key);
    noise.push_back(released.problem->means()[0] - 0.5);
  }
  // Clipping at +-0.5 is ten scales away: e^-10/2 of the mass, far below what the test resolves.
  const auto cdf = [](double x) {
    return x < 0 ? 0.5 * std::exp(x * 20) : 1 - 0.5 * std::exp(-x * 20);
  };
  EXPECT_LT(testing::ks_distance(noise, cdf),
            testing::ks_critical(noise.size(), testing::kFamilyError));
}

}  // namespace
}  // namespace tacit::problems
