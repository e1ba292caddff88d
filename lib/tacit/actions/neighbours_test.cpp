#include "tacit/actions/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

/// Every arm shows itself and others, each with probability `density`; none where two rows would be the same.
std::vector<Action> random_rows(Draw& draw, int arms, double density) {
  std::vector<Action> rows;
  std::set<Action> seen;
  for (Arm arm = 0; arm < arms; ++arm) {
    Action row;
    for (Arm other = 0; other < arms; ++other) {
      if (other == arm || random::uniform_open(draw) < density) row.push_back(other);
    }
    if (!seen.insert(row).second) return {};
    std::rotate(row.begin(), row.begin() + (arm % std::ssize(row)), row.end());  // any order
    rows.push_back(row);
  }
  return rows;
}

TEST(Neighbours, PlayTheArmOfTheLargestScoreAndShowItsRow) {
  int instances = 0;
  for (std::uint64_t run = 0; run < 80; ++run) {
    auto draw = instance(run);
    const auto rows = random_rows(draw, between(draw, 1, 9), run % 2 == 0 ? 0.2 : 0.6);
    if (rows.empty()) continue;
    ++instances;
    const Neighbours set(rows);
    EXPECT_EQ(set.all(rows.size()), rows);
    EXPECT_TRUE(set.all(rows.size() - 1).empty());
    EXPECT_TRUE(set.approximation().exact());
    std::size_t longest = 0;
    for (const Action& row : rows) longest = std::max(longest, row.size());
    EXPECT_EQ(set.size(), static_cast<int>(longest));
    for (Arm arm = 0; arm < set.arms(); ++arm) {
      EXPECT_EQ(set.played(rows[at(arm)]), arm);
      EXPECT_EQ(set.played(sorted(rows[at(arm)])), arm);
    }
    expect_smooth(set, rows[0], draw);
    for (Round t = 1; t <= 8; ++t) {
      const auto scores = random_scores(draw, set.arms(), static_cast<int>(t % 4));
      const Arm played = set.played(chosen(set, scores, t));
      EXPECT_EQ(scores[at(played)], *std::max_element(scores.begin(), scores.end()));
      const auto means = random_means(draw, set.arms());
      EXPECT_NEAR(value(set, rows[at(played)], means), means[at(played)], 1e-9);
      EXPECT_NEAR(ActionSet::from_units(set.benchmark(means)),
                  *std::max_element(means.begin(), means.end()), 1e-9);
    }
  }
  EXPECT_GT(instances, 40);
}

const std::vector<Action> kRing = {{3, 0, 1}, {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {4, 0}};

TEST(Neighbours, TiesAreBrokenUniformly) {
  constexpr Round kRounds = 20000;
  const Neighbours ring(kRing);
  const auto counts = choices_over_rounds(ring, std::vector<double>{0.5, 1, 0.2, 1, 1}, kRounds);
  std::vector<std::int64_t> observed;
  for (const Arm arm : {1, 3, 4}) observed.push_back(counts.at(sorted(kRing[at(arm)])));
  EXPECT_EQ(counts.size(), 3U);
  EXPECT_LT(tacit::testing::chi_square(observed, {1.0 / 3, 1.0 / 3, 1.0 / 3}),
            tacit::testing::chi_square_critical(3, kError));
}

TEST(Neighbours, AChoiceStandsWhileNoOtherScoreComesNear) {
  const auto oracle = Neighbours(kRing).oracle();
  EXPECT_FALSE(oracle->still_best(std::vector<double>{1, 0, 0, 0, 0})) << "nothing was chosen";
  oracle->set_scores(std::vector<double>{0.5, 1, 0.2, 0.3, 0.1});
  EXPECT_FALSE(oracle->choose(1, dice()).tied);
  EXPECT_TRUE(oracle->still_best(std::vector<double>{1.4, 1.5, 0.2, 0.3, 0.1}));
  EXPECT_FALSE(oracle->still_best(std::vector<double>{1.5, 1.5, 0.2, 0.3, 0.1}));
  EXPECT_FALSE(oracle->still_best(std::vector<double>{0, 1.5, 1.6, 0.3, 0.1}));
  oracle->set_scores(std::vector<double>{0.5, kInfinity, 0.2, kInfinity, 0.1});
  EXPECT_TRUE(oracle->choose(1, dice()).tied);
  oracle->set_scores(std::vector<double>{0.5, 1, 0.2, kInfinity, 0.1});
  EXPECT_FALSE(oracle->choose(1, dice()).tied);
}

TEST(Neighbours, ARowWithAnArmThatMayNotBePlayedComesLast) {
  const Neighbours ring(kRing);
  EXPECT_EQ(ring.played(chosen(ring, std::vector<double>{0.5, 1, 0.9, -kInfinity, 0.1}, 1)), 1);
  EXPECT_EQ(ring.played(chosen(ring, std::vector<double>{0.5, 1, -kInfinity, 0.9, 0.1}, 1)), 0);
}

TEST(Neighbours, RefuseRowsThatDoNotTellWhichArmIsPlayed) {
  const auto why = [](const std::vector<Action>& rows) -> std::string {
    try {
      const Neighbours set(rows);
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(why({}).find("rows"), std::string::npos);
  EXPECT_NE(why({{0, 1}, {1, 0}}).find("row of arm 0 too"), std::string::npos);
  EXPECT_NE(why({{0, 1}, {0}}).find("must show the arm itself"), std::string::npos);
  EXPECT_NE(why({{0, 2}, {1}}).find("arms are 0 to 1"), std::string::npos);
  EXPECT_NE(why({{0, -1}, {1}}).find("arms are 0 to 1"), std::string::npos);
  EXPECT_NE(why({{0, 1, 1}, {1}}).find("once"), std::string::npos);
  EXPECT_NE(why({{0}, {}}).find("must show the arm itself"), std::string::npos);
  EXPECT_EQ(why({{0}}), "");
  EXPECT_EQ(why({{0, 1}, {1}}), "");
}

TEST(Neighbours, HaveANameOfTheirRows) {
  EXPECT_EQ(Neighbours(kRing).name(), Neighbours(kRing).name());
  EXPECT_NE(Neighbours(kRing).name(), Neighbours({{0}, {1}, {2}, {3}, {4}}).name());
}

}  // namespace
}  // namespace tacit::actions
