#include "tacit/curators/open_slots.hpp"

#include <gtest/gtest.h>

#include "tacit/curators/curators_test.hpp"
#include "tacit/privacy/exact.hpp"

namespace tacit::curators {
namespace {

using Slots = OpenSlots<privacy::Secret<Sum>>;

double value_of(Slots& slots, Slot slot) {
  return privacy::Exact::release(*slots.find(slot)).value();
}

TEST(OpenSlots, AreEmptyToBeginWith) {
  Slots slots(2, 0, {});
  EXPECT_EQ(value_of(slots, {0, 0}), 0);
  EXPECT_EQ(value_of(slots, {1, 5}), 0);
}

TEST(OpenSlots, KeepSeveralOpenAtOnce) {
  Slots slots(2, 0, {});
  *slots.find({1, 2}) += ones(4);  // a later one first
  *slots.find({1, 0}) += ones(1);
  *slots.find({1, 1}) += ones(2);
  *slots.find({1, 2}) += ones(4);
  *slots.find({0, 0}) += ones(16);
  EXPECT_EQ(value_of(slots, {1, 0}), 1);
  EXPECT_EQ(value_of(slots, {1, 1}), 2);
  EXPECT_EQ(value_of(slots, {1, 2}), 8);
  EXPECT_EQ(value_of(slots, {0, 0}), 16);
}

TEST(OpenSlots, AreClosedInOrder) {
  Slots slots(1, 0, {});
  for (const Round phase : {0, 1, 2}) *slots.find({0, phase}) += ones(phase + 1);
  for (const Round phase : {0, 1, 2}) {
    EXPECT_EQ(privacy::Exact::release(slots.oldest({0, phase})).value(),
              static_cast<double>(phase + 1));
    slots.close_oldest(0);
    EXPECT_EQ(slots.find({0, phase}), nullptr);
  }
  EXPECT_EQ(value_of(slots, {0, 3}), 0) << "nothing is left of those before";
}

TEST(OpenSlots, ReleaseNoneOutOfTurn) {
  Slots slots(2, 0, {});
  *slots.find({0, 1}) += ones(1);
  EXPECT_THROW(slots.oldest({0, 1}), InvalidParameter) << "before the one before it";
  slots.close_oldest(0);
  EXPECT_THROW(slots.oldest({0, 0}), InvalidParameter) << "twice";
  EXPECT_NO_THROW(slots.oldest({0, 1}));
  EXPECT_NO_THROW(slots.oldest({1, 0}));
}

TEST(OpenSlots, DropWhatComesForAReleasedSlot) {
  Slots slots(2, 0, {});
  slots.close_oldest(0);
  slots.close_oldest(0);
  EXPECT_EQ(slots.find({0, 0}), nullptr);
  EXPECT_EQ(slots.find({0, 1}), nullptr);
  EXPECT_NE(slots.find({0, 2}), nullptr);
  EXPECT_NE(slots.find({1, 0}), nullptr) << "another arm's is open";
}

TEST(OpenSlots, WipeWhatTheyClose) {
  Slots slots(1, 0, {});
  privacy::Secret<Sum>* oldest = slots.find({0, 0});
  *oldest += ones(7);
  slots.close_oldest(0);
  EXPECT_EQ(privacy::Exact::release(*oldest).value(), 0);
}

TEST(OpenSlots, CountFromTheFirstPhase) {
  Slots slots(1, 3, {});
  EXPECT_EQ(slots.find({0, 2}), nullptr);
  EXPECT_NO_THROW(slots.oldest({0, 3}));
  *slots.find({0, 3}) += ones(1);
  slots.close_oldest(0);
  EXPECT_NO_THROW(slots.oldest({0, 4}));
}

TEST(OpenSlots, CountPastTwoToTheThirtyOne) {
  constexpr Round kFar = (Round{1} << 31) - 1;
  Slots slots(1, kFar, {});
  slots.close_oldest(0);
  EXPECT_EQ(slots.find({0, kFar}), nullptr);
  *slots.find({0, kFar + 1}) += ones(1);
  EXPECT_EQ(value_of(slots, {0, kFar + 1}), 1);
}

TEST(OpenSlots, AreLoadedAsTheyWereSaved) {
  Slots slots(2, 0, {});
  slots.close_oldest(1);
  *slots.find({1, 1}) += ones(1);
  *slots.find({1, 3}) += ones(3);
  Slots again(2, 0, {});
  *again.find({0, 0}) += ones(99);
  *again.find({0, 9}) += ones(99);
  load(again, slots);
  EXPECT_EQ(again.find({1, 0}), nullptr);
  EXPECT_EQ(value_of(again, {1, 1}), 1);
  EXPECT_EQ(value_of(again, {1, 2}), 0);
  EXPECT_EQ(value_of(again, {1, 3}), 3);
  EXPECT_EQ(value_of(again, {0, 0}), 0) << "nothing is left of what was there";
  EXPECT_EQ(value_of(again, {0, 9}), 0);
}

}  // namespace
}  // namespace tacit::curators
