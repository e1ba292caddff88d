#include "tacit/reports/verdict.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

Claim claim_of(double value, const std::string& figure = "f") {
  Claim claim;
  claim.figure = figure;
  claim.says = "it is so much";
  claim.policy = "some";
  claim.value = value;
  claim.within = 0.1;
  return claim;
}

TEST(Verdict, CountsTheClaimsOfItsFigureAlone) {
  const std::vector<Curve> curves{curve({.runs = around(10)})};
  FigureRequest request;
  request.name = "f";
  Claim of_another_policy = claim_of(10);
  of_another_policy.policy = "other";
  const std::vector<Claim> claims{claim_of(10), claim_of(20), claim_of(10, "g"), of_another_policy};
  const Verdict verdict = give_verdict(request, make_figure(request, curves), claims, curves);
  EXPECT_EQ(verdict.claims.size(), 3U);
  EXPECT_EQ(verdict.count(Judgement::kHolds), 1);
  EXPECT_EQ(verdict.count(Judgement::kFails), 1);
  EXPECT_EQ(verdict.count(Judgement::kOpen), 1);
  EXPECT_EQ(verdict.summary(), "1 of 3 claims hold, 1 does not, 1 open");
  const Verdict none = give_verdict({}, make_figure({}, curves), claims, curves);
  EXPECT_EQ(none.summary(), "nothing is claimed");
}

TEST(Verdict, KeepsAPromiseOnceForEveryEpsilon) {
  const std::vector<Curve> curves{
      curve({.policy = "a", .epsilon = 1, .problem = "p", .runs = around(10)}),
      curve({.policy = "a", .epsilon = 1, .problem = "q", .runs = around(10)}),
      curve({.policy = "a", .epsilon = 2, .problem = "p", .runs = around(10)}),
      curve({.policy = "b", .epsilon = 1, .runs = around(10), .guarantee_of_epsilon = 2})};
  const Verdict verdict = give_verdict({}, make_figure({}, curves), {}, curves);
  ASSERT_EQ(verdict.promises.size(), 3U);
  EXPECT_EQ(verdict.promises[0].kept(), Kept::kAsPublished);
  EXPECT_EQ(verdict.promises[1].epsilon, 2);
  EXPECT_EQ(verdict.promises[2].kept(), Kept::kLess);
  ASSERT_EQ(verdict.measured.size(), 4U);
  EXPECT_EQ(verdict.measured[1].problem, "q");
}

TEST(Verdict, ComparesWhatIsKeptWithWhatWasPublished) {
  using privacy::Notion;
  const auto kept = [](Notion notion, double epsilon, double delta) {
    PolicyPromise promise;
    promise.promises.guarantee.notion = notion;
    promise.promises.guarantee.epsilon = epsilon;
    promise.promises.guarantee.delta = delta;
    promise.promises.published = {.notion = Notion::kCentral, .epsilon = 1, .delta = 0.001};
    return promise.kept();
  };
  EXPECT_EQ(kept(Notion::kCentral, 1, 0.001), Kept::kAsPublished);
  EXPECT_EQ(kept(Notion::kCentral, 1 + 1e-12, 0.001), Kept::kAsPublished) << "rounding";
  EXPECT_EQ(kept(Notion::kCentral, 0.5, 0.001), Kept::kMore);
  EXPECT_EQ(kept(Notion::kCentral, 1, 0), Kept::kMore);
  EXPECT_EQ(kept(Notion::kCentral, 2, 0.001), Kept::kLess);
  EXPECT_EQ(kept(Notion::kCentral, 0.5, 0.01), Kept::kLess) << "not in every way more";
  EXPECT_EQ(kept(Notion::kLocal, 1, 0.001), Kept::kOther);
  EXPECT_EQ(kept(Notion::kNone, 1, 0), Kept::kLess);
}

TEST(Verdict, HasNoIntervalOfOneRun) {
  const std::vector<Curve> curves{curve({.runs = {{5, 10}}}), curve({.runs = around(10)})};
  const Verdict verdict = give_verdict({}, make_figure({}, curves), {}, curves);
  EXPECT_FALSE(verdict.measured[0].half_width);
  EXPECT_TRUE(verdict.measured[1].half_width);
  EXPECT_FALSE(verdict.measured[0].best_arms) << "single arms";
}

TEST(Verdict, CountsBrokenBoundsAtEveryEpsilon) {
  std::vector<Curve> curves;
  for (const double epsilon : {0.5, 1.0, 2.0}) {
    curves.push_back(curve({.epsilon = epsilon,
                            .runs = around(epsilon == 2 ? 5 : 30),
                            .bounds = {bound(theory::Kind::kFinite, theory::Side::kUpper, 20)}}));
  }
  const Verdict verdict = give_verdict({}, make_figure({}, curves), {}, curves);
  EXPECT_EQ(verdict.broken_bounds, 2);
  ASSERT_EQ(verdict.bounds.size(), 2U) << "where it is broken, and where it is kept";
  EXPECT_EQ(verdict.bounds[0].where(), "at 2 of 3 epsilon, 0.5 to 1");
  EXPECT_EQ(verdict.bounds[1].where(), "at epsilon 2 of 3");
  EXPECT_EQ(verdict.summary(), "0 of 0 claims hold; 2 finite bounds broken");
}

}  // namespace
}  // namespace tacit::reports
