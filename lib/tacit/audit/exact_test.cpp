#include "tacit/audit/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/audit/audit.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::audit {
namespace {

TEST(ExactAudit, FindsWhatReportNoisyMaxReallyCosts) {
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    SCOPED_TRACE(epsilon);
    const double corrected = exact_audit("rnm-ftnl", epsilon).epsilon;
    EXPECT_LE(corrected, epsilon);
    EXPECT_GT(corrected, 0.6 * epsilon);
    const double published = exact_audit("rnm-ftnl-as-published", epsilon).epsilon;
    EXPECT_GT(published, 1.3 * epsilon);
    EXPECT_LE(published, 2 * epsilon) << "which is what is computed for it";
    // Permute and flip wastes nothing: two steps of scale 2/epsilon.
    EXPECT_NEAR(exact_audit("pf-ftnl", epsilon).epsilon, epsilon, 1e-9);
  }
}

TEST(ExactAudit, AgreesWithProbabilitiesWorkedByHand) {
  // Sums 4 and 0 against 3 and 1, P(x) proportional to e^-|x|: the second wins when its noise is larger by
  // more than the gap. Added up term by term.
  const double a = std::exp(-1);
  const auto second_wins = [a](int gap) {
    double total = 0;
    for (int x = -80; x <= 80; ++x) {
      for (int y = x + gap + 1; y <= 160; ++y) {
        total += std::pow(a, std::abs(x)) * std::pow(a, std::abs(y));
      }
    }
    return total * std::pow((1 - a) / (1 + a), 2);
  };
  EXPECT_NEAR(exact_audit("rnm-ftnl-as-published", 1).epsilon,
              std::log(second_wins(2) / second_wins(4)), 1e-6);
}

TEST(ExactAudit, KeepsLazyPoliciesWithinTheirClaims) {
  const ExactResult lazy = exact_audit("anytime-lazy-ucb", 1, 7);
  EXPECT_LE(lazy.epsilon, 1 + 1e-9);
  EXPECT_GT(lazy.epsilon, 0.9) << "one release of one sum, of which actions tell almost all";
  EXPECT_LT(lazy.beyond, 1e-9);
  const ExactResult matroid = exact_audit("dpucb-mat", 1, 3);
  EXPECT_LE(matroid.epsilon, 1 + 1e-9) << "not the 2 that is published";
  EXPECT_GT(matroid.epsilon, 0.4);
}

TEST(ExactAudit, IsNeverBelowWhatSamplingCertifies) {
  // Samples have idealised noise, of which whole numbers are a coarse version: close, not equal.
  for (const char* policy : {"rnm-ftnl", "rnm-ftnl-as-published"}) {
    AuditRequest r;
    r.policy = policy;
    r.samples = 20000;
    r.threads = 2;
    const double sampled = audit(r).lower_bound;
    const double exact = exact_audit(policy, 1).epsilon;
    EXPECT_LE(sampled, exact);
    EXPECT_GT(sampled, 0.7 * exact);
  }
}

TEST(ExactAudit, SaysWhatItCannotDo) {
  EXPECT_THROW(exact_audit("lazy-dp-ts", 1), InvalidParameter);
  EXPECT_THROW(exact_audit("rnm-ftnl", -1), InvalidParameter);
  EXPECT_THROW(exact_audit("rnm-ftnl", 1, 100), InvalidParameter);
}

}  // namespace
}  // namespace tacit::audit
