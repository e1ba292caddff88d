#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tacit/actions/small_matroids_test.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

int rank_of(const Rows& rows) {
  return MatroidBases(std::make_shared<LinearMatroid>(rows), "linear").size();
}

TEST(LinearMatroid, TellsHugeRowsApartThatDoublesTakeForEqual) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(static_cast<double>(huge), static_cast<double>(huge - 2));
  EXPECT_EQ(rank_of({{huge, huge - 1}, {huge - 1, huge - 2}}), 2);  // determinant -1
  EXPECT_EQ(rank_of({{huge, huge - 2}, {huge / 2, huge / 2 - 1}}), 1);
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(rank_of({{lowest, highest}, {lowest + 1, highest}}), 2);
  EXPECT_EQ(rank_of({{lowest, lowest}, {1, 1}, {highest, highest}}), 1);
}

TEST(LinearMatroid, TakesNoMoreMemoryThanItSays) {
  EXPECT_EQ(rank_of({std::vector<std::int64_t>(200001, 1)}), 1);
  // Fifty thousand numbers each, and a basis of as many arms: some hundred primes of 20 MB an arm.
  const Rows rows(2000, std::vector<std::int64_t>(50000, std::int64_t{1} << 60));
  try {
    LinearMatroid matroid(rows);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "rows");
    EXPECT_EQ(error.value(), "2000 rows of 50000 integers");
    EXPECT_NE(error.requirement().find("GiB of memory; at most 4 are taken"), std::string::npos)
        << error.requirement();
  }
}

TEST(LinearMatroid, IsNotFooledByDeterminantsThatItsPrimesDivide) {
  EXPECT_EQ(rank_of({{kFirstPrime}}), 1);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kFirstPrime}}), 2);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kSecondPrime}}), 2);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kFirstPrime * kSecondPrime}}), 2);
  EXPECT_EQ(rank_of({{kFirstPrime, 0, 0}, {0, kSecondPrime, 0}, {0, 0, kFirstPrime}}), 3);
}

TEST(LinearMatroid, FindsMembersWhoseCoefficientsItsPrimesDivide) {
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(Rows{{1, 0, 0},
                                           {0, 1, 0},
                                           {0, 0, 1},
                                           {kFirstPrime, 1, 0},
                                           {kFirstPrime * kSecondPrime, 0, kFirstPrime}}),
      "linear");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{9, 8, 7, 2, 1});
  ASSERT_EQ(sorted(oracle->choose(1, dice()).arms), (Arms{0, 1, 2}));
  EXPECT_EQ(sorted(oracle->guards(3)), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(4)), (Arms{0, 2}));
}

TEST(LinearMatroid, KnowsTheCircuitsOfLongRowsExactly) {
  const std::int64_t huge = std::int64_t{1} << 60;
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(Rows{{huge, 1}, {1, huge}, {4 * huge - 4, 4}, {3, 3 * huge}}),
      "linear");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{9, 8, 2, 1});
  ASSERT_EQ(sorted(oracle->choose(1, dice()).arms), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(2)), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(3)), (Arms{1}));
}

TEST(LinearMatroid, AgreesWithABruteForceOnMultiplesOfItsPrimes) {
  std::mt19937 random(11);
  const std::vector<std::int64_t> entries{0,
                                          0,
                                          1,
                                          -1,
                                          2,
                                          kFirstPrime,
                                          -kFirstPrime,
                                          kSecondPrime,
                                          kFirstPrime + 1,
                                          kFirstPrime * kSecondPrime,
                                          kFirstPrime * kSecondPrime + 1,
                                          2 * kFirstPrime};
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    Rows rows(at(pick(random, 2, 7)), std::vector<std::int64_t>(at(pick(random, 1, 4))));
    for (auto& row : rows) {
      for (auto& entry : row) {
        entry = entries[at(pick(random, 0, static_cast<int>(entries.size()) - 1))];
      }
    }
    check_against_brute_force(linear_of(rows), random, Guards::kSuperset);
    if (HasFatalFailure()) return;
  }
}

TEST(LinearMatroid, AgreesWithABruteForceOnRowsOfManyDigits) {
  std::mt19937 random(12);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    // Rows of rank 3 in 5 columns: combinations of three long rows.
    const int arms = pick(random, 4, 8);
    Rows base(3, std::vector<std::int64_t>(5));
    for (auto& row : base) {
      for (auto& entry : row) entry = pick(random, -1'000'000'000, 1'000'000'000) * 1'000'003LL;
    }
    Rows rows(at(arms), std::vector<std::int64_t>(5));
    for (auto& row : rows) {
      for (const auto& b : base) {
        const int factor = pick(random, -1, 1);
        for (std::size_t j = 0; j < 5; ++j) row[j] += factor * b[j];
      }
    }
    check_against_brute_force(linear_of(rows), random, Guards::kExact);
    if (HasFatalFailure()) return;
  }
}

// The vectors and means of table 6.1 in Chandak's thesis.
TEST(LinearMatroid, FindsTheBasisOfAPublishedExample) {
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(
          Rows{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {2, 0, 0}, {0, 0, 0}}),
      "linear");
  const std::vector<double> means{.8, .75, .6, .2, .3, .4, .7};
  EXPECT_EQ(bases.size(), 3);
  const auto oracle = bases.oracle();
  oracle->set_scores(means);
  const ChosenSet choice = oracle->choose(1, dice());
  EXPECT_EQ(sorted(choice.arms), (Arms{0, 1, 2}));
  EXPECT_FALSE(choice.tied);
  EXPECT_TRUE(oracle->guards(6).empty());
  EXPECT_EQ(sorted(oracle->guards(5)), (Arms{0}));
  EXPECT_EQ(bases.benchmark(means), bases.value(Arms{0, 1, 2}, means));
}

}  // namespace
}  // namespace tacit::actions
