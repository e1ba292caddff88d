#include "tacit/audit/sequential.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tacit/audit/against.hpp"
#include "tacit/audit/audit.hpp"
#include "tacit/audit/twins_test.hpp"

namespace tacit::audit {
namespace {

/// As `tacit audit` asks: in every way of playing, with half of its error.
SequentialResult guesses(const Play& play, const accounting::Cost& claim, std::int64_t samples,
                         double error = 5e-4) {
  return sequential_audit(ways_of_playing(play), claim, {.samples = samples, .error = error});
}

accounting::Cost checked(const Play& play) {
  const privacy::Guarantee g = play.entry.guarantee(play.setting, {}, play.arithmetic);
  return {g.epsilon, g.delta};
}

/// Of runs with half the noise.
std::int64_t median_samples(Play play, std::int64_t most) {
  const accounting::Cost claim = checked(play);
  play.played_with = 2 * *play.setting.epsilon;
  std::vector<std::int64_t> samples;
  for (play.seed = 1; play.seed <= 9; ++play.seed)
    samples.push_back(guesses(play, claim, most).samples);
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

TEST(SequentialAudit, FindsHalfTheNoiseSoon) {
  const struct {
    const char* policy;
    std::int64_t most;
  } cases[] = {{"anytime-lazy-ucb", 500},
               {"mgf-imed", 500},
               {"cascade-dp", 500},
               {"ldp-ucb-bits", 500},
               {"ts-cf", 500},
               {"ldp-ucb-laplace", 500},
               {"cascade-ldp-stop", 500},
               {"rnm-ftnl", 5000},
               {"pf-ftnl", 5000},
               {"ftnl", 1500},
               {"cucb-dp", 1500},
               {"cucb-ldp2", 1500}};
  for (const auto& c : cases)
    EXPECT_LE(median_samples(small_play(c.policy, 1), 2 * c.most), c.most) << c.policy;
}

TEST(SequentialAudit, FindsTheFactorOfTwoInReportNoisyMax) {
  for (const double epsilon : {0.1, 0.5, 1.0}) {
    const Play play = small_play("rnm-ftnl-as-published", epsilon);
    const SequentialResult result = guesses(play, {epsilon, 0}, default_samples(play));
    EXPECT_TRUE(result.violated) << epsilon;
    EXPECT_EQ(result.factor, 1) << "the noise is as declared; the claim is wrong";
    EXPECT_FALSE(guesses(play, checked(play), 10000).violated) << "what its guarantee says holds";
  }
}

class EveryClaim : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryClaim, IsNotRefuted) {
  for (const double epsilon : {0.3, 2.0}) {
    const Play play = small_play(GetParam(), epsilon);
    if (play.entry.starts_from_raw_outcomes) GTEST_SKIP() << "claims nothing";
    EXPECT_FALSE(guesses(play, checked(play), 300, 1e-6).violated);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryClaim, ::testing::ValuesIn(private_policies()),
                         name_of_suite);

TEST(AgainstClaim, HasAMeanOfAtMostOneWhereTheClaimIsTrue) {
  // A randomised bit at its epsilon, with every guess, good or bad.
  for (const double epsilon : {0.3, 1.0, 3.0}) {
    for (const double delta : {0.0, 0.01}) {
      const double truth = 1 / (1 + std::exp(-epsilon));
      for (const double guess : {-9.0, -2.0, 0.0, 0.5, 4.0, 30.0}) {
        double mean = 0;
        for (const bool one : {false, true}) {
          for (const bool bit : {false, true}) {
            AgainstClaim against(epsilon, delta);
            against.add(one, bit ? guess : -guess);
            mean += 0.5 * (bit == one ? truth : 1 - truth) * std::exp(against.log_value());
          }
        }
        EXPECT_LE(mean, 1 + 1e-12) << epsilon << " " << delta << " " << guess;
      }
    }
  }
}

TEST(AgainstClaim, GrantsADeltaAndNoMore) {
  // With probability delta, and on either table, it is told which it was; else a randomised bit is.
  const double epsilon = 1;
  const double truth = 1 / (1 + std::exp(-epsilon));
  const auto mean = [&](double leak, double delta) {
    double sum = 0;
    for (const bool one : {false, true}) {
      const auto after = [&](double log_odds) {
        AgainstClaim against(epsilon, delta);
        against.add(one, log_odds);
        return std::exp(against.log_value());
      };
      sum += leak * after(one ? 9 : -9);
      for (const bool bit : {false, true})
        sum += (1 - leak) * (bit == one ? truth : 1 - truth) * after(bit ? epsilon : -epsilon);
    }
    return sum / 2;
  };
  for (const double delta : {0.001, 0.01, 0.1}) {
    EXPECT_LE(mean(delta, delta), 1 + 1e-12);
    EXPECT_GT(mean(1.01 * delta, delta), 1) << "nothing is given away";
    EXPECT_GT(mean(delta, delta / 2), 1);
  }
  AgainstClaim out_of_reach(800, 0.1);
  for (int i = 0; i < 100; ++i) out_of_reach.add(true, 10000);
  EXPECT_EQ(out_of_reach.log_value(), 0);
}

TEST(AgainstClaim, GrowsWhereItIsFalse) {
  // A bit that is told as it is, and one with twice the epsilon.
  AgainstClaim against(1, 0);
  for (int i = 0; i < 22; ++i) against.add(i % 2 == 0, i % 2 == 0 ? 40 : -40);
  EXPECT_NEAR(against.log_value(), 22 * std::log(1 + std::exp(-1)), 1e-6) << "22 runs for 99.9%";
  AgainstClaim with_delta(1, 1e-3);
  for (int i = 0; i < 60; ++i) with_delta.add(i % 2 == 0, i % 2 == 0 ? 40 : -40);
  EXPECT_GT(with_delta.log_value(), std::log(1000));
}

}  // namespace
}  // namespace tacit::audit
