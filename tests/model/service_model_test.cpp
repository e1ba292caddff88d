// Random histories of the service against the model of its promise; and services that break it, which it must find, and tell in a
// few steps.
#include <gtest/gtest.h>

#include "model/service_play.hpp"
#include "model/store_twice.hpp"
#include "model/stories.hpp"
#include "service/sums_as_they_are.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/service/account.hpp"

namespace tacit::model {
namespace {

constexpr std::uint64_t kFirst = 1;

TEST(ServiceModel, FindsNoDifferenceInRandomHistories) {
  EXPECT_EQ(first_that_fails(kFirst, stories()), "");
}

TEST(ServiceModel, FindsNoDifferenceOnADisk) {
  constexpr std::uint64_t kSome = 300;
  EXPECT_EQ(first_that_fails(kFirst, kSome,
                             {.store = [] { return std::make_unique<StoreTwice>(); },
                              .releaser = nullptr,
                              .copies = false}),
            "");
}

/// Of the first history that fails, as it is told.
std::string found(const Twin& twin) { return first_that_fails(kFirst, stories(), twin); }

bool is_short(const std::string& told) { return told.find("\n 13. ") == std::string::npos; }

template <class Broken>
std::string found_of_a_store() {
  return found({.store = [] { return std::make_unique<Broken>(); }, .releaser = nullptr});
}

class ForgetsUnits final : public StoreInMemory {
 public:
  using StoreInMemory::put;
  void put(const UnitRow& row) override {
    UnitRow other = row;
    other.expires = kept().clock + kMinute;
    StoreInMemory::put(other);
  }
};

TEST(ServiceModel, FindsAStoreThatForgetsUnits) {
  const std::string told = found_of_a_store<ForgetsUnits>();
  EXPECT_NE(told.find("for unit"), std::string::npos) << told;
  EXPECT_TRUE(is_short(told)) << told;
}

class KeepsNoActivations final : public StoreInMemory {
 public:
  using StoreInMemory::put;
  void put(const ReplyRow&) override {}
};

TEST(ServiceModel, FindsAStoreThatKeepsNoActivations) {
  const std::string told = found_of_a_store<KeepsNoActivations>();
  EXPECT_NE(told.find("activate"), std::string::npos) << told;
  EXPECT_TRUE(is_short(told)) << told;
}

class KeepsSlotsYoung final : public StoreInMemory {
 public:
  using StoreInMemory::put;
  void put(const SlotRow& row) override {
    SlotRow other = row;
    other.opened = kept().clock;
    StoreInMemory::put(other);
  }
};

TEST(ServiceModel, FindsAStoreWhoseSlotsGrowNoOlder) {
  const std::string told = found_of_a_store<KeepsSlotsYoung>();
  EXPECT_NE(told.find("phases at most"), std::string::npos) << told;
  EXPECT_TRUE(is_short(told)) << told;
}

/// Of many one outcome is lost.
class LosesOneOfMany final : public Releaser {
 public:
  curators::ReleasedSlot release(Id id, const curators::Plan& plan, int arms, Slot slot, Round n,
                                 const privacy::SecretVector<Sum>& total) override {
    curators::ReleasedSlot released = exact_.release(id, plan, arms, slot, n, total);
    constexpr Round kMany = 64;
    if (n <= kMany) return released;
    released.values[0] = privacy::Published::again(released.values[0].value() - 1);
    return released;
  }

 private:
  SumsAsTheyAre exact_;
};

TEST(ServiceModel, FindsASumOfManyThatIsOneTooSmall) {
  const std::string told = found({.releaser = [] { return std::make_unique<LosesOneOfMany>(); }});
  EXPECT_NE(told.find("is released as"), std::string::npos) << told;
  EXPECT_TRUE(is_short(told)) << told;
}

class Longest final : public Releaser {
 public:
  explicit Longest(Round& longest) : longest_(longest) {}
  curators::ReleasedSlot release(Id id, const curators::Plan& plan, int arms, Slot slot, Round n,
                                 const privacy::SecretVector<Sum>& total) override {
    longest_ = std::max(longest_, n);
    return exact_.release(id, plan, arms, slot, n, total);
  }

 private:
  Round& longest_;
  SumsAsTheyAre exact_;
};

TEST(ServiceModel, WalksSlotsOfMoreThanABlockOfWhatIsSealed) {
  Round longest = 0;
  constexpr std::uint64_t kSome = 1000;
  EXPECT_EQ(first_that_fails(kFirst, kSome,
                             {.releaser = [&] { return std::make_unique<Longest>(longest); }}),
            "");
  EXPECT_GT(longest, Account::kPlacesOfABlock);
}

}  // namespace
}  // namespace tacit::model
