#include "tacit/curators/interval_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tacit/accounting/composition.hpp"
#include "tacit/curators/curators_test.hpp"

namespace tacit::curators {
namespace {

using Sums = IntervalSums<Simulated>;

const Movement kOneArm{privacy::kOneOutcome, "one sum"};

TEST(IntervalSums, ReleaseTheWholeSumEveryInterval) {
  const IntervalPlan plan{.interval = 4, .v = 1.1, .horizon = 1000, .delta = 1e-6};
  Sums sums(plan, 1, simulated());
  Sums twin(plan, 1, simulated());
  sums.add({0, 0}, ones(3));
  sums.add({0, 0}, ones(1));
  sums.release({0, 0}, 4);
  twin.release({0, 0}, 4);  // the same noise, and no outcome
  sums.add({0, 1}, ones(2));
  EXPECT_NEAR(sums.release({0, 1}, 4).value.value() - twin.release({0, 1}, 4).value.value(), 6,
              1e-9);
}

TEST(IntervalSums, EveryReleaseHasNoiseOfItsOwn) {
  Sums sums({.interval = 1, .v = 1.1, .horizon = 1000, .delta = 1e-6}, 2, simulated());
  std::set<double> standardised;
  for (Arm arm = 0; arm < 2; ++arm) {
    for (Round n = 1; n <= 5; ++n) {
      sums.add({arm, n - 1}, ones(1));
      const auto count = static_cast<double>(n);
      const Release release = sums.release({arm, n - 1}, 1);
      EXPECT_EQ(release.noises, 1);
      standardised.insert((release.value.value() - count) / std::pow(count, 0.55));
    }
  }
  EXPECT_EQ(standardised.size(), 10U);
}

TEST(IntervalSums, HaveNoiseOfTheirScale) {
  // Laplace(b) noise is b away from 0 on average, give or take b.
  constexpr int kRuns = 20000;
  double size = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Sums sums({.interval = 4, .v = 1.1, .horizon = 1000, .delta = 1e-6}, 1, simulated(run));
    sums.add({0, 0}, ones(4));
    size += std::abs(sums.release({0, 0}, 4).value.value() - 4) / kRuns;
  }
  EXPECT_NEAR(size / std::pow(4, 0.55), 1, 6 / std::sqrt(double{kRuns}));
}

TEST(IntervalSums, ComposeWhatTheyReleased) {
  // Two releases at n = 4 and 8: plain addition 4^-.55 + 8^-.55 is below the concentrated bound.
  const IntervalPlan two{.interval = 4, .v = 1.1, .horizon = 8, .delta = 1e-6};
  const auto of_two = two.guarantee(kOneArm, privacy::Arithmetic::kIdealised);
  EXPECT_NEAR(of_two.epsilon, std::pow(4, -0.55) + std::pow(8, -0.55), 1e-12);
  EXPECT_EQ(of_two.delta, 0);
  // Many releases: rho = sum k^-1.1/2, by hand for a million terms 8.0809/2.
  const IntervalPlan many{.interval = 1, .v = 1.1, .horizon = 1000000, .delta = 1e-6};
  double rho = 0;
  for (int k = 1; k <= 1000000; ++k) rho += 0.5 * std::pow(k, -1.1);
  const auto g = many.guarantee(kOneArm, privacy::Arithmetic::kIdealised);
  EXPECT_NEAR(g.epsilon, accounting::zcdp_epsilon(rho, 1e-6), 1e-4);
  EXPECT_LT(g.epsilon, rho + 2 * std::sqrt(rho * std::log(1e6)));
  EXPECT_EQ(g.delta, 1e-6);
}

TEST(IntervalSums, PayForEveryReleaseThatARoundIsIn) {
  accounting::Ledger ledger;
  const IntervalPlan plan{.interval = 4, .v = 1.1, .horizon = 8, .delta = 1e-6};
  Sums sums(plan, 1, simulated(0, &ledger));
  for (const Round phase : {0, 1}) sums.release({0, phase}, 4);
  EXPECT_NEAR(ledger.worst_epsilon(),
              plan.guarantee(kOneArm, privacy::Arithmetic::kIdealised).epsilon, 1e-12);
}

TEST(IntervalSums, DropWhatComesAfterTheRelease) {
  const IntervalPlan plan{.interval = 2, .v = 1.1, .horizon = 100, .delta = 1e-6};
  Sums sums(plan, 1, simulated());
  Sums twin(plan, 1, simulated());
  sums.release({0, 0}, 2);
  twin.release({0, 0}, 2);
  sums.add({0, 0}, ones(1));  // late
  EXPECT_EQ(sums.release({0, 1}, 2).value.value(), twin.release({0, 1}, 2).value.value());
}

TEST(IntervalSums, ReleaseNoSlotTwiceNorOutOfTurn) {
  Sums sums({.interval = 1, .v = 1.1, .horizon = 10, .delta = 1e-6}, 2, simulated());
  expect_each_slot_once_and_in_turn(sums);
}

TEST(IntervalSums, RefuseAPlanThatIsNone) {
  const auto make = [](const IntervalPlan& plan) { return Sums(plan, 1, simulated()); };
  EXPECT_THROW(make({.interval = 0, .v = 1.1, .horizon = 10, .delta = 1e-6}), InvalidParameter);
  EXPECT_THROW(make({.interval = 1, .v = 1, .horizon = 10, .delta = 1e-6}), InvalidParameter);
  EXPECT_THROW(make({.interval = 1, .v = 2, .horizon = 10, .delta = 1e-6}), InvalidParameter);
  EXPECT_THROW(make({.interval = 1, .v = 1.1, .horizon = 10, .delta = 0}), InvalidParameter);
  EXPECT_THROW(make({.interval = 1, .v = 1.1, .horizon = 10, .delta = 1}), InvalidParameter);
}

TEST(IntervalSums, GoOnWhereTheyWereSavedInMidPhase) {
  const IntervalPlan plan{.interval = 3, .v = 1.5, .horizon = 100, .delta = 1e-6};
  Sums sums(plan, 2, simulated());
  for (const Arm arm : {0, 1}) {
    sums.add({arm, 0}, once(0.1 + 0.3 * arm));
    sums.release({arm, 0}, 3);
  }
  sums.release({1, 1}, 3);
  sums.add({0, 1}, once(0.9));
  sums.add({0, 2}, once(0.2));
  Sums again(plan, 2, simulated());
  load(again, sums);
  for (Sums* s : {&sums, &again}) s->add({0, 1}, ones(1));
  for (const Slot slot : {Slot{0, 1}, Slot{0, 2}, Slot{1, 2}}) {
    EXPECT_EQ(again.release(slot, 3).value.value(), sums.release(slot, 3).value.value())
        << slot.arm;
  }
}

}  // namespace
}  // namespace tacit::curators
