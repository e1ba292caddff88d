#include "tacit/curators/phase_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tacit/curators/curators_test.hpp"

namespace tacit::curators {
namespace {

using Sums = PhaseSums<Simulated>;

TEST(PhaseSums, ReleasesASlotsOutcomesAndNoOthers) {
  Sums sums({.scale = kTiny}, 2, simulated());
  sums.add({0, 0}, ones(1));
  EXPECT_NEAR(sums.release({0, 0}, 1).value.value(), 1, 1e-6);
  sums.add({0, 1}, ones(0));
  sums.add({0, 1}, once(0.25));
  sums.add({1, 0}, ones(1));
  const Release release = sums.release({0, 1}, 2);
  EXPECT_NEAR(release.value.value(), 0.25, 1e-6);
  EXPECT_EQ(release.noises, 1);
}

TEST(PhaseSums, NoiseDependsOnArmAndPhaseOnly) {
  Sums at_once({.scale = 1}, 2, simulated());
  Sums one_by_one({.scale = 1}, 2, simulated());
  at_once.add({1, 0}, ones(1));
  at_once.release({1, 0}, 1);
  at_once.add({1, 1}, ones(2));
  one_by_one.add({0, 0}, ones(0));
  one_by_one.release({0, 0}, 1);
  for (const Round phase : {0, 1, 1}) one_by_one.add({1, phase}, ones(1));
  one_by_one.release({1, 0}, 1);
  EXPECT_EQ(at_once.release({1, 1}, 2).value.value(), one_by_one.release({1, 1}, 2).value.value());
}

TEST(PhaseSums, EveryReleaseHasNoiseOfItsOwn) {
  // Shared noise would cancel in a difference of two arms, or of two phases.
  Sums sums({.scale = 1}, 3, simulated());
  std::set<double> noises;
  for (Arm arm = 0; arm < 3; ++arm) {
    for (const Round phase : {0, 1, 2, 3}) {
      const Round length = Round{1} << phase;
      sums.add({arm, phase}, ones(length));
      noises.insert(sums.release({arm, phase}, length).value.value() - static_cast<double>(length));
    }
  }
  EXPECT_EQ(noises.size(), 12U);
}

TEST(PhaseSums, HaveNoiseOfTheirScale) {
  // Laplace(b) noise is b away from 0 on average, give or take b.
  constexpr int kRuns = 20000;
  double size = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Sums sums({.scale = 3}, 1, simulated(run));
    sums.add({0, 0}, ones(4));
    size += std::abs(sums.release({0, 0}, 4).value.value() - 4) / kRuns;
  }
  EXPECT_NEAR(size / 3, 1, 6 / std::sqrt(double{kRuns}));
}

TEST(PhaseSums, OneRoundEntersOneRelease) {
  const PhasePlan plan{.scale = 4};
  const auto g = plan.guarantee({privacy::kOneOutcome, "one sum"}, privacy::Arithmetic::kIdealised);
  EXPECT_EQ(g.notion, privacy::Notion::kCentral);
  EXPECT_DOUBLE_EQ(g.epsilon, 0.25);
  EXPECT_NE(g.because.find("one sum"), std::string::npos);

  accounting::Ledger ledger;
  Sums sums(plan, 2, simulated(0, &ledger));
  for (const Round phase : {0, 1, 2}) {
    for (const Arm arm : {0, 1}) {
      sums.add({arm, phase}, ones(5));
      sums.release({arm, phase}, 5);
    }
  }
  EXPECT_DOUBLE_EQ(ledger.worst_epsilon(), 0.25) << "what really happened";
  ASSERT_EQ(ledger.entries().size(), 6U);
  EXPECT_EQ(ledger.entries().back().first, 11);
  EXPECT_EQ(ledger.entries().back().last, 15);
}

TEST(PhaseSums, DropsWhatComesAfterTheRelease) {
  Sums sums({.scale = kTiny}, 1, simulated());
  sums.add({0, 0}, ones(1));
  sums.release({0, 0}, 2);
  sums.add({0, 0}, ones(1));  // late
  sums.add({0, 1}, once(0.5));
  EXPECT_NEAR(sums.release({0, 1}, 1).value.value(), 0.5, 1e-6);
}

TEST(PhaseSums, ReleaseNoSlotTwiceNorOutOfTurn) {
  Sums sums({.scale = 1}, 2, simulated());
  expect_each_slot_once_and_in_turn(sums);
}

TEST(PhaseSums, TakesAnswersInAnyOrderWhileSeveralSlotsAreOpen) {
  Sums sums({.scale = kTiny}, 1, simulated());
  sums.add({0, 2}, ones(3));
  sums.add({0, 0}, ones(1));
  sums.add({0, 1}, ones(2));
  sums.add({0, 2}, ones(1));
  EXPECT_NEAR(sums.release({0, 0}, 1).value.value(), 1, 1e-6);
  EXPECT_NEAR(sums.release({0, 1}, 2).value.value(), 2, 1e-6);
  sums.add({0, 2}, ones(1));
  EXPECT_NEAR(sums.release({0, 2}, 5).value.value(), 5, 1e-6);
}

TEST(PhaseSums, ReleasesASlotThatNobodyAnswered) {
  Sums sums({.scale = kTiny}, 1, simulated());
  EXPECT_NEAR(sums.release({0, 0}, 3).value.value(), 0, 1e-6);
}

TEST(PhaseSums, CountsPhasesFromThePlansFirst) {
  Sums from_one({.scale = 1, .first_phase = 1}, 1, simulated());
  Sums from_zero({.scale = 1}, 1, simulated());
  from_zero.release({0, 0}, 1);
  EXPECT_EQ(from_one.release({0, 1}, 1).value.value(), from_zero.release({0, 1}, 1).value.value());
}

TEST(PhaseSums, ShowWhatTheyRelease) {
  accounting::Transcript transcript;
  accounting::Ledger ledger(&transcript);
  Sums sums({.scale = 1}, 2, simulated(0, &ledger));
  const double value = sums.release({1, 0}, 1).value.value();
  ASSERT_EQ(transcript.shown.size(), 1U);
  EXPECT_EQ(transcript.shown[0].arm, 1);
  EXPECT_EQ(transcript.shown[0].value, value);
}

TEST(PhaseSums, GoOnWhereTheyWereSavedInMidPhase) {
  accounting::Ledger first;
  accounting::Ledger second;
  Sums sums({.scale = 2}, 2, simulated(0, &first));
  sums.add({0, 0}, ones(3));
  sums.release({0, 0}, 4);
  sums.add({0, 1}, once(0.3));
  sums.add({0, 3}, ones(1));
  sums.add({1, 0}, once(0.7));
  Sums again({.scale = 2}, 2, simulated(0, &second));
  load(again, sums);
  for (Sums* s : {&sums, &again}) {
    s->add({0, 0}, ones(50));  // released before it was saved
    s->add({0, 1}, once(0.1));
  }
  for (const Slot slot : {Slot{0, 1}, Slot{0, 2}, Slot{0, 3}, Slot{1, 0}}) {
    EXPECT_EQ(again.release(slot, 2).value.value(), sums.release(slot, 2).value.value())
        << slot.phase;
  }
  EXPECT_EQ(second.entries()[0].first, 5) << "observations are counted on";
  EXPECT_EQ(second.entries()[0].last, first.entries()[1].last);
}

}  // namespace
}  // namespace tacit::curators
