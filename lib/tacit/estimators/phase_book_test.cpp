#include "tacit/estimators/phase_book.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tacit/core/state.hpp"

namespace tacit::estimators {
namespace {

/// Fills the arm's present slot and delivers it at once.
template <class Memory>
void fill_and_deliver(PhaseBook<Memory>& book, Arm arm, double sum, int noises = 1) {
  const Slot slot = book.slot(arm);
  ASSERT_GT(book.assign(slot, book.remaining(arm)), 0);
  book.deliver(slot, sum, noises);
}

TEST(PhaseBook, TellsNothingUntilAPhaseIsReleased) {
  PhaseBook<Forget> book(2, PhaseSchedule::doubling());
  EXPECT_EQ(book.arms(), 2);
  EXPECT_EQ(book.released(0).n, 0);
  EXPECT_EQ(book.slot(0), (Slot{0, 0}));
  EXPECT_EQ(book.assign({0, 0}, 1), 1);
  EXPECT_EQ(book.released(0).n, 0) << "full is not released";
  book.deliver({0, 0}, 1, 1);
  EXPECT_EQ(book.released(0).mean(), 1);
  EXPECT_EQ(book.remaining(0), 2);
  EXPECT_EQ(book.slot(0), (Slot{0, 1}));
  EXPECT_EQ(book.assign({0, 1}, 1), 0);
  EXPECT_EQ(book.released(0).mean(), 1);
  EXPECT_TRUE(book.in_phase(0));
  EXPECT_EQ(book.remaining(0), 1);
  EXPECT_EQ(book.assign({0, 1}, 1), 2);
  EXPECT_FALSE(book.in_phase(0));
  book.deliver({0, 1}, 0, 1);
  EXPECT_EQ(book.released(0).mean(), 0);
  EXPECT_EQ(book.released(0).n, 2);
  EXPECT_EQ(book.released(1).n, 0);
  EXPECT_EQ(book.slot(1), (Slot{1, 0}));
}

TEST(PhaseBook, ForgetsOrAccumulates) {
  PhaseBook<Forget> forget(1, PhaseSchedule::doubling());
  PhaseBook<Accumulate> accumulate(1, PhaseSchedule::doubling());
  PhaseBook<KeepPhases> keep(1, PhaseSchedule::doubling());
  for (const double sum : {1.0, 0.0, 3.0}) {
    fill_and_deliver(forget, 0, sum);
    fill_and_deliver(accumulate, 0, sum);
    fill_and_deliver(keep, 0, sum);
  }
  EXPECT_EQ(forget.released(0).sum, 3);
  EXPECT_EQ(forget.released(0).n, 4);
  EXPECT_EQ(forget.released(0).noises, 1);
  EXPECT_EQ(accumulate.released(0).sum, 4);
  EXPECT_EQ(accumulate.released(0).n, 7);
  EXPECT_EQ(accumulate.released(0).noises, 3);
  EXPECT_EQ(keep.released(0).sum, 4);
  EXPECT_EQ(keep.released(0).n, 7);
  EXPECT_EQ(keep.released(0).noises, 3);
  ASSERT_EQ(keep.released(0).phases.size(), 3U);
  EXPECT_EQ(keep.released(0).phases[2].sum, 3);
  EXPECT_EQ(keep.released(0).phases[2].n, 4);
}

TEST(PhaseBook, OfRunningSumsReplacesTheSumAndCountsOn) {
  PhaseBook<Running> book(1, PhaseSchedule::constant(4));
  fill_and_deliver(book, 0, 3.5, 2);
  fill_and_deliver(book, 0, 5.25, 1);
  EXPECT_EQ(book.released(0).sum, 5.25);
  EXPECT_EQ(book.released(0).n, 8);
  EXPECT_EQ(book.released(0).noises, 1) << "what the last release says";
}

TEST(PhaseBook, NeverCountsAPhaseThatIsFilling) {
  PhaseBook<Accumulate> book(1, PhaseSchedule::constant(10));
  fill_and_deliver(book, 0, 5);
  book.assign(book.slot(0), 9);
  EXPECT_EQ(book.under_way(0), 0);
  EXPECT_FALSE(book.anything_under_way(0));
  EXPECT_EQ(book.expected_n(0), 10);
  EXPECT_EQ(book.expected(0, 0.5).n, 10);
  book.assign(book.slot(0), 1);
  EXPECT_EQ(book.under_way(0), 10);
  EXPECT_TRUE(book.anything_under_way(0));
  EXPECT_EQ(book.expected_n(0), 20);
  EXPECT_EQ(book.released(0).n, 10);
}

TEST(PhaseBook, SaysHowManyArmsAreFilling) {
  PhaseBook<Forget> book(3, PhaseSchedule::constant(2));
  EXPECT_EQ(book.filling(), 0);
  book.assign({0, 0}, 1);
  book.assign({2, 0}, 1);
  EXPECT_EQ(book.filling(), 2);
  book.assign({0, 0}, 1);
  EXPECT_EQ(book.filling(), 1);
  book.assign({1, 0}, 2);
  EXPECT_EQ(book.filling(), 1) << "filled at once: never filling";
  book.seal({2, 0});
  EXPECT_EQ(book.filling(), 0);
}

TEST(PhaseBook, DeliversSeveralFullSlotsOldestFirst) {
  PhaseBook<KeepPhases> book(2, PhaseSchedule::doubling());
  for (const Round length : {1, 2, 4}) {
    EXPECT_EQ(book.remaining(0), length) << "phases count choices, not answers";
    EXPECT_EQ(book.assign(book.slot(0), length), length);
  }
  EXPECT_EQ(book.under_way(0), 7);
  EXPECT_EQ(book.under_way(1), 0);
  EXPECT_EQ(book.slot(0), (Slot{0, 3}));
  for (const double sum : {0.5, 1.5, 2.5}) {
    book.deliver({0, static_cast<Round>(book.released(0).phases.size())}, sum, 1);
  }
  EXPECT_EQ(book.under_way(0), 0);
  ASSERT_EQ(book.released(0).phases.size(), 3U);
  for (std::size_t phase = 0; phase < 3; ++phase) {
    EXPECT_EQ(book.released(0).phases[phase].n, static_cast<double>(1 << phase));
    EXPECT_EQ(book.released(0).phases[phase].sum, 0.5 + static_cast<double>(phase));
  }
}

/// Released: 1 of 1; under way: slots of 2 and 4; filling: 3 of 8.
template <class Memory>
PhaseBook<Memory> half_delivered() {
  PhaseBook<Memory> book(1, PhaseSchedule::doubling());
  fill_and_deliver(book, 0, 1.0, 5);
  book.assign(book.slot(0), 2);
  book.assign(book.slot(0), 4);
  book.assign(book.slot(0), 3);
  return book;
}

TEST(PhaseBook, ExpectsOfWhatIsUnderWayWhatItsMemoryWouldMakeOfIt) {
  const auto forget = half_delivered<Forget>().expected(0, 0.25);
  EXPECT_EQ(forget.sum, 1) << "the last full phase, of 4";
  EXPECT_EQ(forget.n, 4);
  EXPECT_EQ(forget.noises, 1);

  const auto accumulate = half_delivered<Accumulate>().expected(0, 0.25);
  EXPECT_EQ(accumulate.sum, 1 + 0.25 * 6);
  EXPECT_EQ(accumulate.n, 7);
  EXPECT_EQ(accumulate.noises, 3);

  const auto keep = half_delivered<KeepPhases>().expected(0, 0.25);
  EXPECT_EQ(keep.sum, accumulate.sum);
  EXPECT_EQ(keep.n, 7);
  ASSERT_EQ(keep.phases.size(), 3U);
  EXPECT_EQ(keep.phases[0].sum, 1);
  EXPECT_EQ(keep.phases[1].sum, 0.5);
  EXPECT_EQ(keep.phases[1].n, 2);
  EXPECT_EQ(keep.phases[2].sum, 1);
  EXPECT_EQ(keep.phases[2].n, 4);

  const auto running = half_delivered<Running>().expected(0, 0.25);
  EXPECT_EQ(running.sum, 1 + 0.25 * 6);
  EXPECT_EQ(running.n, 7);
  EXPECT_EQ(running.noises, 5) << "a counter's noise is that of its last release";
}

TEST(PhaseBook, ExpectsAsManyObservationsAsItsMemoryWouldHave) {
  EXPECT_EQ(half_delivered<Forget>().expected_n(0), 4);
  EXPECT_EQ(half_delivered<Accumulate>().expected_n(0), 7);
  EXPECT_EQ(half_delivered<KeepPhases>().expected_n(0), 7);
  EXPECT_EQ(half_delivered<Running>().expected_n(0), 7);
}

TEST(PhaseBook, ExpectsWhatWasReleasedWhenNothingIsUnderWay) {
  PhaseBook<Accumulate> book(1, PhaseSchedule::doubling());
  EXPECT_EQ(book.expected(0, 0.5).n, 0);
  EXPECT_EQ(book.expected_n(0), 0);
  fill_and_deliver(book, 0, 0.75);
  EXPECT_EQ(book.expected(0, 0.5).sum, 0.75);
  EXPECT_EQ(book.expected_n(0), 1);
}

TEST(PhaseBook, LeavesWhatWasReleasedAloneWhenItExpects) {
  const auto book = half_delivered<KeepPhases>();
  (void)book.expected(0, 1);
  EXPECT_EQ(book.released(0).phases.size(), 1U);
  EXPECT_EQ(book.released(0).n, 1);
}

TEST(PhaseBook, SealsWhatIsInASlotAndNothingElse) {
  PhaseBook<Accumulate> book(2, PhaseSchedule::constant(10));
  EXPECT_EQ(book.seal({0, 0}), 0) << "nothing is in it";
  EXPECT_EQ(book.slot(0), (Slot{0, 0}));
  book.assign({0, 0}, 3);
  EXPECT_EQ(book.seal({1, 0}), 0) << "another arm's";
  EXPECT_EQ(book.seal({0, 0}), 3);
  EXPECT_EQ(book.slot(0), (Slot{0, 1}));
  EXPECT_EQ(book.remaining(0), 10);
  EXPECT_EQ(book.under_way(0), 3);
  book.assign({0, 1}, 2);
  EXPECT_EQ(book.seal({0, 0}), 0) << "it is sealed already";
  EXPECT_EQ(book.slot(0), (Slot{0, 1}));
  book.deliver({0, 0}, 1.5, 1);
  EXPECT_EQ(book.released(0).n, 3);
  EXPECT_EQ(book.released(0).mean(), 0.5);
}

TEST(PhaseBook, GrowsFromWhatWasSealedNotFromWhatWasPlanned) {
  PhaseBook<Accumulate> book(1, PhaseSchedule::cumulative(100, 2));
  book.assign({0, 0}, 10);
  book.seal({0, 0});
  EXPECT_EQ(book.remaining(0), 10) << "to a total of 20";
}

TEST(PhaseBook, CountsEveryChoiceWhenMoreThanRemainWereMade) {
  PhaseBook<Accumulate> book(1, PhaseSchedule::cumulative(4, 2));
  EXPECT_EQ(book.assign({0, 0}, 3), 0);
  EXPECT_EQ(book.assign({0, 0}, 5), 8);
  EXPECT_EQ(book.under_way(0), 8);
  EXPECT_EQ(book.remaining(0), 8) << "to a total of 16";
  EXPECT_EQ(book.filling(), 0);
  book.deliver({0, 0}, 2, 1);
  EXPECT_EQ(book.released(0).mean(), 0.25);
}

TEST(PhaseBook, CountsToTheLastRound) {
  PhaseBook<Accumulate> book(1, PhaseSchedule::constant(kLastRound));
  EXPECT_EQ(book.assign({0, 0}, kLastRound - 1), 0);
  EXPECT_EQ(book.remaining(0), 1);
  EXPECT_EQ(book.assign({0, 0}, 1), kLastRound);
  book.deliver({0, 0}, 0x1p52, 1);
  EXPECT_EQ(book.released(0).mean(), 0.5);
}

TEST(PhaseBook, OfNoArmsIsEmpty) {
  EXPECT_EQ(PhaseBook<Forget>(0, PhaseSchedule::doubling()).arms(), 0);
}

template <class Memory>
class SavedPhaseBook : public ::testing::Test {};
using Memories = ::testing::Types<Forget, Accumulate, KeepPhases, Running>;
TYPED_TEST_SUITE(SavedPhaseBook, Memories);

template <class Memory>
std::string text_of(const PhaseBook<Memory>& book) {
  StateWriter writer;
  writer(book);
  return writer.text();
}

TYPED_TEST(SavedPhaseBook, GoesOnWhereItWasSaved) {
  PhaseBook<TypeParam> book(2, PhaseSchedule::cumulative(3, 1.5));
  fill_and_deliver(book, 1, 1.0 / 3, 2);
  book.assign(book.slot(1), book.remaining(1));
  book.assign(book.slot(0), 1);

  const std::string saved = text_of(book);
  PhaseBook<TypeParam> again(2, PhaseSchedule::cumulative(3, 1.5));
  StateReader reader(saved);
  reader(again);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(text_of(again), saved);

  for (PhaseBook<TypeParam>* b : {&book, &again}) {
    EXPECT_EQ(b->filling(), 1);
    EXPECT_EQ(b->slot(1), (Slot{1, 2}));
    b->deliver({1, 1}, 0.1, 3);
    EXPECT_EQ(b->assign(b->slot(0), 2), 3);
    b->assign(b->slot(1), 1);
  }
  EXPECT_EQ(text_of(again), text_of(book));
  EXPECT_EQ(again.expected(0, 0.5).sum, book.expected(0, 0.5).sum);
}

TEST(CounterBook, IsFullWithEveryObservation) {
  CounterBook book(2);
  for (Round n = 0; n < 5; ++n) {
    EXPECT_EQ(book.remaining(1), 1);
    EXPECT_EQ(book.assign(book.slot(1), 1), 1);
  }
  EXPECT_EQ(book.under_way(1), 5);
  book.deliver({1, 0}, 0.5, 1);
  book.deliver({1, 1}, 1.5, 2);
  EXPECT_EQ(book.released(1).sum, 1.5);
  EXPECT_EQ(book.released(1).n, 2);
  EXPECT_EQ(book.expected(1, 1).sum, 4.5);
  EXPECT_EQ(book.expected_n(1), 5);
}

}  // namespace
}  // namespace tacit::estimators
