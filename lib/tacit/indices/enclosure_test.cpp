// What an index says of itself without being computed: it lies where it says now, and not above its tangent at any other
// clock while its state stands. One that says a little too much is found out.
#include "tacit/indices/enclosure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tacit/indices/kl.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/phase_imed.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::indices {
namespace {

using Stream = random::SimulationStream;

/// 0, 1 and everything between, and few and many observations.
estimators::Estimate bits(Stream& random) {
  const double n = std::floor(std::exp2(30 * random::uniform_open(random)));
  const double share = random::uniform_open(random);
  const int edge = random::uniform_index(random, 10);
  return {edge == 0 ? 0 : (edge == 1 ? n : std::floor(share * (n + 1))), n, 0};
}
estimators::Estimate noisy(Stream& random) {
  estimators::Estimate e = bits(random);
  e.noises = 1 + random::uniform_index(random, 12);
  for (int i = 0; i < e.noises; ++i) e.sum += random::laplace(random, 1);
  return e;
}
estimators::KeepPhases phases(Stream& random) {
  estimators::KeepPhases kept;
  const double mean = random::uniform_open(random);
  for (int i = 1 + random::uniform_index(random, 12); i > 0; --i) {
    const auto n = static_cast<Round>(std::exp2(12 * random::uniform_open(random)));
    kept.add(mean * static_cast<double>(n) + random::laplace(random, 1), n, 1);
  }
  return kept;
}
StopIndex::State shown(const StopIndex& index, Stream& random) {
  StopIndex::State state;
  const int showings = static_cast<int>(std::exp2(1 + 11 * random::uniform_open(random)));
  const double click = random::uniform_open(random);
  for (int i = 0; i < showings; ++i) {
    const double noise = 4 * random::uniform_open(random) - 2;
    index.add(state, random::uniform_index(random, 4), noise + 0.3 * click, 0.6 + 0.2 * noise);
  }
  return state;
}

/// An index, how its states come about, and the clock it reads.
template <class Index>
struct Case {
  Index index;
  typename Index::State (*state)(const Index&, Stream&);
};

template <class Index>
Clock random_clock(const Index& index, Stream& random) {
  const auto t = static_cast<Round>(std::exp2(30 * random::uniform_open(random)));
  Clock clock = clock_of(index, t);
  clock.best_mean = random::uniform_open(random);
  return clock;
}
/// A little further, or anywhere where the clock may run backwards.
template <class Index>
Clock another(const Index& index, const Clock& clock, Stream& random) {
  const double reach = std::exp2(-12 * random::uniform_open(random));
  Clock later = clock_of(index, clock.t + static_cast<Round>(reach * static_cast<double>(clock.t)));
  later.best_mean = clip01(clock.best_mean + reach * (2 * random::uniform_open(random) - 1));
  return later;
}

struct Found {
  int outside_now = 0;  // further from the index than it says
  int above_later = 0;  // the index is above the tangent
  int below_later = 0;  // the index fell
  int not_lasting = 0;  // it says that it stays, and does not
  int quick = 0;        // not computed by value()
  int trials = 0;
};

/// `tight` multiplies what is allowed above a value, later.
template <class Index>
Found look_for_faults(const Case<Index>& c, std::uint64_t run, double tight = 1) {
  Found found;
  auto random =
      random::SimulationKey(3, "enclosure", "test", run).stream(random::Purpose::kDecisions);
  for (int trial = 0; trial < 4000; ++trial) {
    const typename Index::State state = c.state(c.index, random);
    const Clock clock = random_clock(c.index, random);
    const double value = c.index.value(state, clock);
    // A guess that is good, bad, or none.
    const double off = std::exp2(-30 * random::uniform_open(random));
    const double guess = random::uniform_index(random, 4) == 0 ? 0 : value * (1 + off) - 0.5 * off;
    const Enclosure e = c.index.near(state, clock, guess);
    ++found.trials;
    found.quick += e.exact ? 0 : 1;
    if (e.exact ? e.value != value : !(std::abs(e.value - value) <= e.doubt)) ++found.outside_now;
    for (int i = 0; i < 10; ++i) {
      const Clock there = another(c.index, clock, random);
      const double then = c.index.value(state, there);
      if (e.lasting && then != e.value) ++found.not_lasting;
      if (kGrows<Index> && then < e.value - e.doubt) ++found.below_later;
      if (!kHasTangents<Index>) continue;
      const double moved = coordinate<Index>(there) - coordinate<Index>(clock);
      const double allowed = e.value + e.doubt + (moved == 0 ? 0 : tight * e.slope * moved);
      if (!e.lasting && then > allowed) ++found.above_later;
    }
  }
  return found;
}

template <class Index>
void expect_no_fault(const Case<Index>& c, std::uint64_t run) {
  const Found found = look_for_faults(c, run);
  EXPECT_EQ(found.outside_now, 0);
  EXPECT_EQ(found.above_later, 0);
  EXPECT_EQ(found.below_later, 0);
  EXPECT_EQ(found.not_lasting, 0);
}
/// One per cent less than the tangent rises by, where it rises; where it falls one per cent more.
template <class Index>
void expect_tighter_to_be_caught(const Case<Index>& c, std::uint64_t run) {
  const double tight = kGrows<Index> ? 0.99 : 1.01;
  EXPECT_GT(look_for_faults(c, run, tight).above_later, 100);
}

template <class Index>
typename Index::State of_bits(const Index& index, Stream& random) {
  return index.prepare(bits(random));
}
template <class Index>
typename Index::State of_noisy(const Index& index, Stream& random) {
  return index.prepare(noisy(random));
}

TEST(Enclosure, OfKlUcb) {
  for (const double iterated : {0.0, 1.0, 3.0}) {
    const Case<KlUcb> c{KlUcb({.iterated_factor = iterated, .union_of = iterated == 1 ? 4.0 : 1}),
                        of_bits<KlUcb>};
    expect_no_fault(c, 1);
    expect_tighter_to_be_caught(c, 1);
    EXPECT_GT(look_for_faults(c, 1).quick, 1000);  // a good guess is worth something
  }
}
TEST(Enclosure, OfUcb) {
  const Case<Ucb> c{Ucb(2, 3), of_noisy<Ucb>};
  expect_no_fault(c, 2);
  expect_tighter_to_be_caught(c, 2);
}
TEST(Enclosure, OfMgfUcb) {
  for (const Level level : {Level::kSharp, Level::kJustified}) {
    const Case<MgfUcb> c{MgfUcb(1, level, 1.5), of_noisy<MgfUcb>};
    expect_no_fault(c, 3);
    expect_tighter_to_be_caught(c, 3);
  }
}
TEST(Enclosure, OfPhaseImed) {
  const Case<PhaseImed> c{PhaseImed(1, 20), [](const PhaseImed& index, Stream& random) {
                            return index.prepare(phases(random));
                          }};
  expect_no_fault(c, 4);
  expect_tighter_to_be_caught(c, 4);
}
TEST(Enclosure, OfStops) {
  for (const bool response : {true, false}) {
    const Case<StopIndex> c{StopIndex(0.15, 0.25, response), shown};
    expect_no_fault(c, 5);
    EXPECT_GT(look_for_faults(c, 5).quick, 500);
  }
}

TEST(Enclosure, OfAnArmThatWasNeverObservedIsInfiniteForEver) {
  const Clock clock = Clock::at(10);
  for (const Enclosure& e :
       {KlUcb({}).near({}, clock, 0), Ucb(2, 0).near({}, clock, 0),
        MgfUcb(1, Level::kSharp, 2).near({}, clock, 0), PhaseImed(1, 1).near({}, clock, 0),
        StopIndex(0.1, 0.3, true).near({}, clock, 0)}) {
    EXPECT_EQ(e.value, std::numeric_limits<double>::infinity());
    EXPECT_TRUE(e.exact && e.lasting);
  }
}

}  // namespace
}  // namespace tacit::indices
