#include "tacit/privacy/ledger.hpp"

#include <gtest/gtest.h>

namespace tacit::privacy {
namespace {

Loss costing(double epsilon) { return {.epsilon = epsilon, .mechanism = "test"}; }

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

}  // namespace
}  // namespace tacit::privacy
