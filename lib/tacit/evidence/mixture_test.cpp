#include "tacit/evidence/mixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/evidence/of_plan.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::evidence {
namespace {

random::SimulationStream stream(std::string_view object) {
  return random::SimulationKey(1, "evidence", object, 0).stream(random::Purpose::kOutcomes);
}

/// M, term by term as the header writes it.
double plain_above(const NoiseLaw& noise, const Record& record, double mean) {
  const double end = noise.below();
  double total = 0;
  double moved = 0;
  double sum = 0;
  const auto term = [&](double l) {
    return std::exp(l * record.sum - record.n * std::log(1 - mean + mean * std::exp(l)) -
                    record.noises * noise.charge(l));
  };
  int below = 0;
  for (int j = 0; j < 40 || below < 20; ++j) {
    const double l = 2 * std::exp(-0.5 * j);
    const double weight = 1 / (1 + j * j / 36.0);
    total += weight;
    if (l >= 0.72 * end * std::exp(-0.25)) {
      moved += weight;
    } else {
      sum += weight * term(l);
      ++below;
    }
  }
  for (const double share : {0.97, 0.88, 0.72}) {
    if (moved > 0) sum += moved / 3 * term(share * end);
  }
  return std::log(sum / total);
}

TEST(Mixture, IsWhatItsHeaderSays) {
  for (const NoiseLaw& noise :
       {NoiseLaw::laplace(2), NoiseLaw::laplace(0.1), NoiseLaw::laplace(0.7),
        NoiseLaw::laplace(1e6), NoiseLaw::laplace(1e9), NoiseLaw::none(), NoiseLaw::gaussian(3)}) {
    const Mixture mixture(ReleaseLaw{.noise = noise});
    for (const double mean : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const Record record{61.5, 100, 3};
      EXPECT_NEAR(mixture.above(record, mean), plain_above(noise, record, mean), 1e-9);
      const Record mirrored{38.5, 100, 3};
      EXPECT_NEAR(mixture.below(record, mean), plain_above(noise, mirrored, 1 - mean), 1e-9);
    }
  }
}

TEST(NoiseLaw, OfTheGridIsThatOfDoublesWithAFineStep) {
  for (const double scale : {0.01, 1.0, 30.0}) {
    for (const double share : {0.01, 0.5, 0.97}) {
      const double l = share / scale;
      const double ideal = NoiseLaw::laplace(scale).charge(l);
      EXPECT_NEAR(NoiseLaw::discrete_laplace(scale, scale * 1e-6).charge(l), ideal, 1e-4);
      EXPECT_GE(laplace_of_either(scale).charge(l), ideal);
      EXPECT_NEAR(laplace_of_either(scale).charge(l), ideal, 1e-4);
    }
  }
}

TEST(NoiseLaw, OfTheGridIsASum) {
  const double scale = 1.5, step = 0.5, l = 0.4;
  double total = 0, tilted = 0;
  for (int k = -400; k <= 400; ++k) {
    const double chance = std::exp(-std::abs(k) * step / scale);
    total += chance;
    tilted += chance * std::exp(l * k * step);
  }
  const double cut = l * step;
  EXPECT_NEAR(NoiseLaw::discrete_laplace(scale, step).charge(l), std::log(tilted / total) + cut,
              1e-12);
}

TEST(Mixture, GrowsAndFallsWithTheMean) {
  const Mixture mixture(ReleaseLaw{.noise = NoiseLaw::laplace(1)});
  for (const Record& record : {Record{3, 10, 1}, Record{-4, 10, 1}, Record{14, 10, 2},
                               Record{5e8, 1e9, 40}, Record{0, 1, 1}}) {
    double above = mixture.above(record, 0);
    double below = mixture.below(record, 0);
    for (int i = 1; i <= 100; ++i) {
      EXPECT_LE(mixture.above(record, i / 100.0), above);
      EXPECT_GE(mixture.below(record, i / 100.0), below);
      above = mixture.above(record, i / 100.0);
      below = mixture.below(record, i / 100.0);
    }
  }
}

TEST(Mixture, IntervalsEndWhereTheEvidenceBegins) {
  for (const ReleaseLaw& law :
       {ReleaseLaw{}, ReleaseLaw{.noise = NoiseLaw::laplace(3)}, ReleaseLaw::responses(1),
        ReleaseLaw{.noise = NoiseLaw::gaussian(2)}}) {
    const Mixture mixture(law);
    for (const double n : {1.0, 10.0, 1e3, 1e6, 1e12}) {
      for (const double mean : {0.0, 0.01, 0.3, 0.5, 0.99, 1.0}) {
        for (const double alpha : {0.5, 0.05, 1e-6}) {
          const Record record{n * law.seen(mean), n, 2};
          const Interval interval = mixture.interval(record, alpha);
          const double level = std::log(2 / alpha);
          EXPECT_LE(interval.low, mean + 1e-12);
          EXPECT_GE(interval.high, mean - 1e-12);
          const double off = 1e-3 * interval.width();
          if (interval.low > 1e-9) {
            EXPECT_GE(mixture.above(record, interval.low - off), level);
            EXPECT_LE(mixture.above(record, interval.low + off), level);
          }
          if (interval.high < 1 - 1e-9) {
            EXPECT_GE(mixture.below(record, interval.high + off), level);
            EXPECT_LE(mixture.below(record, interval.high - off), level);
          }
        }
      }
    }
  }
}

TEST(Mixture, NothingReleasedSaysNothing) {
  const Mixture mixture(ReleaseLaw{.noise = NoiseLaw::laplace(1)});
  EXPECT_EQ(mixture.interval({}, 0.05).low, 0);
  EXPECT_EQ(mixture.interval({}, 0.05).high, 1);
  EXPECT_EQ(mixture.difference({}, {}, 0.05).low, -1);
  EXPECT_EQ(mixture.difference({}, {}, 0.05).high, 1);
  EXPECT_NEAR(mixture.above({}, 0.3), 0, 1e-12);
}

/// By looking at many q.
double plain_apart(const Mixture& mixture, const Record& a, const Record& b, double shift) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= 4000; ++i) {
    const double q = i / 4000.0;
    if (q + shift < 0 || q + shift > 1) continue;
    least = std::min(least, mixture.above(a, q + shift) + mixture.below(b, q));
  }
  return least;
}

TEST(Mixture, TwoArmsAreApartByTheLeastOverMeans) {
  const Mixture mixture(ReleaseLaw{.noise = NoiseLaw::laplace(1)});
  const std::vector<Record> records = {{75, 100, 3},   {30, 100, 3},  {700, 1000, 5},
                                       {900, 1000, 5}, {120, 100, 1}, {-9, 50, 1}};
  for (const Record& a : records) {
    for (const Record& b : records) {
      for (const double shift : {-0.3, 0.0, 0.2}) {
        const double plain = plain_apart(mixture, a, b, shift);
        const double found = mixture.apart(a, b, shift);
        EXPECT_LE(found, plain + 1e-9);
        EXPECT_NEAR(found, plain, 3e-3 * (1 + std::abs(plain)));
      }
    }
  }
}

TEST(Mixture, DifferencesEndWhereTheyAreRefuted) {
  const Mixture mixture(ReleaseLaw{.noise = NoiseLaw::laplace(1)});
  const Record a{750, 1000, 5}, b{500, 1000, 5};
  const Interval interval = mixture.difference(a, b, 0.05);
  EXPECT_TRUE(interval.holds(0.25));
  EXPECT_GT(interval.low, 0.1);
  EXPECT_LT(interval.high, 0.4);
  EXPECT_NEAR(mixture.apart(a, b, interval.low), std::log(2 / 0.05), 1e-6);
  EXPECT_NEAR(mixture.apart(b, a, -interval.high), std::log(2 / 0.05), 1e-6);
  const Interval turned = mixture.difference(b, a, 0.05);
  EXPECT_NEAR(turned.low, -interval.high, 1e-9);
  EXPECT_NEAR(turned.high, -interval.low, 1e-9);
}

TEST(Mixture, IntervalsOfWhatCannotBeAreNotTurnedAround) {
  const Mixture mixture(ReleaseLaw{.noise = NoiseLaw::laplace(1)});
  const Record impossible{-100, 100, 1}, usual{50, 100, 1}, too_much{250, 100, 1};
  for (const Record& a : {impossible, usual, too_much}) {
    EXPECT_LE(mixture.interval(a, 0.05).low, mixture.interval(a, 0.05).high);
    for (const Record& b : {impossible, usual, too_much}) {
      EXPECT_LE(mixture.difference(a, b, 0.05).low, mixture.difference(a, b, 0.05).high);
    }
  }
}

// ---- The inequality itself: P(ln M >= f) <= e^-f, at a fixed time, and ever.

struct Case {
  std::string name;
  ReleaseLaw law;
  double mean;
  std::vector<Round> lengths;  // of phases; the last is repeated
  int phases;
};

/// What a test reckons evidence by, against means that are not below the truth (the other side is the same of 1 - outcomes); a
/// broken one must be found out.
using Reckon = std::function<double(const Mixture&, Record, double mean)>;
double faithful(const Mixture& mixture, Record record, double mean) {
  return mixture.below(record, mean);
}

/// Values of M beyond e^this count as e^this in their mean, which is then known after some thousand runs.
constexpr double kCut = 4;

struct Counts {
  std::vector<std::int64_t> at_the_end = std::vector<std::int64_t>(8);
  std::vector<std::int64_t> ever = std::vector<std::int64_t>(8);
  double mean = 0;  // of M at the end, cut
  double squares = 0;
};

template <class Noise>
Counts count(const Case& c, int runs, const Reckon& reckon, Noise noise, bool bits) {
  const Mixture mixture(c.law);
  auto random = stream(c.name);
  Counts counts;
  for (int run = 0; run < runs; ++run) {
    Record record;
    double most = -1e300, last = 0;
    for (int i = 0; i < c.phases; ++i) {
      const Round length =
          c.lengths[std::min<std::size_t>(static_cast<std::size_t>(i), c.lengths.size() - 1)];
      const double p = bits ? c.law.seen(c.mean) : c.mean;
      const auto sum = static_cast<double>(random::binomial(random, length, p));
      record.add(sum + noise(random), static_cast<double>(length), 1);
      last = reckon(mixture, record, c.mean);
      most = std::max(most, last);
      // A random time: who sees much of it stops there, and looks.
      if (most >= 7) break;
    }
    const double cut = std::exp(std::min(last, kCut));
    counts.mean += cut / runs;
    counts.squares += cut * cut / runs;
    for (std::size_t f = 1; f < 8; ++f) {
      counts.at_the_end[f] += last >= static_cast<double>(f) ? 1 : 0;
      counts.ever[f] += most >= static_cast<double>(f) ? 1 : 0;
    }
  }
  return counts;
}

/// Whether any count is more than chance allows if P(M >= e^f) <= e^-f, or the mean more than 1.
bool refuted(const Counts& counts, int runs) {
  for (std::size_t f = 1; f < 8; ++f) {
    const double most = testing::most_successes(runs, std::exp(-static_cast<double>(f)), 1e-8);
    if (static_cast<double>(counts.ever[f]) > most ||
        static_cast<double>(counts.at_the_end[f]) > most)
      return true;
  }
  const double deviation = std::sqrt((counts.squares - counts.mean * counts.mean) / runs);
  return counts.mean > 1 + testing::two_sided_z(2e-8) * deviation;
}

const auto laplace_of = [](double scale) {
  return [scale](auto& random) { return random::laplace(random, scale); };
};
const auto no_noise = [](auto&) { return 0.0; };

std::vector<Case> laplace_cases() {
  std::vector<Case> cases;
  for (const double epsilon : {0.1, 1.0, 10.0}) {
    for (const double mean : {0.02, 0.5, 0.95}) {
      cases.push_back({fmt::format("{} {}", epsilon, mean),
                       {.noise = laplace_of_either(1 / epsilon)},
                       mean,
                       {5, 2, 1, 8, 16, 100, 3, 40},
                       40});
    }
  }
  return cases;
}

constexpr int kRuns = 20000;

TEST(Mixture, RarelySpeaksAgainstTheTruth) {
  for (const Case& c : laplace_cases()) {
    const double scale = 1 / std::stod(c.name);
    EXPECT_FALSE(refuted(count(c, kRuns, faithful, laplace_of(scale), false), kRuns)) << c.name;
  }
  const Case bits{"bits", ReleaseLaw::responses(1), 0.3, {1, 5, 20, 1, 100}, 30};
  EXPECT_FALSE(refuted(count(bits, kRuns, faithful, no_noise, true), kRuns));
  const Case open{"open", {}, 0.3, {1}, 200};
  EXPECT_FALSE(refuted(count(open, kRuns, faithful, no_noise, false), kRuns));
}

TEST(Mixture, MutantsAreFoundOut) {
  const Reckon without_noise = [](const Mixture& m, Record r, double mean) {
    r.noises = 0;
    return m.below(r, mean);
  };
  const Reckon one_too_few = [](const Mixture& m, Record r, double mean) {
    r.noises -= 1;
    return m.below(r, mean);
  };
  const Reckon half_the_level = [](const Mixture& m, Record r, double mean) {
    return 2 * m.below(r, mean);
  };
  for (const Case& c : laplace_cases()) {
    if (std::stod(c.name) > 1) continue;  // with little noise it matters little
    const auto noise = laplace_of(1 / std::stod(c.name));
    EXPECT_TRUE(refuted(count(c, kRuns, without_noise, noise, false), kRuns)) << c.name;
    // A single term more or less is seen while there are few.
    Case first = c;
    first.phases = 1;
    EXPECT_FALSE(refuted(count(first, kRuns, faithful, noise, false), kRuns)) << c.name;
    EXPECT_TRUE(refuted(count(first, kRuns, one_too_few, noise, false), kRuns)) << c.name;
  }
  // The level is nearly exhausted only by who looks at all scales.
  Case long_case{"1 long", {.noise = laplace_of_either(1)}, 0.5, {}, 150};
  for (double length = 5; length < 1e14; length *= 1.25) {
    long_case.lengths.push_back(static_cast<Round>(length));
  }
  EXPECT_FALSE(refuted(count(long_case, kRuns, faithful, laplace_of(1), false), kRuns));
  EXPECT_TRUE(refuted(count(long_case, kRuns, half_the_level, laplace_of(1), false), kRuns));
  // A bit's mean taken for the outcome's.
  const Case bits{"bits", ReleaseLaw::responses(1), 0.9, {1, 5, 20, 1, 100}, 30};
  const Reckon as_they_are = [](const Mixture&, const Record& r, double mean) {
    return Mixture(ReleaseLaw{}).below(r, mean);
  };
  EXPECT_TRUE(refuted(count(bits, kRuns, as_they_are, no_noise, true), kRuns));
}

}  // namespace
}  // namespace tacit::evidence
