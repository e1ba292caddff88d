#include "tacit/core/slot.hpp"

#include <gtest/gtest.h>

#include <set>
#include <type_traits>

namespace tacit {
namespace {

TEST(Slot, IsOrderedByArmAndThenByPhase) {
  EXPECT_LT((Slot{0, 5}), (Slot{1, 0}));
  EXPECT_LT((Slot{1, 0}), (Slot{1, 1}));
  EXPECT_LT((Slot{kAllArms, 9}), (Slot{0, 0}));
  EXPECT_EQ((Slot{2, 3}), (Slot{2, 3}));
  EXPECT_NE((Slot{2, 3}), (Slot{3, 2}));
  const std::set<Slot> slots{{0, 0}, {0, 1}, {0, 0}};
  EXPECT_EQ(slots.size(), 2U);
}

TEST(Slot, CostsNothingUntilItIsWritten) { EXPECT_TRUE(std::is_trivial_v<Slot>); }

}  // namespace
}  // namespace tacit
