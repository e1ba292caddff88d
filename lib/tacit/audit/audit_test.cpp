// A fast part of the audits; tests/audits has all policies and their broken twins.
#include "tacit/audit/audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "tacit/audit/distinguish.hpp"
#include "tacit/audit/neighbours.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::audit {
namespace {

AuditRequest request(const std::string& policy, double epsilon) {
  AuditRequest r(policy, epsilon);
  r.samples = 10000;
  r.threads = 2;
  return r;
}

TEST(NeighbouringTables, DifferInOneRound) {
  for (const int arms : {2, 3, 5}) {
    for (const Round rounds : {Round{4}, Round{8}, Round{9}}) {
      for (const Pair& pair : neighbouring_tables(arms, rounds)) {
        ASSERT_EQ(std::ssize(pair.one), rounds);
        ASSERT_EQ(pair.other.size(), pair.one.size());
        int different = 0;
        for (std::size_t t = 0; t < pair.one.size(); ++t) {
          different += pair.one[t] != pair.other[t] ? 1 : 0;
        }
        EXPECT_EQ(different, 1) << pair.name;
      }
    }
  }
  EXPECT_THROW(neighbouring_tables(1, 8), InvalidParameter);
}

/// What a pair is about.
struct Change {
  std::size_t round = 0;
  bool up = false;  // some outcome, from one to other
  bool down = false;
  int arms = 0;  // that change
  bool operator==(const Change&) const = default;
};

Change change_of(const Pair& pair) {
  Change change;
  for (std::size_t t = 0; t < pair.one.size(); ++t) {
    for (std::size_t a = 0; a < pair.one[t].size(); ++a) {
      const double by = pair.other[t][a] - pair.one[t][a];
      if (by == 0) continue;
      change.round = t;
      change.up = change.up || by == 1;
      change.down = change.down || by == -1;
      ++change.arms;
    }
  }
  return change;
}

TEST(NeighbouringTables, AreOfEveryKind) {
  constexpr std::size_t kRounds = 8;
  const Rows zeros(kRounds, {0, 0});
  const Rows ones(kRounds, {1, 1});
  const Rows leading(kRounds, {1, 0});
  Rows halves = zeros;
  std::fill_n(halves.begin(), kRounds / 2, std::vector<double>{1, 1});
  const auto has = [](const Rows& among, const Change& wanted) {
    for (const Pair& pair : neighbouring_tables(2, kRounds)) {
      Rows rest = pair.one;
      rest[wanted.round] = among[wanted.round];
      if (rest == among && change_of(pair) == wanted) return true;
    }
    return false;
  };
  EXPECT_TRUE(has(zeros, {0, true, false, 2})) << "early, all";
  EXPECT_TRUE(has(ones, {0, true, false, 2}));
  EXPECT_TRUE(has(zeros, {0, true, false, 1})) << "one arm";
  EXPECT_TRUE(has(zeros, {1, true, false, 2}));
  EXPECT_TRUE(has(halves, {4, false, true, 2})) << "down";
  EXPECT_TRUE(has(zeros, {0, true, true, 2})) << "crosswise";
  EXPECT_TRUE(has(leading, {4, true, true, 2}));
  EXPECT_TRUE(has(halves, {4, true, true, 2}));
  EXPECT_TRUE(has(zeros, {6, true, false, 2})) << "the last that an action can tell of";
}

TEST(Claims, AreTheSmallerOfWhatIsPublishedAndWhatIsChecked) {
  EXPECT_DOUBLE_EQ(claim_of(request("rnm-ftnl-as-published", 1))->epsilon, 1) << "2 is checked";
  EXPECT_DOUBLE_EQ(claim_of(request("dpucb-mat", 1))->epsilon, 1) << "2 is published";
  EXPECT_DOUBLE_EQ(claim_of(request("cascade-ldp-laplace-as-published", 0.5))->epsilon, 0.5);
  EXPECT_FALSE(claim_of(request("ucb1", 1)));
  EXPECT_GT(claim_of(request("cucb-ldp-gaussian", 1))->delta, 0);
  AuditRequest r = request("cucb-ldp-gaussian", 1);
  r.delta = 0.01;
  EXPECT_DOUBLE_EQ(claim_of(r)->delta, 0.01);
  r.policy = "cascade-ldp-gaussian-as-published";
  EXPECT_DOUBLE_EQ(claim_of(r)->delta, 0.01);
}

TEST(Claims, AreOfTheNotionThatIsAudited) {
  // Published is 1, for one release; four of them cost k^-(v/2) each.
  AuditRequest r = request("dp-ucb-int", 1);
  r.rounds = 4;
  const auto costs = [](double v) {
    return 1 + std::pow(2, -v / 2) + std::pow(3, -v / 2) + std::pow(4, -v / 2);
  };
  EXPECT_DOUBLE_EQ(claim_of(r)->epsilon, costs(1.1));
  r.parameters = {{"v", "1.5"}};
  EXPECT_DOUBLE_EQ(claim_of(r)->epsilon, costs(1.5));
  r.plays_with = 0.1;
  EXPECT_DOUBLE_EQ(claim_of(r)->epsilon, costs(1.5)) << "not the twin's";
}

TEST(Audit, FindsTheFactorOfTwoInReportNoisyMax) {
  AuditRequest r = request("rnm-ftnl-as-published", 1);
  r.samples = 40000;
  const AuditResult broken = audit(r);
  EXPECT_GT(broken.lower_bound, 1.2);
  EXPECT_EQ(broken.verdict, Verdict::kViolated);
  EXPECT_EQ(audit(request("rnm-ftnl", 1)).verdict, Verdict::kHolds);
}

TEST(Audit, FindsTheStopPositionInPublishedCascades) {
  for (const char* policy :
       {"cascade-dp-hybrid-as-published", "cascade-ldp-laplace-as-published",
        "cascade-ldp-gaussian-as-published", "cascade-ldp-composed-as-published"}) {
    const AuditResult result = audit(request(policy, 0.5));
    EXPECT_GT(result.lower_bound, 3) << policy;
    EXPECT_EQ(result.verdict, Verdict::kViolated) << policy;
  }
}

TEST(Audit, HoldsWhatHoldsAndFindsHalfTheNoise) {
  for (const char* policy : {"anytime-lazy-ucb", "ldp-ucb-bits", "cascade-dp", "cascade-ldp"}) {
    AuditRequest r = request(policy, 1);
    const AuditResult right = audit(r);
    EXPECT_EQ(right.verdict, Verdict::kHolds) << policy;
    EXPECT_GT(right.lower_bound, 0.6) << policy << ": most of it is found";
    r.plays_with = 2;
    EXPECT_EQ(audit(r).verdict, Verdict::kViolated) << policy;
  }
}

/// A twin that shows a 0, and a 1 instead with some probability if the first user's outcomes are all `leaked`.
AuditRequest leaking(const std::string& policy, double leaked, double chance, bool by_its_actions) {
  AuditRequest r = request(policy, 1);
  r.rounds = 4;
  r.twin = [=](const Rows& rows, std::uint64_t run, accounting::Ledger* ledger) {
    auto stream = random::SimulationKey(1, "leaking", "table", run).stream(random::Purpose::kNoise);
    const bool all = std::all_of(rows[0].begin(), rows[0].end(),
                                 [&](double outcome) { return outcome == leaked; });
    const bool told = all && random::bernoulli(stream, chance);
    const Arm arm = by_its_actions && told ? 1 : 0;
    ledger->see_action({&arm, 1}, 4);
    ledger->show(arm, !by_its_actions && told ? 1 : 0);
  };
  return r;
}

TEST(Audit, LooksAtActionsAndAtWhatIsShownInBothDirections) {
  for (const double leaked : {0.0, 1.0}) {
    for (const bool actions : {false, true}) {
      const AuditResult found = audit(leaking("anytime-lazy-ucb", leaked, 0.2, actions));
      EXPECT_GT(found.lower_bound, 3);
      EXPECT_EQ(found.pair.ends_with("backwards"), leaked == 1) << found.pair;
      EXPECT_EQ(found.view, actions ? "actions" : "releases");
      if (actions) continue;
      const AuditResult local = audit(leaking("ldp-ucb-bits", leaked, 0.2, false));
      EXPECT_GT(local.lower_bound, 3);
      EXPECT_EQ(local.view, "reports");
      EXPECT_EQ(local.pair.ends_with("backwards"), leaked == 1) << local.pair;
      EXPECT_NEAR(local.one, 0.2, 0.05) << "where it was leaked";
      EXPECT_EQ(local.other, 0);
    }
  }
}

TEST(Audit, GrantsTheDeltaOfTheClaim) {
  AuditRequest r = leaking("cucb-ldp-gaussian", 1, 0.02, false);
  EXPECT_EQ(audit(r).verdict, Verdict::kViolated);
  r.delta = 0.04;
  EXPECT_LT(audit(r).lower_bound, 0.1);
}

TEST(Audit, SharesItsErrorAmongAllThatItTests) {
  // Both directions of every pair; of central policies two views. Half of the runs test.
  for (const auto& [policy, views] : {std::pair{"anytime-lazy-ucb", 2.0}, {"ldp-ucb-bits", 1.0}}) {
    const AuditRequest r = request(policy, 1);
    const AuditResult result = audit(r);
    EXPECT_EQ(result.confidence, 0.999);
    const double tests = static_cast<double>(neighbouring_tables(2, 8).size()) * 2 * views;
    const double error = 0.001 / tests / 2;  // half for either chance
    const std::int64_t runs = r.samples / 2;
    const auto count = [runs](double share) {
      return std::llround(share * static_cast<double>(runs));
    };
    EXPECT_NEAR(result.lower_bound,
                std::log(lower_chance(count(result.one), runs, error) /
                         upper_chance(count(result.other), runs, error)),
                1e-12)
        << policy;
  }
}

TEST(Audit, ClaimsNothingForBaselines) {
  const AuditResult result = audit(request("ucb1", 1));
  EXPECT_EQ(result.verdict, Verdict::kNoClaim);
}

TEST(Audit, DependsOnItsSeedAndNotOnThreads) {
  AuditRequest r = request("ldp-ucb-bits", 1);
  const double two = audit(r).lower_bound;
  r.threads = 1;
  EXPECT_EQ(audit(r).lower_bound, two);
  r.seed = 2;
  EXPECT_NE(audit(r).lower_bound, two);
}

TEST(Audit, RefusesWhatCertifiesNothing) {
  AuditRequest r = request("ldp-ucb-bits", 1);
  r.samples = 999;
  EXPECT_THROW(audit(r), InvalidParameter);
  EXPECT_THROW(audit(request("ldp-ucb-bits", 0)), InvalidParameter);
  EXPECT_THROW(audit(request("ucb1", -1)), InvalidParameter);
}

}  // namespace
}  // namespace tacit::audit
