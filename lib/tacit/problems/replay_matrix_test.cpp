#include "tacit/problems/replay_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "statistics/joint_law.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::problems {
namespace {

using testing::expect_one_joint_law;
using testing::Law;

constexpr double kAlpha = testing::kFamilyError / 10;

using Rows = std::vector<std::vector<int>>;

random::SimulationStream stream(std::uint64_t run) {
  return random::SimulationKey(1, "problems", "replay", run).stream(random::Purpose::kOutcomes);
}

BitMatrix matrix(const Rows& rows) {
  BitMatrix bits(static_cast<int>(rows.size()), static_cast<int>(rows.front().size()));
  for (int user = 0; user < bits.users(); ++user) {
    for (int item = 0; item < bits.items(); ++item) {
      if (rows[static_cast<std::size_t>(user)][static_cast<std::size_t>(item)] == 1) {
        bits.set(user, item);
      }
    }
  }
  return bits;
}

BitMatrix random_matrix(int users, int items, random::SimulationStream& random) {
  BitMatrix bits(users, items);
  for (int user = 0; user < users; ++user) {
    // A taste of their own, so that items are correlated.
    const double liking = random::uniform_open(random);
    for (int item = 0; item < items; ++item) {
      if (random::bernoulli(random, liking)) bits.set(user, item);
    }
  }
  return bits;
}

const Rows kRows{{1, 1, 0, 1}, {1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 1, 1}};

Law law_of_a_round() {
  Law law;
  for (const auto& row : kRows) law[row] += 1.0 / static_cast<double>(kRows.size());
  return law;
}

TEST(ReplayMatrix, HasOneJointLawHoweverItIsDrawn) {
  const ReplayMatrix problem(matrix(kRows));
  const std::vector<Arm> asked{2, 0, 3};
  const auto counted = static_cast<int>(problem.counts_users_from(asked.size()));
  std::uint64_t run = 0;
  // draw_sums counts users from `counted` on; below they are drawn one by one.
  for (const int n : {1, 4, counted - 1, counted, 2 * counted}) {
    auto random = stream(run++);
    expect_one_joint_law(problem, law_of_a_round(), asked, n, random, kAlpha);
  }
}

TEST(ReplayMatrix, OneArmAloneHasItsMarginalLaw) {
  const ReplayMatrix problem(matrix(kRows));
  std::uint64_t run = 10;
  for (const int n : {1, 30, 200}) {
    auto random = stream(run++);
    expect_one_joint_law(problem, law_of_a_round(), {0}, n, random, kAlpha);
  }
}

TEST(ReplayMatrix, CountsEveryUserAsOftenAsAMultinomialDoes) {
  // With one item a user, the sums of the items are how often each user was drawn.
  const Rows identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Law round;
  for (const auto& row : identity) round[row] = 1.0 / 3;
  const ReplayMatrix problem(matrix(identity));
  const std::vector<Arm> asked{0, 1, 2};
  const auto counted = static_cast<int>(problem.counts_users_from(asked.size()));
  std::uint64_t run = 20;
  for (const int n : {3, counted - 1, counted, 3 * counted}) {
    auto random = stream(run++);
    expect_one_joint_law(problem, round, asked, n, random, kAlpha);
  }
}

TEST(ReplayMatrix, HasTheCovariancesOfItsColumns) {
  auto random = stream(40);
  const BitMatrix bits = random_matrix(90, 130, random);
  const ReplayMatrix problem(bits);
  const std::vector<Arm> asked{0, 63, 64, 127, 128, 129, 5};
  const Round counted = problem.counts_users_from(asked.size());
  constexpr int kDraws = 4000;
  const double critical =
      testing::two_sided_z(kAlpha / static_cast<double>(2 * asked.size() * asked.size()));
  for (const Round n : {counted - 1, counted}) {
    std::vector<std::vector<double>> centred(asked.size());
    for (int d = 0; d < kDraws; ++d) {
      privacy::SecretVector<Sum> sums(asked.size());
      problem.draw_sums(asked, 1, n, random, sums);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        centred[i].push_back(privacy::Exact::release(sums[i]).value() -
                             static_cast<double>(n) * problem.mean(asked[i]));
      }
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
      for (std::size_t j = i; j < asked.size(); ++j) {
        int both = 0;
        for (int user = 0; user < bits.users(); ++user) {
          both += bits.at(user, asked[i]) && bits.at(user, asked[j]) ? 1 : 0;
        }
        const double expected = static_cast<double>(n) *
                                (both / 90.0 - problem.mean(asked[i]) * problem.mean(asked[j]));
        double sum = 0;
        double squares = 0;
        for (std::size_t d = 0; d < kDraws; ++d) {
          const double product = centred[i][d] * centred[j][d];
          sum += product;
          squares += product * product;
        }
        const double mean = sum / kDraws;
        const double deviation = std::sqrt(squares / kDraws - mean * mean);
        EXPECT_LT(std::abs(mean - expected), critical * deviation / std::sqrt(kDraws))
            << "items " << asked[i] << " and " << asked[j] << ", n = " << n;
      }
    }
  }
}

TEST(ReplayMatrix, HasTheColumnMeans) {
  const ReplayMatrix problem(matrix(kRows));
  EXPECT_EQ(problem.arms(), 4);
  EXPECT_EQ(problem.means(), (std::vector<double>{3.0 / 5, 2.0 / 5, 2.0 / 5, 3.0 / 5}));
}

TEST(ReplayMatrix, DrawsAllRoundsAndNoMore) {
  // Everybody has item 0 and nobody item 1.
  const ReplayMatrix problem(matrix({{1, 0, 1}, {1, 0, 0}, {1, 0, 1}}));
  auto random = stream(41);
  privacy::SecretVector<Sum> sums(3);
  for (const Round n : {Round{1}, Round{17}, Round{100}, Round{1} << 40}) {
    problem.draw_all_sums(1, n, random, sums);
    EXPECT_EQ(privacy::Exact::release(sums[0]).value(), static_cast<double>(n));
    EXPECT_EQ(privacy::Exact::release(sums[1]).value(), 0);
  }
}

TEST(ReplayMatrix, NamesTellMatricesApart) {
  EXPECT_EQ(ReplayMatrix(matrix({{1, 0}})).name(), ReplayMatrix(matrix({{1, 0}})).name());
  EXPECT_NE(ReplayMatrix(matrix({{1, 0}})).name(), ReplayMatrix(matrix({{0, 1}})).name());
  EXPECT_NE(ReplayMatrix(matrix({{1, 0}})).name(), ReplayMatrix(matrix({{1, 0, 0}})).name());
}

TEST(ReplayMatrix, RefusesAnEmptyMatrix) {
  EXPECT_THROW(ReplayMatrix{BitMatrix()}, InvalidParameter);
  EXPECT_THROW(BitMatrix(0, 3), InvalidParameter);
  EXPECT_THROW(BitMatrix(3, 0), InvalidParameter);
}

TEST(BitMatrix, KeepsEveryBitApart) {
  for (const int items : {1, 63, 64, 65, 128, 130}) {
    BitMatrix bits(3, items);
    bits.set(1, 0);
    bits.set(1, items - 1);
    for (int user = 0; user < 3; ++user) {
      for (int item = 0; item < items; ++item) {
        EXPECT_EQ(bits.at(user, item), user == 1 && (item == 0 || item == items - 1));
      }
    }
  }
}

}  // namespace
}  // namespace tacit::problems
