#include "tacit/audit/distinguish.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

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
}

TEST(Distinguish, GrantsDelta) {
  // With probability 0.01 the secret itself is shown; else nothing.
  const auto law = [](double secret) {
    return [secret](random::SimulationStream& s) {
      return Observation{random::bernoulli(s, 0.01) ? secret : 0.5};
    };
  };
  const auto one = sample(9, 40000, law(1));
  const auto other = sample(10, 40000, law(0));
  EXPECT_GT(distinguish(one, other, 0, kError).epsilon, 2);
  EXPECT_LT(distinguish(one, other, 0.02, kError).epsilon, 0.1);
}

TEST(Distinguish, FindsNothingBetweenEqualLaws) {
  const auto law = [](random::SimulationStream& s) {
    return Observation{random::laplace(s, 1), random::laplace(s, 1)};
  };
  for (std::uint64_t seed = 20; seed < 40; seed += 2) {
    EXPECT_LT(distinguish(sample(seed, 4000, law), sample(seed + 1, 4000, law), 0, kError).epsilon,
              0.05);
  }
  EXPECT_THROW(distinguish({}, {}, 0, kError), InvalidParameter);
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
}

}  // namespace
}  // namespace tacit::audit
