#include "tacit/audit/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::audit {
namespace {

TEST(NeighbouringTables, DifferInOneRound) {
  for (const int arms : {2, 3, 5}) {
    for (const Round rounds : {Round{4}, Round{8}, Round{9}}) {
      for (const Pair& pair : neighbouring_tables(arms, rounds)) {
        ASSERT_EQ(std::ssize(pair.one), rounds);
        ASSERT_EQ(pair.other.size(), pair.one.size());
        int different = 0;
        for (std::size_t t = 0; t < pair.one.size(); ++t) {
          different += pair.one[t] != pair.other[t] ? 1 : 0;
        }
        EXPECT_EQ(different, 1) << pair.name;
      }
    }
  }
  EXPECT_THROW(neighbouring_tables(1, 8), InvalidParameter);
}

/// What a pair is about.
struct Change {
  std::size_t round = 0;
  bool up = false;  // some outcome, from one to other
  bool down = false;
  int arms = 0;  // that change
  bool operator==(const Change&) const = default;
};

Change change_of(const Pair& pair) {
  Change change;
  for (std::size_t t = 0; t < pair.one.size(); ++t) {
    for (std::size_t a = 0; a < pair.one[t].size(); ++a) {
      const double by = pair.other[t][a] - pair.one[t][a];
      if (by == 0) continue;
      change.round = t;
      change.up = change.up || by == 1;
      change.down = change.down || by == -1;
      ++change.arms;
    }
  }
  return change;
}

TEST(NeighbouringTables, AreOfEveryKind) {
  constexpr std::size_t kRounds = 8;
  const Rows zeros(kRounds, {0, 0});
  const Rows ones(kRounds, {1, 1});
  const Rows leading(kRounds, {1, 0});
  Rows halves = zeros;
  std::fill_n(halves.begin(), kRounds / 2, std::vector<double>{1, 1});
  const auto has = [](const Rows& among, const Change& wanted) {
    for (const Pair& pair : neighbouring_tables(2, kRounds)) {
      Rows rest = pair.one;
      rest[wanted.round] = among[wanted.round];
      if (rest == among && change_of(pair) == wanted) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(zeros, {0, true, false, 2})) << "early, all";
  EXPECT_TRUE(has(ones, {0, true, false, 2}));
  EXPECT_TRUE(has(zeros, {0, true, false, 1})) << "one arm";
  EXPECT_TRUE(has(zeros, {1, true, false, 2}));
  EXPECT_TRUE(has(halves, {4, false, true, 2})) << "down";
  EXPECT_TRUE(has(zeros, {0, true, true, 2})) << "crosswise";
  EXPECT_TRUE(has(leading, {4, true, true, 2}));
  EXPECT_TRUE(has(halves, {4, true, true, 2}));
  EXPECT_TRUE(has(zeros, {6, true, false, 2})) << "the last that an action can tell of";
}

}  // namespace
}  // namespace tacit::audit
