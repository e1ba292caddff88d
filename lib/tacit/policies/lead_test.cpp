// A leader that is not compared with anybody is the one that comparing finds.
#include "tacit/policies/lead.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tacit/estimators/report_book.hpp"
#include "tacit/policies/index_learner.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {
namespace {

using estimators::ReportBook;

struct World {
  std::vector<double> means;
  double spread = 0;  // of reports around them; 0: bits
  Round from = 1;
  Round rounds = 20000;
};

template <class Index>
void expect_the_same_choices(const Index& index, const World& world, std::uint64_t run) {
  const random::SimulationKey key(7, "lead", "world", run);
  const int arms = static_cast<int>(world.means.size());
  const random::Dice dice(key);
  IndexLearner<ReportBook, Index> skipping(ReportBook(arms), index, Pace::kSkipping, dice);
  IndexLearner<ReportBook, Index> plain(ReportBook(arms), index, Pace::kPlain, dice);
  auto stream = key.stream(random::Purpose::kOutcomes);
  Choice a, b;
  for (Round t = world.from; t < world.from + world.rounds; ++t) {
    skipping.choose({t}, a);
    plain.choose({t}, b);
    ASSERT_EQ(a.arm(), b.arm()) << t;
    const double mean = world.means[static_cast<std::size_t>(a.arm())];
    const double x = world.spread == 0 ? static_cast<double>(random::bernoulli(stream, mean))
                                       : mean + world.spread * (random::uniform_open(stream) - 0.5);
    const privacy::Released<double> report = privacy::Published::again(x);
    skipping.take(a, {&report, 1});
    plain.take(b, {&report, 1});
  }
}

TEST(Lead, FindsWhoComparingFinds) {
  const std::vector<World> worlds{
      {.means = {0.75, 0.625, 0.5, 0.375, 0.25}},
      {.means = {0.5, 0.5, 0.5}},
      {.means = {0.5, 0.5 - 1e-9}},
      {.means = {1, 1, 1}},  // ties all the way
      {.means = {0, 0}},
      {.means = {1, 0}},
      {.means = {0.3}},
      {.means = {0.9, 0.1}, .spread = 40},  // reports with noise, far outside [0, 1]
      {.means = {-1e6, -2e6}, .spread = 10},
      {.means = {1e9, 1e9 + 1}, .spread = 1},
      {.means = std::vector<double>(64, 0.5)},
      {.means = {0.6, 0.5, 0.4}, .from = Round{1} << 52},  // where logarithms hardly grow
      {.means = {0.6, 0.6}, .from = 1000000000000},
  };
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    SCOPED_TRACE(i);
    for (std::uint64_t run = 0; run < 3; ++run) {
      expect_the_same_choices(indices::Ucb(2, 0), worlds[i], run);
      expect_the_same_choices(indices::Ucb(0.5, 3), worlds[i], run);
      expect_the_same_choices(indices::ScaledUcb(2, 0, 100), worlds[i], run);
      expect_the_same_choices(indices::LateUcb(1.5, 10), worlds[i], run);
    }
  }
}

TEST(Lead, IsOverWhenAnotherArmIsTold) {
  const std::vector<double> means{0.9, 0.1};
  const random::SimulationKey key(1, "lead", "late", 0);
  const random::Dice dice(key);
  IndexLearner<ReportBook, indices::Ucb> skipping(ReportBook(2), indices::Ucb(2, 0),
                                                  Pace::kSkipping, dice);
  IndexLearner<ReportBook, indices::Ucb> plain(ReportBook(2), indices::Ucb(2, 0), Pace::kPlain,
                                               dice);
  auto stream = key.stream(random::Purpose::kOutcomes);
  Choice a, b, other;
  for (Round t = 1; t < 5000; ++t) {
    skipping.choose({t}, a);
    plain.choose({t}, b);
    ASSERT_EQ(a.arm(), b.arm()) << t;
    // Somebody else's late answer comes in between.
    other.one(t % 7 == 0 ? 1 - a.arm() : a.arm(), {0, 0}, t);
    const double mean = means[static_cast<std::size_t>(other.arm())];
    const auto report = privacy::Published::again(random::bernoulli(stream, mean));
    skipping.take(other, {&report, 1});
    plain.take(other, {&report, 1});
  }
}

TEST(Lead, AsksForMoreThanRoundingCouldTakeBack) {
  // Two arms with the same index to the last bits: nobody leads for sure.
  const indices::Ucb index(2, 0);
  PerArm<indices::UcbCurve> curves(2, index.prepare({.sum = 50, .n = 100}));
  const auto clock = indices::Clock::at(200);
  Lead<indices::Ucb> lead;
  lead.begin(0, {.sum = 50, .n = 100}, index, curves, clock);
  EXPECT_FALSE(lead.stands(201, {.sum = 50, .n = 100}));
  EXPECT_TRUE(lead.stands(201, {.sum = 51, .n = 100}));
  EXPECT_FALSE(lead.stands(209, {.sum = 51, .n = 100}));  // the stretch is over
  lead.changed(1);
  EXPECT_FALSE(lead.stands(201, {.sum = 51, .n = 100}));
}

TEST(Lead, SparesALeadersWholeStretch) {
  const indices::Ucb index(2, 0);
  PerArm<indices::UcbCurve> curves(2, index.prepare({.sum = 10, .n = 60}));
  curves[0] = index.prepare({.sum = 7000, .n = 10000});
  Lead<indices::Ucb> lead;
  lead.begin(0, {.sum = 7000, .n = 10000}, index, curves, indices::Clock::at(10060));
  for (int i = 1; i <= 10060 / 512; ++i) {
    EXPECT_TRUE(lead.stands(10060 + i, {.sum = 7000 + 0.7 * i, .n = 10000.0 + i})) << i;
  }
}

}  // namespace
}  // namespace tacit::policies
