#include "tacit/accounting/notions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::accounting {
namespace {

constexpr auto kNone = privacy::Notion::kNone;
constexpr auto kCentral = privacy::Notion::kCentral;
constexpr auto kLocal = privacy::Notion::kLocal;
constexpr auto kInstantaneous = privacy::Notion::kInstantaneous;
constexpr auto kEnvironment = privacy::Notion::kEnvironment;

TEST(Notions, TableOfConversions) {
  struct Row {
    Privacy from;
    privacy::Notion to;
    Round rounds;
    Privacy expected;
  };
  const std::vector<Row> rows = {
      {{kLocal, 0.5, 0}, kCentral, 1000, {kCentral, 0.5, 0}},
      {{kLocal, 0.5, 1e-6}, kCentral, 1000, {kCentral, 0.5, 1e-6}},
      {{kLocal, 0.5, 0}, kInstantaneous, 1000, {kInstantaneous, 1, 0}},
      {{kCentral, 0.25, 0}, kInstantaneous, 1000, {kInstantaneous, 0.5, 0}},
      {{kInstantaneous, 0.25, 0}, kCentral, 1, {kCentral, 0, 0}},
      {{kInstantaneous, 0.25, 0}, kCentral, 2, {kCentral, 0.25, 0}},
      {{kInstantaneous, 0.25, 0.125}, kCentral, 5, {kCentral, 1, 0.5}},
      {{kEnvironment, 0.25, 0}, kEnvironment, 9, {kEnvironment, 0.25, 0}},
      {{kCentral, 0.25, 1e-6}, kCentral, 9, {kCentral, 0.25, 1e-6}},
      {{kEnvironment, 0.25, 0}, kNone, 9, {}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(convert(row.from, row.to, row.rounds), row.expected)
        << privacy::name_of(row.from.notion) << " to " << privacy::name_of(row.to);
  }
}

TEST(Notions, RefusesWhatDoesNotFollow) {
  for (const privacy::Notion from : {kCentral, kInstantaneous, kEnvironment, kNone}) {
    EXPECT_THROW(convert({from, 1, 0}, kLocal, 10), InvalidParameter);
  }
  for (const privacy::Notion other : {kCentral, kInstantaneous, kLocal}) {
    EXPECT_THROW(convert({other, 1, 0}, kEnvironment, 10), InvalidParameter);
    EXPECT_THROW(convert({kEnvironment, 0, 0}, other, 10), InvalidParameter);
    EXPECT_THROW(convert({}, other, 10), InvalidParameter);
  }
  EXPECT_THROW(convert({kCentral, 1, 1e-9}, kInstantaneous, 10), InvalidParameter);
  EXPECT_THROW(convert({kLocal, 1, 1e-9}, kInstantaneous, 10), InvalidParameter);
  EXPECT_THROW(convert({kLocal, -1, 0}, kCentral, 10), InvalidParameter);
  EXPECT_THROW(convert({kLocal, 1, 0}, kCentral, 0), InvalidParameter);
}

TEST(Notions, ADeltaBuysASmallerEpsilon) {
  const Privacy each{kInstantaneous, 0.01, 0};
  EXPECT_NEAR(convert(each, kCentral, 1001).epsilon, 10, 1e-12);
  const Privacy total = central_up_to(1e-6, each, 1001);
  EXPECT_EQ(total.notion, kCentral);
  EXPECT_NEAR(total.epsilon, 1.365447, 1e-6);
  EXPECT_EQ(total.delta, 1e-6);
  EXPECT_EQ(central_up_to(1e-6, each, 1).epsilon, 0);
  EXPECT_THROW(central_up_to(1e-6, {kCentral, 0.01, 0}, 1001), InvalidParameter);
}

// --- The lemmas, by enumeration of every history of four rounds with two arms and rewards in {0, 1} ---

constexpr int kRounds = 4;
constexpr unsigned kHistories = 1U << kRounds;

/// P(a_1, ..., a_t | r_1, ..., r_{t-1}); bit s - 1 of `actions` is a_s, of `rewards` r_s.
using Law = std::function<double(int t, unsigned actions, unsigned rewards)>;

bool bit(unsigned word, int i) { return ((word >> i) & 1U) != 0; }

/// |ln(a/b)|; a history that neither law has says nothing.
double log_ratio(double a, double b) { return a == 0 && b == 0 ? 0 : std::abs(std::log(a / b)); }

struct Epsilons {
  double central = 0;
  double instantaneous = 0;
};

Epsilons epsilons_of(const Law& law) {
  Epsilons result;
  for (unsigned rewards = 0; rewards < kHistories; ++rewards) {
    for (int changed = 0; changed < kRounds; ++changed) {
      const unsigned neighbour = rewards ^ (1U << changed);
      for (unsigned actions = 0; actions < kHistories; ++actions) {
        for (int t = 1; t <= kRounds; ++t) {
          const double here = law(t, actions, rewards);
          const double there = law(t, actions, neighbour);
          result.central = std::max(result.central, log_ratio(here, there));
          const double here_before = t == 1 ? 1 : law(t - 1, actions, rewards);
          const double there_before = t == 1 ? 1 : law(t - 1, actions, neighbour);
          if (here_before == 0 || there_before == 0) continue;
          result.instantaneous =
              std::max(result.instantaneous, log_ratio(here / here_before, there / there_before));
        }
      }
    }
  }
  return result;
}

/// The policy that plays arm 1 in round t with the probability next(t, actions before, rewards before).
Law law_of(std::function<double(int, unsigned, unsigned)> next) {
  return [next = std::move(next)](int t, unsigned actions, unsigned rewards) {
    double probability = 1;
    for (int s = 1; s <= t; ++s) {
      const unsigned before = (1U << (s - 1)) - 1;
      const double one = next(s, actions & before, rewards & before);
      probability *= bit(actions, s - 1) ? one : 1 - one;
    }
    return probability;
  };
}

TEST(Lemma2, HoldsForRandomPolicies) {
  const random::SimulationKey key(1, "notions", "test", 0);
  for (std::uint64_t run = 0; run < 200; ++run) {
    const Epsilons e = epsilons_of(law_of([&](int t, unsigned actions, unsigned rewards) {
      auto draw = key.at(random::Purpose::kDecisions, run,
                         (static_cast<std::uint64_t>(t) << 16U) + (actions << 8U) + rewards);
      return 0.1 + 0.8 * random::uniform_open(draw);
    }));
    EXPECT_LE(e.instantaneous, convert({kCentral, e.central, 0}, kInstantaneous, kRounds).epsilon);
    EXPECT_LE(e.central,
              convert({kInstantaneous, e.instantaneous, 0}, kCentral, kRounds).epsilon + 1e-12);
  }
}

TEST(Lemma2, ItsFactorOfTwoIsApproached) {
  const double epsilon = 0.7;
  const double truth = 1 / (1 + std::exp(-epsilon));
  const double rarely = 1e-6;
  // z answers r_1 at random, and is all the policy sees of it: a_2 is 1 only if z is, and rarely; a_3 = z.
  const Epsilons e = epsilons_of([=](int t, unsigned actions, unsigned rewards) {
    double probability = 0;
    for (const bool z : {false, true}) {
      double path = z == bit(rewards, 0) ? truth : 1 - truth;
      if (bit(actions, 0)) path = 0;
      if (t >= 2) path *= bit(actions, 1) ? (z ? 1 - rarely : 0) : (z ? rarely : 1);
      if (t >= 3) path *= bit(actions, 2) == z ? 1 : 0;
      if (t >= 4 && bit(actions, 3)) path = 0;
      probability += path;
    }
    return probability;
  });
  EXPECT_NEAR(e.central, epsilon, 1e-12);
  EXPECT_LE(e.instantaneous, 2 * epsilon);
  EXPECT_GT(e.instantaneous, 2 * epsilon - 1e-5);
}

TEST(Lemma2, TheFirstActionIsFreeAndEveryOtherCosts) {
  const double epsilon = 0.3;
  const double truth = 1 / (1 + std::exp(-epsilon));
  const Epsilons e = epsilons_of(law_of([=](int t, unsigned, unsigned rewards) {
    if (t == 1) return 0.5;
    return bit(rewards, 0) ? truth : 1 - truth;
  }));
  EXPECT_NEAR(e.instantaneous, epsilon, 1e-12);
  EXPECT_NEAR(e.central, convert({kInstantaneous, epsilon, 0}, kCentral, kRounds).epsilon, 1e-12);
  EXPECT_NEAR(e.central, (kRounds - 1) * epsilon, 1e-12);
}

// --- What the notions cost: three rounds on means (1, 0) or (0, 1), each as likely ---

/// A reward speaks for arm 1 if arm 1 has a 1 or arm 0 a 0: on these means all of a run speak for the better arm.
bool speaks_for_arm_1(unsigned actions, unsigned rewards, int s) {
  return bit(actions, s) == bit(rewards, s);
}

/// The expected number of the first three actions that are of the worse arm.
double regret_of(const Law& law) {
  constexpr unsigned kPaths = 1U << 3;
  double regret = 0;
  for (const bool arm_1_is_better : {false, true}) {
    for (unsigned actions = 0; actions < kPaths; ++actions) {
      const unsigned rewards = arm_1_is_better ? actions : ~actions & (kPaths - 1);
      for (int s = 0; s < 3; ++s) {
        if (bit(actions, s) != arm_1_is_better) regret += 0.5 * law(3, actions, rewards);
      }
    }
  }
  return regret;
}

/// Of every epsilon-central policy. The second action depends on one reward: its two chances of an error are at least those of a
/// randomised response. Two rewards lie between the two means, and with one for each arm one action has half or more: each
/// error of the third action is at least e^-epsilon times that of there, which add up to 1.
double least_central_regret(double epsilon) {
  return 0.5 + 1 / (1 + std::exp(epsilon)) + std::exp(-epsilon) / 2;
}

TEST(CostOfNotions, CentralPoliciesHaveTheLeastRegretOrMore) {
  const random::SimulationKey key(1, "notions", "cost", 0);
  for (std::uint64_t run = 0; run < 200; ++run) {
    const Law law = law_of([&](int t, unsigned actions, unsigned rewards) {
      auto draw = key.at(random::Purpose::kDecisions, run,
                         (static_cast<std::uint64_t>(t) << 16U) + (actions << 8U) + rewards);
      double chance = 0.2 + 0.6 * random::uniform_open(draw);
      for (int s = 0; s + 1 < t; ++s) {  // no worse than what the rewards say
        chance = speaks_for_arm_1(actions, rewards, s) ? std::sqrt(chance) : chance * chance;
      }
      return chance;
    });
    EXPECT_GE(regret_of(law), least_central_regret(epsilons_of(law).central));
  }
}

TEST(CostOfNotions, AnInstantaneousPolicyHasLess) {
  // The second action answers the first reward at random; the third answers both, and takes the second for more evidence.
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double truth = 1 / (1 + std::exp(-epsilon));
    const Law law = law_of([=](int t, unsigned actions, unsigned rewards) {
      if (t == 1 || t > 3) return 0.5;
      const int votes = (speaks_for_arm_1(actions, rewards, 0) ? 1 : 0) +
                        (t == 3 && speaks_for_arm_1(actions, rewards, 1) ? 1 : 0);
      if (t == 2) return votes == 1 ? truth : 1 - truth;
      const bool arm_1 = bit(actions, 1);
      const int with = arm_1 ? votes : 2 - votes;  // that agree with the second action
      const double again = with == 0   ? 1 - truth
                           : with == 1 ? truth
                                       : 1 - (1 - truth) * std::exp(-epsilon);
      return arm_1 ? again : 1 - again;
    });
    EXPECT_NEAR(epsilons_of(law).instantaneous, epsilon, 1e-12);
    const double wrong = 1 / (1 + std::exp(epsilon));
    EXPECT_NEAR(regret_of(law), 0.5 + wrong + 2 * wrong * wrong, 1e-12);
    EXPECT_LT(regret_of(law), least_central_regret(epsilon));
  }
}

TEST(Lemma2, FailsWithADelta) {
  const double delta = 1e-3;
  const Law law = law_of([=](int t, unsigned actions, unsigned rewards) {
    if (t == 2) return delta;
    return t == 3 && bit(actions, 1) && bit(rewards, 0) ? 1.0 : 0.0;
  });
  double central = 0;
  for (unsigned actions = 0; actions < kHistories; ++actions) {
    central += std::max(0.0, law(kRounds, actions, 0b0001) - law(kRounds, actions, 0b0000));
  }
  EXPECT_DOUBLE_EQ(central, delta);  // (0, delta)-DP
  // Given a_2 = 1, a_3 tells r_1.
  EXPECT_EQ(law(3, 0b110, 0b0001) / law(2, 0b010, 0b0001), 1);
  EXPECT_EQ(law(3, 0b110, 0b0000), 0);
}

/// a_1 is fair; a_2 = 1 with a probability that depends on a_1 and r_1 in {0, 1, 2, 3}. Arm 0 tells 0 from 1,
/// arm 1 tells 2 from 3, and each is halfway for the rewards of the other.
TEST(Lemma1, FailsWithADelta) {
  const double one[2][4] = {{0, 1, 0.5, 0.5}, {0.5, 0.5, 0, 1}};
  // The probability of telling two rounds apart, when arm a has the outcome x[a], or y[a].
  const auto told = [&](const int(&x)[2], const int(&y)[2]) {
    return (std::abs(one[0][x[0]] - one[0][y[0]]) + std::abs(one[1][x[1]] - one[1][y[1]])) / 2;
  };
  double rewards = 0;
  double outcomes = 0;
  for (int pair = 0; pair < 256; ++pair) {
    const int x[2] = {pair % 4, pair / 4 % 4};
    const int y[2] = {pair / 16 % 4, pair / 64};
    outcomes = std::max(outcomes, told(x, y));
    if (x[0] == x[1] && y[0] == y[1]) rewards = std::max(rewards, told(x, y));
  }
  EXPECT_EQ(rewards, 0.5);
  EXPECT_EQ(outcomes, 1);
  EXPECT_THROW(outcomes_from_rewards({kCentral, 0, rewards}), InvalidParameter);
  EXPECT_THROW(outcomes_from_rewards({kLocal, 1, 0}), InvalidParameter);
  EXPECT_EQ(outcomes_from_rewards({kCentral, 1, 0}), (Privacy{kCentral, 1, 0}));
}

/// Why environment privacy and the others do not convert. Fair coins whatever nu is hide nu entirely, and a
/// policy may still repeat each reward as its next action; a policy that ignores rewards is 0-DP, and who
/// sees n rewards of 1 has a ratio of (nu/nu')^n.
TEST(EnvironmentPrivacy, NeitherImpliesNorFollows) {
  const Epsilons tells = epsilons_of(law_of(
      [](int t, unsigned, unsigned rewards) { return t > 1 && bit(rewards, t - 2) ? 1.0 : 0.0; }));
  EXPECT_TRUE(std::isinf(tells.central));
  const Epsilons ignores = epsilons_of(law_of([](int, unsigned, unsigned) { return 0.5; }));
  EXPECT_EQ(ignores.central, 0);
  EXPECT_EQ(ignores.instantaneous, 0);
}

}  // namespace
}  // namespace tacit::accounting
