// Every private policy of the catalogue is audited, and so is its twin with half the noise, which must be
// caught.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "tacit/audit/audit.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::audit {
namespace {

std::vector<std::string> private_policies() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (entry.card.trust != policies::Trust::kNone) names.emplace_back(entry.card.name);
  }
  return names;
}

AuditRequest request(const std::string& policy, double epsilon) {
  AuditRequest r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.samples = 20000;
  r.threads = 2;
  return r;
}

/// What papers promise and do not keep. docs/guarantees.md says why, with probabilities.
const std::set<std::string> kBroken{"rnm-ftnl-as-published",
                                    "cucb-ldp-gaussian-as-published",
                                    "cascade-dp-hybrid-as-published",
                                    "cascade-ldp-laplace-as-published",
                                    "cascade-ldp-gaussian-as-published",
                                    "cascade-ldp-composed-as-published"};

TEST(Audits, EveryClaimHoldsButThoseThatDoNot) {
  for (const std::string& policy : private_policies()) {
    AuditRequest r = request(policy, 1);
    if (kBroken.contains(policy)) r.samples = 40000;
    const AuditResult result = audit(r);
    EXPECT_EQ(result.verdict, kBroken.contains(policy) ? Verdict::kViolated : Verdict::kHolds)
        << policy << ": " << result.lower_bound << " by the " << result.view << ", " << result.pair;
  }
}

/// Where half the noise takes more runs, or another epsilon, to be found out.
AuditRequest half_the_noise(const std::string& policy) {
  AuditRequest r = request(policy, 1);
  if (policy == "dp-ucb-tree" || policy == "dp-ts-tree" || policy == "cucb-dp-as-published") {
    r = request(policy, 4);  // one user's outcome is spread over all levels of a tree
    r.samples = 40000;
  }
  if (policy == "cucb-ldp-gaussian")
    r.delta = 0.01;  // a delta of 1e-6 is below what can be sampled
  r.plays_with = 2 * r.epsilon;
  return r;
}

TEST(Audits, HalfTheNoiseIsFoundOut) {
  for (const std::string& policy : private_policies()) {
    // Its noise does not depend on epsilon from 1 on, and its claim, composed over all rounds, has slack:
    // half of it costs 2 (1 + 8^-0.55 + ...) in the rounds that are played here, below the claim of 4.1.
    if (policy == "dp-ucb-int") continue;
    const AuditResult result = audit(half_the_noise(policy));
    EXPECT_EQ(result.verdict, Verdict::kViolated)
        << policy << ": " << result.lower_bound << " of " << result.claimed->epsilon;
  }
}

}  // namespace
}  // namespace tacit::audit
