#include "tacit/policies/tracking.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tacit::policies {
namespace {

TEST(Tracking, ByHalvesPlaysBothInTurn) {
  Tracking tracking(2, 0.5);
  std::vector<bool> leader;
  for (int i = 0; i < 8; ++i) {
    leader.push_back(tracking.plays_leader(0));
    tracking.count(0, leader.back() ? 0 : 1, 1);
  }
  // N <= L/2 with L = 1, 2, ...: 0 <= 1/2, 1 <= 1, 2 > 3/2, 2 <= 2, ...
  EXPECT_EQ(leader, (std::vector<bool>{true, true, false, true, false, true, false, true}));
  EXPECT_TRUE(tracking.plays_leader(1)) << "who never led before begins by itself";
}

/// Whatever went before: a leader far behind its share, or far beyond.
TEST(Tracking, FindsTheRoundsOfManyAsOneByOne) {
  for (const double beta : {0.1, 0.5, 0.77}) {
    for (const Round ahead : {0, 7, 40}) {
      for (const Round behind : {0, 9, 50}) {
        Tracking start(3, beta);
        start.count(1, 1, ahead);
        start.count(1, 2, behind);
        Tracking one_by_one = start;
        Round played = 0;
        for (Round n = 1; n <= 120; ++n) {
          const bool leads = one_by_one.plays_leader(1);
          played += leads ? 1 : 0;
          one_by_one.count(1, leads ? 1 : 2, 1);
          ASSERT_EQ(start.share(1, n), played) << beta << " " << ahead << " " << behind << " " << n;
        }
        for (const Round of_leader : {1, 2, 5, 30}) {
          for (const Round of_other : {1, 3, 20}) {
            const Round n = start.rounds_until(1, of_leader, of_other);
            const Round leads = start.share(1, n);
            EXPECT_TRUE((leads == of_leader && n - leads < of_other) ||
                        (leads < of_leader && n - leads == of_other));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::policies
