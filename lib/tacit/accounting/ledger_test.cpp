#include "tacit/accounting/ledger.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tacit/core/state.hpp"

namespace tacit::accounting {
namespace {

privacy::Loss costing(double epsilon) { return {.epsilon = epsilon, .mechanism = "test"}; }

TEST(Ledger, AddsUpWhatOverlapsAndTakesTheMaximumOfWhatDoesNot) {
  Ledger ledger;
  EXPECT_EQ(ledger.worst_epsilon(), 0);
  ledger.note(0, 1, 10, costing(0.5));
  ledger.note(0, 11, 20, costing(0.25));
  EXPECT_EQ(ledger.worst_epsilon(), 0.5);
  ledger.note(0, 15, 15, costing(0.5));
  EXPECT_EQ(ledger.worst_epsilon(), 0.75) << "observation 15";
  ledger.note(0, 10, 11, costing(1));
  EXPECT_EQ(ledger.worst_epsilon(), 1.5) << "observation 10";
}

TEST(Ledger, ChargesARoundForEveryArmThatItRecords) {
  Ledger ledger;
  ledger.note(0, 1, 1, costing(1));
  ledger.note(1, 1, 1, costing(2));
  ledger.note(2, 1, 1, costing(4));
  EXPECT_EQ(ledger.worst_epsilon(), 4);
  ledger.set_round(2, 2);
  EXPECT_EQ(ledger.worst_epsilon(), 6);
  ledger.note(kAllArms, 1, 2, costing(8));
  EXPECT_EQ(ledger.worst_epsilon(), 14);
}

TEST(Ledger, CountsReportsAndChargesEachUserForOne) {
  Ledger ledger;
  for (const Round t : {1, 2}) {
    ledger.set_round(t);
    ledger.note_report(costing(0.5));
  }
  EXPECT_EQ(ledger.reports().at("test").count, 2);
  EXPECT_EQ(ledger.worst_epsilon(), 0.5) << "one report each";
  ledger.note_report(costing(0.5));
  EXPECT_EQ(ledger.worst_epsilon(), 1) << "one user sent two";
}

TEST(Ledger, DatesReleases) {
  Ledger ledger;
  ledger.set_round(7);
  ledger.note(0, 1, 3, costing(1));
  EXPECT_EQ(ledger.entries().front().when, 7);
}

std::string text_of(const Ledger& ledger) {
  StateWriter writer;
  writer(ledger);
  return writer.text();
}

TEST(Ledger, GoesOnWhereItWasSaved) {
  Ledger ledger;
  ledger.set_round(3, 2);
  ledger.note(0, 1, 3,
              {.epsilon = 1.0 / 3,
               .delta = 1e-9,
               .mechanism = "Laplace(scale 3)",
               .arithmetic = privacy::Arithmetic::kExact});
  ledger.note(1, 2, 5, {.mechanism = "its exact value"});  // infinite
  ledger.note_report(costing(0.5));
  const std::string saved = text_of(ledger);

  Ledger again;
  StateReader reader(saved);
  reader(again);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(text_of(again), saved);
  ASSERT_EQ(again.entries().size(), 2U);
  EXPECT_EQ(again.entries()[0].cost.epsilon, 1.0 / 3);
  EXPECT_EQ(again.entries()[0].cost.mechanism, "Laplace(scale 3)");
  EXPECT_EQ(again.entries()[0].cost.arithmetic, privacy::Arithmetic::kExact);
  EXPECT_EQ(again.worst_epsilon(), std::numeric_limits<double>::infinity());

  for (Ledger* each : {&ledger, &again}) {
    each->note_report(costing(0.5));  // the second of the same round
    each->set_round(4);
    each->note(0, 4, 4, costing(1));
  }
  EXPECT_EQ(text_of(again), text_of(ledger));
  EXPECT_EQ(again.reports().at("test").most_in_a_round, 2);
}

TEST(Ledger, ThatIsEmptyIsSavedAsSuch) {
  Ledger again;
  const std::string saved = text_of(Ledger());
  StateReader reader(saved);
  reader(again);
  EXPECT_TRUE(again.entries().empty());
  EXPECT_TRUE(again.reports().empty());
  EXPECT_EQ(again.worst_epsilon(), 0);
}

}  // namespace
}  // namespace tacit::accounting
