// Every matroid against a brute force over all sets of arms, whose independence test is written
// from the definition and shares nothing with the library's.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/small_matroids_test.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

class EveryMatroid : public ::testing::TestWithParam<SmallMatroid> {};

TEST_P(EveryMatroid, AgreesWithABruteForceOverAllSets) {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    check_against_brute_force(GetParam().make(random), random, Guards::kExact);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Matroids, EveryMatroid, ::testing::ValuesIn(kSmallMatroids),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(TransversalMatroid, MovesArmsAlongLongPaths) {
  // Arm i can fill slots i and i + 1, and the last arm only slot 0: all must move up by one.
  constexpr int kArms = 50;
  std::vector<std::vector<int>> slots_of_arm;
  for (int i = 0; i + 1 < kArms; ++i) slots_of_arm.push_back({i, i + 1});
  slots_of_arm.push_back({0});
  slots_of_arm.push_back({0, 3});
  const TransversalMatroid matroid(kArms, slots_of_arm);
  const auto set = matroid.empty_set();
  for (Arm arm = 0; arm < kArms; ++arm) EXPECT_TRUE(set->add(arm)) << arm;
  EXPECT_FALSE(set->add(kArms));
  Arms circuit;
  set->circuit(kArms, circuit);
  EXPECT_EQ(sorted(circuit), (Arms{0, 1, 2, kArms - 1}));
}

TEST(MatroidBases, BreaksTiesEvenlyAmongAllBestSets) {
  // Arm 0 is best; two of the five arms that tie behind it join it: ten sets.
  const MatroidBases bases(std::make_shared<UniformMatroid>(7, 3), "uniform");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{2, 1, 1, 1, 0, 1, 1});
  std::map<Mask, std::int64_t> seen;
  constexpr Round kRounds = 20000;
  for (Round t = 1; t <= kRounds; ++t) {
    const ChosenSet choice = oracle->choose(t, dice());
    EXPECT_TRUE(choice.tied);
    ++seen[mask_of(choice.arms)];
  }
  ASSERT_EQ(seen.size(), 10U);
  std::vector<std::int64_t> counts;
  for (const auto& [mask, count] : seen) {
    EXPECT_NE(mask & bit(0), 0U);
    EXPECT_EQ(mask & bit(4), 0U);
    counts.push_back(count);
  }
  EXPECT_LT(tacit::testing::chi_square(counts, std::vector<double>(10, 0.1)),
            tacit::testing::chi_square_critical(10, tacit::testing::kFamilyError));
}

TEST(MatroidBases, BreaksTheTieOfARoundAlikeWhateverCameBefore) {
  const MatroidBases bases(std::make_shared<UniformMatroid>(20, 5), "uniform");
  const auto asked_every_round = bases.oracle();
  const auto asked_rarely = bases.oracle();
  const std::vector<double> level(20, 0.5);
  std::vector<double> uneven(20);
  for (std::size_t i = 0; i < 20; ++i) uneven[i] = static_cast<double>(i * 7 % 20);
  int same_as_before = 0;
  int same_with_other_key = 0;
  Arms before;
  for (Round t = 1; t <= 300; ++t) {
    asked_every_round->set_scores(t % 3 == 0 ? level : uneven);
    const ChosenSet choice = asked_every_round->choose(t, dice());
    EXPECT_EQ(choice.tied, t % 3 == 0);
    const Arms chosen(choice.arms.begin(), choice.arms.end());
    if (t % 30 == 0) {
      asked_rarely->set_scores(level);
      EXPECT_EQ(sorted(asked_rarely->choose(t, dice()).arms), chosen);
      same_with_other_key += sorted(asked_rarely->choose(t, dice(1)).arms) == chosen ? 1 : 0;
      same_as_before += chosen == before ? 1 : 0;
      before = chosen;
    }
  }
  // Two of the 15504 sets are the same by chance; three times in ten that happens to no one.
  EXPECT_LT(same_as_before, 3);
  EXPECT_LT(same_with_other_key, 3);
}

TEST(MatroidBases, KnowsATieThatDoesNotMatter) {
  // The tied arms are of different blocks, each with room for both or with a better arm.
  const MatroidBases bases(
      std::make_shared<PartitionMatroid>(std::vector<int>{0, 0, 1, 1}, std::vector<int>{1, 2}),
      "partition");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{3, 1, 1, 1});
  ChosenSet choice = oracle->choose(1, dice());
  EXPECT_EQ(sorted(choice.arms), (Arms{0, 2, 3}));
  EXPECT_FALSE(choice.tied);
  oracle->set_score(0, 1);
  choice = oracle->choose(2, dice());
  EXPECT_TRUE(choice.tied);
}

template <class Make>
InvalidParameter refusal(Make make) {
  try {
    make();
  } catch (const InvalidParameter& error) {
    return error;
  }
  return {Option{}, "", "accepted"};
}

TEST(MatroidBases, RefusesAMatroidWithNothingToPlay) {
  const auto error = refusal([] {
    MatroidBases(std::make_shared<PartitionMatroid>(std::vector<int>{0}, std::vector<int>{0}), "p");
  });
  EXPECT_STREQ(error.what(),
               "rank = 0: a matroid of rank 0 has no arm that may be played (MatroidBases)");
}

TEST(Matroids, NameWhatTheyRefuse) {
  EXPECT_STREQ(refusal([] { UniformMatroid(3, 0); }).what(),
               "size = 0: must be an integer from 1 to the number of arms, 3 (UniformMatroid)");
  EXPECT_EQ(refusal([] { UniformMatroid(3, 4); }).parameter(), "size");
  EXPECT_EQ(refusal([] { PartitionMatroid({0, 2}, {1, 1}); }).parameter(), "block of arm 1");
  EXPECT_EQ(refusal([] { PartitionMatroid({0}, {-1}); }).parameter(), "capacity");
  EXPECT_EQ(refusal([] { LaminarMatroid(0, {}); }).parameter(), "arms");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{0}, -1}}); }).parameter(), "capacity");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{0, 2}, 1}}); }).parameter(), "arm of set 0");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{1, 1}, 1}}); }).parameter(), "arm of set 0");
  EXPECT_EQ(refusal([] { GraphicMatroid(0, {}); }).parameter(), "nodes");
  EXPECT_EQ(refusal([] { GraphicMatroid(2, {{0, 1}, {0, 2}}); }).parameter(), "end of edge 1");
  EXPECT_EQ(refusal([] { LinearMatroid(Rows{}); }).parameter(), "rows");
  EXPECT_EQ(refusal([] { LinearMatroid(Rows(1)); }).parameter(), "rows");
  EXPECT_STREQ(refusal([] {
                 LinearMatroid(Rows{{1, 2}, {1}});
               }).what(),
               "row = 1: must have 2 integers like row 0, has 1 (LinearMatroid)");
  EXPECT_EQ(refusal([] { TransversalMatroid(0, {}); }).parameter(), "slots");
  EXPECT_EQ(refusal([] { TransversalMatroid(1, {{0}, {1}}); }).parameter(), "slot of arm 1");
}

TEST(LaminarMatroid, NamesTwoSetsThatCross) {
  const auto crossing = [](const std::vector<LaminarSet>& sets) {
    return refusal([&sets] { LaminarMatroid(6, sets); }).value();
  };
  EXPECT_EQ(crossing({{{0, 1}, 1}, {{1, 2}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{0, 1, 2, 3}, 1}, {{0}, 1}, {{3, 4}, 1}}), "0 and 2");
  EXPECT_EQ(crossing({{{5, 2}, 1}, {{0, 1, 2}, 1}, {{0, 1, 2, 3, 4, 5}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{2, 5}, 1}, {{0, 1, 2}, 1}, {{0, 1, 2, 3, 4, 5}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{0, 1, 2}, 1}, {{0, 1, 2}, 2}, {{1}, 1}, {{4, 5}, 1}, {{}, 1}}), "");
}

}  // namespace
}  // namespace tacit::actions
