// A fast part of the audits; tests/audits has all policies and their broken twins.
#include "tacit/audit/audit.hpp"

#include <gtest/gtest.h>

#include "tacit/audit/neighbours.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::audit {
namespace {

AuditRequest request(const std::string& policy, double epsilon) {
  AuditRequest r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.samples = 10000;
  r.threads = 2;
  return r;
}

TEST(NeighbouringTables, DifferInOneRound) {
  for (const int arms : {2, 3, 5}) {
    for (const Round rounds : {Round{4}, Round{8}, Round{9}}) {
      for (const Pair& pair : neighbouring_tables(arms, rounds)) {
        ASSERT_EQ(pair.one.size(), static_cast<std::size_t>(rounds));
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

TEST(Claims, AreTheSmallerOfWhatIsPublishedAndWhatIsChecked) {
  EXPECT_DOUBLE_EQ(claim_of(request("rnm-ftnl-as-published", 1))->epsilon, 1) << "2 is checked";
  EXPECT_DOUBLE_EQ(claim_of(request("dpucb-mat", 1))->epsilon, 1) << "2 is published";
  EXPECT_DOUBLE_EQ(claim_of(request("cascade-ldp-laplace-as-published", 0.5))->epsilon, 0.5);
  EXPECT_FALSE(claim_of(request("ucb1", 1)));
  EXPECT_GT(claim_of(request("cucb-ldp-gaussian", 1))->delta, 0);
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

TEST(Audit, ClaimsNothingForBaselines) {
  const AuditResult result = audit(request("ucb1", 1));
  EXPECT_EQ(result.verdict, Verdict::kNoClaim);
}

TEST(Audit, DoesNotDependOnThreads) {
  AuditRequest r = request("ldp-ucb-bits", 1);
  const double two = audit(r).lower_bound;
  r.threads = 1;
  EXPECT_EQ(audit(r).lower_bound, two);
}

}  // namespace
}  // namespace tacit::audit
