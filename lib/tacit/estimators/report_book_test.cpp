#include "tacit/estimators/report_book.hpp"

#include <gtest/gtest.h>

#include "tacit/core/state.hpp"

namespace tacit::estimators {
namespace {

TEST(ReportBook, CountsReportsOfSingleRounds) {
  ReportBook book(2);
  EXPECT_EQ(book.arms(), 2);
  EXPECT_EQ(book.released(1).n, 0);
  book.add(1, 0.25);
  book.add(1, 1);
  EXPECT_EQ(book.released(1).n, 2);
  EXPECT_EQ(book.released(1).sum, 1.25);
  EXPECT_EQ(book.expected_n(1), 2);
  EXPECT_EQ(book.released(0).n, 0);
}

TEST(ReportBook, HasNoPhases) {
  ReportBook book(3);
  EXPECT_EQ(book.slot(2), (Slot{2, 0}));
  book.add(2, -4.5);
  EXPECT_EQ(book.slot(2), (Slot{2, 0}));
  EXPECT_EQ(book.under_way(2), 0);
}

TEST(ReportBook, StartsFromAnEstimateFromElsewhere) {
  ReportBook book(1);
  book.start(0, {.sum = 3, .n = 4, .noises = 1});
  book.add(0, 1);
  EXPECT_EQ(book.released(0).sum, 4);
  EXPECT_EQ(book.released(0).n, 5);
}

TEST(ReportBook, GoesOnWhereItWasSaved) {
  ReportBook book(2);
  book.add(0, 0.1);
  book.add(0, 1.0 / 3);
  StateWriter writer;
  writer(book);
  ReportBook again(2);
  StateReader reader(writer.text());
  reader(again);
  book.add(0, 0.7);
  again.add(0, 0.7);
  EXPECT_EQ(again.released(0).sum, book.released(0).sum);
  EXPECT_EQ(again.released(0).n, 3);
  EXPECT_EQ(again.released(1).n, 0);
}

}  // namespace
}  // namespace tacit::estimators
