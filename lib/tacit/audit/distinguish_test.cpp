#include "tacit/audit/distinguish.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "tacit/audit/audit.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::audit {
namespace {

constexpr double kError = 1e-5;

std::vector<Observation> sample(std::uint64_t seed, std::size_t runs,
                                const std::function<Observation(random::SimulationStream&)>& draw) {
  auto stream = random::SimulationKey(seed, "audit", "sample", 0).stream(random::Purpose::kNoise);
  std::vector<Observation> all;
  for (std::size_t i = 0; i < runs; ++i) all.push_back(draw(stream));
  return all;
}

TEST(ClopperPearson, AgreesWithKnownIntervals) {
  // 5 of 10 at 2.5% on either side: 0.1871 to 0.8129.
  EXPECT_NEAR(lower_chance(5, 10, 0.025), 0.1871, 5e-5);
  EXPECT_NEAR(upper_chance(5, 10, 0.025), 0.8129, 5e-5);
  EXPECT_EQ(lower_chance(0, 10, 0.025), 0);
  EXPECT_EQ(upper_chance(10, 10, 0.025), 1);
  EXPECT_NEAR(upper_chance(0, 1000, 0.05), 1 - std::pow(0.05, 1e-3), 1e-12);
}

TEST(Distinguish, CertifiesAlmostAllThatLaplaceNoiseGivesAway) {
  const auto law = [](double mean) {
    return
        [mean](random::SimulationStream& s) { return Observation{mean + random::laplace(s, 1)}; };
  };
  const Certified found =
      distinguish(sample(1, 40000, law(1)), sample(2, 40000, law(0)), 0, kError);
  EXPECT_LE(found.epsilon, 1);
  EXPECT_GT(found.epsilon, 0.85);
}

TEST(Distinguish, AddsUpWhatIndependentPlacesTell) {
  const auto law = [](double mean) {
    return [mean](random::SimulationStream& s) {
      return Observation{mean + random::laplace(s, 2), mean + random::laplace(s, 2)};
    };
  };
  const Certified found =
      distinguish(sample(3, 80000, law(1)), sample(4, 80000, law(0)), 0, kError);
  EXPECT_LE(found.epsilon, 1);
  EXPECT_GT(found.epsilon, 0.75) << "one place alone has half";
  EXPECT_NE(found.event.find("all places"), std::string::npos) << found.event;
}

TEST(Distinguish, SeesThatSharedNoiseCancels) {
  const auto law = [](double first) {
    return [first](random::SimulationStream& s) {
      const double noise = random::laplace(s, 10);
      return Observation{first + noise, noise};
    };
  };
  EXPECT_GT(distinguish(sample(5, 8000, law(1)), sample(6, 8000, law(0)), 0, kError).epsilon, 5);
}

TEST(Distinguish, SeesHowMuchWasSaid) {
  const auto law = [](std::size_t reports) {
    return [reports](random::SimulationStream& s) {
      Observation seen;
      for (std::size_t i = 0; i < reports; ++i) seen.push_back(random::laplace(s, 100));
      return seen;
    };
  };
  EXPECT_GT(distinguish(sample(7, 8000, law(2)), sample(8, 8000, law(1)), 0, kError).epsilon, 5);
  EXPECT_GT(distinguish(sample(7, 2000, law(61)), sample(8, 2000, law(60)), 0, kError).epsilon, 4)
      << "beyond the places that are looked at";
}

TEST(Distinguish, SeesBothEndsOfALongList) {
  // Coins, and one place in 200 that tells; abridged, the list has the places that are looked at.
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{18}, std::size_t{180}, std::size_t{199}}) {
    const auto law = [place](double told) {
      return [place, told](random::SimulationStream& s) {
        Observation seen;
        for (std::size_t i = 0; i < 200; ++i) seen.push_back(random::bernoulli(s, 0.5) ? 1 : 0);
        seen[place] = told;
        return abridged(seen);
      };
    };
    const auto one = sample(11, 2000, law(1));
    EXPECT_EQ(one.front().size(), 40U);
    EXPECT_GT(distinguish(one, sample(12, 2000, law(0)), 0, kError).epsilon, 4) << place;
  }
  const Observation short_one{1, 2, 3};
  EXPECT_EQ(abridged(short_one), short_one);
}

TEST(Distinguish, KnowsAListThatIsToldByNoPlace) {
  // Three coins and their parity, or its opposite; long ones only as a whole: two lists, alike at both ends.
  const auto parity = [](int odd) {
    return [odd](random::SimulationStream& s) {
      Observation seen{0, 0, 0, 0};
      int sum = odd;
      for (std::size_t i = 0; i < 3; ++i) {
        seen[i] = random::bernoulli(s, 0.5) ? 1 : 0;
        sum += static_cast<int>(seen[i]);
      }
      seen[3] = sum % 2;
      return seen;
    };
  };
  EXPECT_GT(
      distinguish(sample(13, 4000, parity(1)), sample(14, 4000, parity(0)), 0, kError).epsilon, 4);
  const auto middle = [](double told) {
    return [told](random::SimulationStream&) {
      Observation seen(200, 0);
      seen[100] = told;
      return abridged(seen);
    };
  };
  EXPECT_GT(
      distinguish(sample(15, 2000, middle(1)), sample(16, 2000, middle(0)), 0, kError).epsilon, 4);
}

/// Runs of two places that show the secret in some quarters of the runs, and elsewhere 0 and 1 in turn.
std::vector<Observation> shown_in(std::set<int> by_first, std::set<int> by_second, double secret) {
  constexpr int kQuarter = 500;
  std::vector<Observation> runs;
  for (int i = 0; i < 4 * kQuarter; ++i) {
    const int quarter = i / kQuarter;
    runs.push_back({by_first.contains(quarter) ? secret : i % 2,
                    by_second.contains(quarter) ? secret : i % 2});
  }
  return runs;
}

TEST(Distinguish, TestsOnRunsThatNeitherTaughtNorChose) {
  const auto found = [](const std::vector<Observation>& one,
                        const std::vector<Observation>& other) {
    return distinguish(one, other, 0, kError).epsilon;
  };
  const auto between = [&](std::set<int> by_first, std::set<int> by_second) {
    return found(shown_in(by_first, by_second, 1), shown_in(by_first, by_second, 0));
  };
  EXPECT_GT(between({0, 1, 2, 3}, {}), 4);
  EXPECT_EQ(between({0, 1}, {}), 0) << "nothing is left of it in the test";
  EXPECT_EQ(between({0, 1}, {0, 2}), 0) << "the second place was not chosen";
  EXPECT_EQ(between({0, 1}, {1, 2, 3}), 0) << "nobody had learned what the second place means";
  // One side alone changes its ways when the test begins.
  const std::vector<Observation> zeros = shown_in({0, 1, 2, 3}, {0, 1, 2, 3}, 0);
  const std::vector<Observation> ones = shown_in({0, 1, 2, 3}, {0, 1, 2, 3}, 1);
  std::vector<Observation> changes = ones;
  std::copy_n(zeros.begin(), 1000, changes.begin() + 1000);
  EXPECT_EQ(found(changes, zeros), 0);
  std::reverse(changes.begin(), changes.end());
  EXPECT_EQ(found(ones, changes), 0);
}

TEST(Distinguish, IsRightAsOftenAsItSays) {
  // Between equal laws every epsilon above 0 is an error. At 5% of 400 trials, 20 are expected at the most; more than
  // 45 have a probability below 1e-6. An event that was tested on the runs that chose it would err far more often.
  const auto law = [](random::SimulationStream& s) {
    Observation seen;
    for (int i = 0; i < 5; ++i) seen.push_back(random::laplace(s, 1));
    return seen;
  };
  int errors = 0;
  for (std::uint64_t seed = 1000; seed < 1800; seed += 2) {
    errors += distinguish(sample(seed, 400, law), sample(seed + 1, 400, law), 0, 0.05).epsilon > 0;
  }
  EXPECT_LE(errors, 45);
}

TEST(Distinguish, GrantsDelta) {
  // With a small probability the secret itself is shown; else nothing.
  const auto law = [](double secret, double chance) {
    return [=](random::SimulationStream& s) {
      return Observation{random::bernoulli(s, chance) ? secret : 0.5};
    };
  };
  const auto found = [&](double chance, double delta) {
    return distinguish(sample(9, 40000, law(1, chance)), sample(10, 40000, law(0, chance)), delta,
                       kError)
        .epsilon;
  };
  EXPECT_GT(found(0.01, 0), 2);
  EXPECT_LT(found(0.01, 0.02), 0.1);
  EXPECT_GT(found(0.05, 0.03), 1) << "that, and no more";
}

TEST(Distinguish, FindsNothingBetweenEqualLaws) {
  const auto law = [](random::SimulationStream& s) {
    return Observation{random::laplace(s, 1), random::laplace(s, 1)};
  };
  for (std::uint64_t seed = 20; seed < 40; seed += 2) {
    EXPECT_LT(distinguish(sample(seed, 4000, law), sample(seed + 1, 4000, law), 0, kError).epsilon,
              0.05);
  }
  const auto alike = sample(40, 100, law);
  EXPECT_EQ(distinguish(alike, alike, 0, kError).epsilon, 0) << "not less";
  EXPECT_THROW(distinguish({}, {}, 0, kError), InvalidParameter);
  EXPECT_THROW(distinguish(alike, sample(41, 99, law), 0, kError), InvalidParameter);
}

/// Chandak's thesis, Theorems 4 and 5: nobody guesses a user's bit more often than 1/(1 + e^-epsilon), and
/// randomised response lets somebody guess it exactly as often.
TEST(Attacker, GuessesNoMoreOftenThanTheTheoremSays) {
  for (const double epsilon : {0.2, 1.0, 3.0}) {
    constexpr int kUsers = 200000;
    auto stream = random::SimulationKey(50, "audit", "attacker", 0).stream(random::Purpose::kNoise);
    const double truth = 1 / (1 + std::exp(-epsilon));
    int response = 0;
    int laplace = 0;
    for (int i = 0; i < kUsers; ++i) {
      const bool bit = random::bernoulli(stream, 0.5);
      response += random::bernoulli(stream, truth) ? 1 : 0;  // who believes the report is right
      const double seen = (bit ? 1 : 0) + random::laplace(stream, 1 / epsilon);
      laplace += (seen > 0.5) == bit ? 1 : 0;
    }
    const double error = 5 * std::sqrt(0.25 / kUsers);
    EXPECT_NEAR(static_cast<double>(response) / kUsers, attacker_success(epsilon), error);
    EXPECT_LT(static_cast<double>(laplace) / kUsers, attacker_success(epsilon));
    // Laplace noise: right unless the noise crosses the half on the wrong side.
    EXPECT_NEAR(static_cast<double>(laplace) / kUsers, 1 - 0.5 * std::exp(-epsilon / 2), error);
  }
  EXPECT_DOUBLE_EQ(attacker_success(0), 0.5);
  // (0, delta): the bit is shown with probability delta, and else a coin is thrown.
  EXPECT_DOUBLE_EQ(attacker_success(0, 0.1), 0.1 + 0.9 * 0.5);
  EXPECT_DOUBLE_EQ(attacker_success(1, 0.1), (std::exp(1) + 0.1) / (1 + std::exp(1)));
}

}  // namespace
}  // namespace tacit::audit
