#include "tacit/audit/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "tacit/audit/audit.hpp"
#include "tacit/audit/every_table_test.hpp"
#include "tacit/audit/twins_test.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::audit {
namespace {

ExactResult exact(const std::string& policy, double epsilon, Round rounds = 0) {
  return exact_audit(small_play(policy, epsilon), rounds);
}

TEST(ExactAudit, FindsWhatReportNoisyMaxReallyCosts) {
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    SCOPED_TRACE(epsilon);
    const double corrected = exact("rnm-ftnl", epsilon).epsilon;
    EXPECT_LE(corrected, epsilon);
    EXPECT_GT(corrected, 0.6 * epsilon);
    const double published = exact("rnm-ftnl-as-published", epsilon).epsilon;
    EXPECT_GT(published, 1.3 * epsilon);
    EXPECT_LE(published, 2 * epsilon) << "which is what is computed for it";
    // Permute and flip wastes nothing: two steps of scale 2/epsilon.
    EXPECT_NEAR(exact("pf-ftnl", epsilon).epsilon, epsilon, 1e-9);
  }
  EXPECT_NEAR(exact("rnm-ftnl", 1).epsilon, 0.739, 5e-4);
  EXPECT_NEAR(exact("rnm-ftnl-as-published", 1).epsilon, 1.657, 5e-4);
  // The epoch of rounds 4 to 7 is over after them.
  EXPECT_LT(exact("rnm-ftnl-as-published", 1, 6).epsilon,
            exact("rnm-ftnl-as-published", 1, 7).epsilon);
  EXPECT_EQ(exact("rnm-ftnl", 1).epsilon, exact("rnm-ftnl", 1, 8).epsilon);
  EXPECT_GT(exact("rnm-ftnl", 1).beyond, 0);
  EXPECT_LT(exact("rnm-ftnl", 1).beyond, 1e-9);
}

TEST(ExactAudit, AgreesWithProbabilitiesWorkedByHand) {
  // Sums 4 and 0 against 3 and 1, P(x) proportional to e^-(epsilon |x|): the second wins when its noise is
  // larger by more than the gap. Added up term by term; also where one minus it would be 1.
  for (const double epsilon : {1.0, 5.0, 20.0}) {
    SCOPED_TRACE(epsilon);
    const auto second_wins = [epsilon](int gap) {
      double total = 0;
      for (int x = -80; x <= 80; ++x) {
        for (int y = x + gap + 1; y <= 160; ++y) {
          total += std::exp(-epsilon * (std::abs(x) + std::abs(y)));
        }
      }
      return total;
    };
    EXPECT_NEAR(exact("rnm-ftnl-as-published", epsilon).epsilon,
                std::log(second_wins(2) / second_wins(4)), 1e-9);
  }
}

TEST(ExactAudit, HasDigitsLeftForLargeEpsilons) {
  for (const double epsilon : {10.0, 30.0, 50.0, 100.0}) {
    SCOPED_TRACE(epsilon);
    EXPECT_NEAR(exact("pf-ftnl", epsilon).epsilon, epsilon, 1e-9 * epsilon);
    EXPECT_LE(exact("rnm-ftnl", epsilon).epsilon, epsilon);
    EXPECT_GT(exact("rnm-ftnl", epsilon).epsilon, 0.9 * epsilon);
    EXPECT_NEAR(exact("anytime-lazy-ucb", epsilon).epsilon, epsilon, 1e-9 * epsilon);
  }
}

TEST(ExactAudit, IsTheTotalMovementOverTheScale) {
  for (const char* policy :
       {"anytime-lazy-ucb", "lazy-dp-ts",  "adap-ucb",     "adap-klucb",  "dp-klucb",
        "dp-imed",          "mgf-klucb",   "mgf-imed",     "ftnl",        "dpucb-mat",
        "dpts-mat",         "lazy-kl-mat", "lazy-kl-cucb", "cascade-dp",  "ldp-ucb-laplace",
        "ldp-ucb-bits",     "kl-ucb-cf",   "ts-cf",        "cascade-ldp", "cascade-ldp-stop",
        "cucb-ldp2"}) {
    const ExactResult found = exact(policy, 5);
    EXPECT_NEAR(found.epsilon, 5, 1e-9) << policy << ": " << found.where;
    EXPECT_GE(found.rounds, 4) << policy;
    EXPECT_LT(found.beyond, 1e-9) << policy;
  }
  EXPECT_NEAR(exact("dp-exp3", 5, 5).epsilon, 5, 1e-9);
  EXPECT_NEAR(exact("cucb-ldp1", 5, 3).epsilon, 5, 1e-9);
  EXPECT_NEAR(exact("dp-se", 5, 1300).epsilon, 5, 1e-9) << "its first phase has over a thousand";
  EXPECT_EQ(exact("dp-se", 5, 1000).epsilon, 0) << "nothing was released";
  // Blocks of one and two outcomes; a tree for four rounds has three sizes.
  EXPECT_NEAR(exact("dp-ucb-tree", 6, 4).epsilon, 4, 1e-9);
  EXPECT_NEAR(exact("dp-ts-tree", 6, 3).epsilon, 6, 1e-9);
}

TEST(ExactAudit, AddsUpWhatIntervalsShare) {
  // One of two arms is played three times in four rounds, at most.
  const ExactResult found = exact("dp-ucb-int", 1, 4);
  EXPECT_NEAR(found.epsilon, 1 + std::pow(2, -0.55) + std::pow(3, -0.55), 1e-9) << found.where;
}

TEST(ExactAudit, DoesNotDependOnTheDice) {
  for (const std::uint64_t seed : {2, 3, 4}) {
    for (const char* policy : {"lazy-dp-ts", "ts-cf", "dpts-mat"}) {
      Play play = small_play(policy, 8);
      play.seed = seed;
      EXPECT_NEAR(exact_audit(play).epsilon, 8, 1e-9) << policy;
    }
  }
}

TEST(ExactAudit, AgreesWithEveryTableInTurn) {
  const std::tuple<const char*, double, Round> cases[] = {{"anytime-lazy-ucb", 4, 5},
                                                          {"dp-ucb-int", 1, 4},
                                                          {"dp-ucb-tree", 6, 4},
                                                          {"dp-ts-tree", 6, 3},
                                                          {"ftnl", 4, 3},
                                                          {"dpucb-mat", 6, 3},
                                                          {"ldp-ucb-bits", 2, 6},
                                                          {"ldp-ucb-laplace", 4, 4},
                                                          {"cucb-ldp1", 6, 2},
                                                          {"cucb-dp-as-published", 9, 2}};
  for (const auto& [policy, epsilon, rounds] : cases) {
    const ExactResult found = exact(policy, epsilon, rounds);
    EXPECT_GT(found.epsilon, 0.3 * epsilon);
    EXPECT_NEAR(found.epsilon, EveryTable(policy, epsilon, rounds).largest_loss(), 1e-9)
        << policy << ": " << found.where;
  }
}

TEST(ExactAudit, KnowsTheTwoScalesOfHybridCounters) {
  // An arm is played once less than there are rounds, and then there is one more. Its first two outcomes are in totals alone; the
  // third is in a tree of one level, and from the fourth on in a total as well: half of epsilon each.
  const auto hybrid = [](double epsilon) {
    return audit::small_play(policies::find_policy("dp-ucb-tree"), epsilon, std::nullopt,
                             {{"counter", "hybrid"}});
  };
  EXPECT_NEAR(exact_audit(hybrid(6), 3).epsilon, 3, 1e-9);
  EXPECT_NEAR(exact_audit(hybrid(6), 5).epsilon, 6, 1e-9);
  for (const Round rounds : {3, 4}) {
    EXPECT_NEAR(exact_audit(hybrid(6), rounds).epsilon,
                EveryTable(hybrid(6), rounds).largest_loss(), 1e-9)
        << rounds;
  }
  Play twice = hybrid(6);
  twice.played_with = 12;
  EXPECT_NEAR(exact_audit(twice, 5).epsilon, 12, 1e-9);
}

TEST(ExactAudit, SeesTwiceTheEpsilon) {
  for (const char* policy : {"anytime-lazy-ucb", "mgf-imed", "ldp-ucb-bits", "cascade-ldp-stop",
                             "dpucb-mat", "ftnl", "pf-ftnl"}) {
    Play play = small_play(policy, 4);
    play.played_with = 8;
    EXPECT_NEAR(exact_audit(play).epsilon, 8, 1e-9) << policy;
  }
}

TEST(ExactAudit, IsNeverBelowWhatSamplingCertifies) {
  // Samples have idealised noise, of which whole numbers are a coarse version: close, not equal.
  for (const char* policy : {"rnm-ftnl", "rnm-ftnl-as-published", "pf-ftnl", "anytime-lazy-ucb",
                             "ldp-ucb-bits", "ldp-ucb-laplace"}) {
    AuditRequest r(policy, 1);
    r.rounds = 8;
    const Play play = play_of(r);
    // The claim is out of reach, so that it goes on to the end.
    const double sampled =
        sequential_audit(ways_of_playing(play), {2.1, 0}, {.samples = 10000}).lower_bound;
    const double computed = exact(policy, 1).epsilon;
    EXPECT_LE(sampled, computed) << policy;
    EXPECT_GT(sampled, 0.5 * computed) << policy;
  }
}

TEST(ExactAudit, ComputesTheseAndTheirClaimsHold) {
  std::vector<std::string> computed;
  for (const std::string& policy : private_policies()) {
    Play play = small_play(policy, 8);
    play.setting.horizon = 2;
    try {
      const double found = exact_audit(play, 2).epsilon;
      computed.push_back(policy);
      if (policy == "rnm-ftnl-as-published") continue;
      EXPECT_LE(found, claim_of(play)->epsilon * (1 + 1e-9)) << policy;
    } catch (const InvalidParameter& refused) {
      EXPECT_EQ(refused.parameter(), "exact") << policy;
    }
  }
  EXPECT_EQ(computed, (std::vector<std::string>{"anytime-lazy-ucb",
                                                "lazy-dp-ts",
                                                "dp-se",
                                                "adap-ucb",
                                                "adap-klucb",
                                                "dp-klucb",
                                                "dp-imed",
                                                "mgf-klucb",
                                                "mgf-imed",
                                                "dp-ucb-tree",
                                                "dp-ts-tree",
                                                "dp-ucb-int",
                                                "ldp-ucb-laplace",
                                                "ldp-ucb-bits",
                                                "kl-ucb-cf",
                                                "ts-cf",
                                                "dp-exp3",
                                                "mgf-tt",
                                                "ldp-mgf-tt",
                                                "adap-tt",
                                                "adap-tt-star",
                                                "ctb-tt",
                                                "ftnl",
                                                "rnm-ftnl-as-published",
                                                "rnm-ftnl",
                                                "pf-ftnl",
                                                "cucb-ldp1",
                                                "cucb-ldp2",
                                                "cucb-dp-as-published",
                                                "dpucb-mat",
                                                "dpts-mat",
                                                "lazy-kl-mat",
                                                "lazy-kl-cucb",
                                                "cascade-dp",
                                                "cascade-ldp",
                                                "cascade-ldp-stop"}));
}

TEST(ExactAudit, ComputesWhatIsPlayedAtLargeEpsilons) {
  // A lie has a chance of 2^-64 at least: no more than ln 2^64 is ever told.
  for (const char* policy : {"ldp-ucb-bits", "ts-cf", "cascade-ldp", "cascade-ldp-stop"}) {
    for (const double epsilon : {20.0, 27.0, 30.0, 40.0, 44.0, 45.0, 60.0, 100.0}) {
      const Play play = small_play(policy, epsilon);
      const double claimed = claim_of(play)->epsilon;
      EXPECT_LE(exact_audit(play, 2).epsilon, claimed * (1 + 1e-9)) << policy << epsilon;
      EXPECT_GT(exact_audit(play, 2).epsilon, claimed * 0.99) << policy << epsilon;
    }
  }
}

TEST(ExactAudit, SaysWhatItCannotDo) {
  EXPECT_THROW(exact("ucb1", 1), InvalidParameter);
  EXPECT_THROW(exact("rnm-ftnl", 101), InvalidParameter);
  EXPECT_THROW(exact("rnm-ftnl", 1, -1), InvalidParameter);
  // More values than can be gone through, or more paths.
  EXPECT_THROW(exact("pf-ftnl", 1e-12), InvalidParameter);
  EXPECT_THROW(exact("anytime-lazy-ucb", 1e-5), InvalidParameter);
  constexpr std::int64_t kFewPaths = 40000;
  try {
    exact_audit(small_play("ftnl", 1), 8, kFewPaths);
    FAIL() << "ten thousand pairs of sums after every epoch";
  } catch (const InvalidParameter& refused) {
    EXPECT_EQ(refused.parameter(), "rounds");
    EXPECT_NE(std::string(refused.what()).find("3 can be"), std::string::npos) << refused.what();
  }
  // Unasked, it does what it can.
  const ExactResult shorter = exact_audit(small_play("anytime-lazy-ucb", 2), 0, kFewPaths);
  EXPECT_LT(shorter.rounds, 8);
  EXPECT_GT(shorter.rounds, 2);
  EXPECT_LE(shorter.paths, kFewPaths);
  EXPECT_NEAR(shorter.epsilon, 2, 1e-9);
}

TEST(ExactAudit, SaysWhereTheWorstIs) {
  EXPECT_EQ(exact("rnm-ftnl", 1).where,
            "the user of round 4; after round 7: arm 2 leads, from 3 and 1 against 4 and 0");
  EXPECT_EQ(exact("ldp-ucb-bits", 1, 1).where,
            "the user of round 1; after round 1: 0, from 0 against 1");
  EXPECT_EQ(exact("adap-ucb", 4).where,
            "the user of round 1; after round 1, arm 1: 1, from 1 against 0");
}

}  // namespace
}  // namespace tacit::audit
