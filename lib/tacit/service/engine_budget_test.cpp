// What is spent stays spent, and who is forgotten stays forgotten: whatever a crash or an older copy of the store leaves.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "service/rig.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

Json spending(const std::string& name, double epsilon) {
  Json spec = small_spec(name);
  spec["epsilon"] = epsilon;
  return spec;
}

Json by_user(double epsilon, const char* period = nullptr) {
  Json spec = small_spec();
  spec.erase("epsilon");
  spec["user"] = {{"epsilon", epsilon}, {"cap", 1}};
  if (period != nullptr) spec["user"]["period"] = period;
  return spec;
}

int status_of_creating(Rig& rig, const Json& spec) {
  const int refused = status_of([&] { rig.create(spec); });
  return refused == 0 ? 201 : refused;
}

TEST(Budget, RefusesWhatAPopulationCannotPayFor) {
  Rig rig(exact);
  rig.population("people", 2.5);
  rig.create(small_spec("one"));
  rig.create(small_spec("two"));
  EXPECT_EQ(status_of([&] { rig.create(small_spec("three")); }), 409);
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  EXPECT_EQ(status_of([&] { rig.create(small_spec("three")); }), 409);
  EXPECT_EQ(rig.engine().find("three"), nullptr);
}

TEST(Budget, KeepsSpentWhatAnOlderCopyOfTheStoreDoesNotKnow) {
  Rig rig(exact);
  rig.population("people", 3);
  rig.create(small_spec("one"));
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("store.db"), rig.folder.file("backup.db"));
  rig.start();
  rig.create(small_spec("two"));
  rig.crash();
  std::filesystem::copy_file(rig.folder.file("backup.db"), rig.folder.file("store.db"),
                             std::filesystem::copy_options::overwrite_existing);
  rig.start();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2);
}

struct Spending {
  double budget;
  std::vector<double> before, after;
};

void PrintTo(const Spending& spending, std::ostream* out) {
  *out << fmt::format("{}: {} before, {} after", spending.budget, fmt::join(spending.before, " "),
                      fmt::join(spending.after, " "));
}

class BudgetOfAnOlderCopy : public testing::TestWithParam<Spending> {};

TEST_P(BudgetOfAnOlderCopy, StaysSpent) {
  const Spending& spending_of = GetParam();
  Rig rig(exact);
  rig.population("people", spending_of.budget);
  int number = 0;
  const auto spend = [&](const std::vector<double>& all) {
    for (const double each : all) rig.create(spending(fmt::format("e{}", ++number), each));
  };
  spend(spending_of.before);
  restore_what_was_before(rig, [&] { spend(spending_of.after); });
  EXPECT_NEAR(rig.engine().populations().at(0).spent, spending_of.budget,
              1e-14 * spending_of.budget);
  const Round debits = static_cast<Round>(rig.store().load().debited.size());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(status_of_creating(rig, spending("more", 1e-9)), 409);
    rig.restart();
  }
  EXPECT_EQ(rig.store().load().debited.size(), static_cast<std::size_t>(debits)) << "once";
}

INSTANTIATE_TEST_SUITE_P(Used, BudgetOfAnOlderCopy,
                         testing::Values(Spending{1, {0.1, 0.7}, {0.2}},
                                         Spending{1, {1.0 / 3}, {2.0 / 3}},
                                         Spending{1, {0.1}, {0.2, 0.7}},
                                         Spending{1, {0.1, 0.6}, {0.3}}, Spending{1, {}, {1}},
                                         Spending{1000, {999.875}, {0.125}}));

TEST(Budget, OfAPeriodWhoseFirstBatchIsLostIsSpentToTheLastDigit) {
  Rig rig(exact);
  rig.population("people", 1.2, true);
  const Id id = rig.create(by_user(0.3, "1d"));
  for (int day = 0; day < 4; ++day) {
    EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
    if (day < 3) rig.commit();
    if (day < 3) rig.clock.advance(kDay);
  }
  rig.restart();
  EXPECT_NEAR(rig.engine().populations().at(0).spent, 1.2, 1e-14);
  Json other = by_user(0.3);
  other["name"] = "other";
  EXPECT_EQ(status_of_creating(rig, other), 409);
}

TEST(Budget, OfAPopulationThatIsMadeAgainIsWhatWasLeft) {
  Rig rig(exact);
  rig.population("others");
  restore_what_was_before(rig, [&] {
    rig.population("people", 2);
    rig.create(spending("one", 1.5));
  });
  ASSERT_EQ(rig.engine().populations().size(), 1U);
  rig.population("people", 2);
  EXPECT_EQ(status_of_creating(rig, spending("one", 1.5)), 409);
  EXPECT_EQ(status_of_creating(rig, spending("one", 0.5)), 201);
  EXPECT_EQ(rig.engine().populations().at(1).spent, 2);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(1).spent, 2);
}

TEST(Budget, OfWhatIsLostWithTheBatchOfAnothersPeriodIsNotSpent) {
  Rig rig(exact);
  rig.population("people", 10, true);
  const Id id = rig.create(by_user(1, "1d"));
  rig.clock.advance(kDay);
  Json other = by_user(4);
  other["name"] = "other";
  rig.engine().create(spec_of(other), "test", rig.clock.now());
  EXPECT_TRUE(rig.event(rig.decide(id, "user-1")).recorded);
  rig.restart();
  EXPECT_EQ(rig.engine().populations().at(0).spent, 2) << "two periods, and nothing of the other";
}

}  // namespace
}  // namespace tacit::service
