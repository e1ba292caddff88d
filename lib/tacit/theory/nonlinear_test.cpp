// Bounds where rewards are no sums, oracles are approximate, or sets are neither listed nor bases.
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/actions/approximate.hpp"
#include "tacit/actions/cover.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/influence.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/max_cut.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/theory/bound.hpp"
#include "tacit/theory/combinatorial.hpp"

namespace tacit::theory {
namespace {

using feedback::Kind::kSemi;

constexpr double kGreedy = 1 - 1 / std::numbers::e;

Instance of(const actions::ActionSet& set, std::vector<double> means, Round horizon = 1000000) {
  return sets_of_arms(kSemi, std::move(means), set, 1, horizon);
}

/// Three sets of one item each.
actions::Cover three_items() { return {3, 3, {{0, 0}, {1, 1}, {2, 2}}, 1}; }

TEST(GapsOfOthers, AreToTheShareThatTheOraclePromises) {
  // alpha opt = 0.632 * 0.9 = 0.5689: the set of 0.6 is good, the other two are bad.
  const Instance instance =
      of(actions::Cover(4, 4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}}, 1), {0.9, 0.6, 0.5, 0.1});
  ASSERT_TRUE(instance.sets);
  EXPECT_TRUE(std::isinf(instance.sets->smallest[0]));
  EXPECT_TRUE(std::isinf(instance.sets->smallest[1]));
  EXPECT_NEAR(instance.sets->smallest[2], 0.9 * kGreedy - 0.5, 1e-9);
  EXPECT_NEAR(instance.sets->smallest[3], 0.9 * kGreedy - 0.1, 1e-9);
  EXPECT_NEAR(instance.sets->least, 0.9 * kGreedy - 0.5, 1e-9);
  EXPECT_NEAR(instance.sets->largest, 0.9 * kGreedy - 0.1, 1e-9);
  EXPECT_NEAR(instance.sets->best_value, 0.9, 1e-9);
}

TEST(GapsOfOthers, OfACoverThatOverlaps) {
  // Two of {i1, i2}, {i2}, {i2}: values 1 - .5 * .5 + .2 = .95 of the first with another, .75 of the last two.
  // alpha opt = 0.6005 < 0.75: nothing is bad, and regret against alpha opt is at most 0.
  const Instance instance =
      of(actions::Cover(3, 2, {{0, 0}, {0, 1}, {1, 1}, {2, 1}}, 2), {0.2, 0.5, 0.5, 0.5});
  EXPECT_NEAR(instance.sets->best_value, 0.95, 1e-9);
  EXPECT_EQ(instance.sets->largest, 0);
  EXPECT_EQ(laplace_reports_upper(instance, 1).value(), 0);
  EXPECT_EQ(gaussian_reports_upper(instance, 1).value(), 0);
}

TEST(GapsOfOthers, OfPathsMatchingsAndCuts) {
  // a-b-d costs .1 + .2, a-c-d .5 + .6.
  const Instance paths =
      of(actions::Paths({4, {{0, 1}, {1, 3}, {0, 2}, {2, 3}}, true}, 0, 3), {0.9, 0.8, 0.5, 0.4});
  EXPECT_TRUE(std::isinf(paths.sets->smallest[0]));
  EXPECT_NEAR(paths.sets->smallest[3], 0.8, 1e-9);
  EXPECT_NEAR(paths.sets->best_value, -0.3, 1e-9);
  // 0.9 + 0.3 against 0.6 + 0.5.
  const Instance matching =
      of(actions::BipartiteMatching(2, 2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}), {0.9, 0.6, 0.5, 0.3});
  EXPECT_NEAR(matching.sets->smallest[1], 0.1, 1e-9);
  EXPECT_TRUE(std::isinf(matching.sets->smallest[3]));
  // A triangle: every cut is two of three edges.
  const Instance cut = of(actions::MaxCut({3, {{0, 1}, {1, 2}, {2, 0}}, false}), {0.9, 0.5, 0.2});
  EXPECT_NEAR(cut.sets->smallest[0], 0.3, 1e-9);
  EXPECT_NEAR(cut.sets->smallest[1], 0.7, 1e-9);
  EXPECT_NEAR(cut.sets->smallest[2], 0.3, 1e-9);
  EXPECT_NEAR(cut.sets->largest, 0.7, 1e-9);
}

TEST(GapsOfOthers, KnowTheLongestPathWhereKIsABound) {
  // 0-1-2-3 and back from 2 to 1 and from 3 to 4 to 2: five nodes on the way, so K = 4, but paths have 3 edges.
  const actions::Paths paths({5, {{0, 1}, {1, 2}, {2, 3}, {2, 1}, {3, 4}, {4, 2}, {4, 3}}, true}, 0,
                             3);
  EXPECT_EQ(paths.size(), 4);
  const Instance instance = of(paths, std::vector<double>(7, 0.5));
  EXPECT_EQ(instance.size, 4);
  EXPECT_EQ(instance.smoothness.b_infinity, 3);
}

TEST(GapsOfOthers, OfInfluenceAreKnownWhereSpreadIsComputed) {
  // Seeds: node 0 reaches 1 + 3 * 0.9, node 4 reaches 1.1; alpha = 1 - 1/e - 0.1.
  const actions::Influence star({6, {{0, 1}, {0, 2}, {0, 3}, {4, 5}}, true}, 1);
  const Instance instance = of(star, {0.9, 0.9, 0.9, 0.1});
  ASSERT_TRUE(instance.sets);
  EXPECT_NEAR(instance.sets->smallest[3], (kGreedy - 0.1) * 3.7 - 1.1, 1e-9);
  EXPECT_TRUE(std::isinf(instance.sets->smallest[0]));
  actions::Graph chain{19, {}, true};
  for (int i = 0; i < 18; ++i) chain.edges.push_back({i, i + 1});
  EXPECT_FALSE(of(actions::Influence(chain, 1), std::vector<double>(18, 0.5)).sets);
}

TEST(GapsOfOthers, OfTooManyAreUnknown) {
  actions::Graph ladder{15, {}, true};
  for (int node = 0; node < 14; ++node) {
    ladder.edges.push_back({node, node + 1});
    ladder.edges.push_back({node, node + 1});
  }
  const Instance instance = of(actions::Paths(ladder, 0, 14), std::vector<double>(28, 0.5));
  EXPECT_FALSE(instance.sets);
  EXPECT_NE(evaluate(find_bound("chen-theorem-4"), instance)
                .why_not()
                .in_words()
                .find("at most 5000 sets"),
            std::string::npos);
}

TEST(Chen, Theorem4OnThreeItems) {
  // Means 0.9, 0.3, 0.1: alpha opt = 0.568909, gaps 0.268909 and 0.468909. T = 10^6, ln T = 13.815511; b = 1, B = K = 1:
  // 64 * 4 * 13.815511 = 3536.7708.
  //   sum of 1/Delta_i = 3.7187336 + 2.1326088 = 5.8513396: 20694.880
  //   2 * 14.815511 * 0.468909 = 13.894238;  3 (2 * 13.815511 + 30) * 0.468909 = 81.071028
  const Instance instance = of(three_items(), {0.9, 0.3, 0.1});
  EXPECT_NEAR(laplace_reports_upper(instance, 1).value(), 20694.880 + 13.894238 + 81.071028, 0.05);
}

TEST(Approximate, BoundsAreOfTheGapsToTheShare) {
  const auto top = std::make_shared<actions::TopK>(3, 1);
  const Instance half = of(actions::Approximate(top, 0.5, 0.7), {0.8, 0.5, 0.1});
  EXPECT_EQ(half.approximation.beta, 0.7);
  EXPECT_TRUE(std::isinf(half.sets->smallest[1]));
  EXPECT_NEAR(half.sets->smallest[2], 0.3, 1e-9);
  // At alpha = 1 they are those of an exact oracle.
  const Instance exact = of(*top, {0.8, 0.5, 0.1});
  const Instance whole = of(actions::Approximate(top, 1, 1), {0.8, 0.5, 0.1});
  EXPECT_NEAR(whole.sets->smallest[1], exact.sets->smallest[1], 1e-9);
  EXPECT_NEAR(whole.sets->largest, exact.sets->largest, 1e-9);
}

TEST(Approximate, LowerBoundsAreOfExactOracles) {
  const auto list =
      std::make_shared<actions::ExplicitList>(4, std::vector<std::vector<Arm>>{{0, 1}, {2, 3}});
  Instance exact = of(*list, {0.5, 0.5, 0.4, 0.4});
  Instance half = of(actions::Approximate(list, 0.5, 1), {0.5, 0.5, 0.4, 0.4});
  exact.equal_outcomes = half.equal_outcomes = true;
  for (const char* name : {"chen-theorem-6", "chen-theorem-9"}) {
    EXPECT_TRUE(applies(find_bound(name), exact)) << name;
    EXPECT_FALSE(applies(find_bound(name), half)) << name;
  }
  EXPECT_NE(evaluate(find_bound("chen-theorem-9"), half).why_not().in_words().find("exact"),
            std::string::npos);
}

/// The same instance with B in its gaps and its smoothness instead of beside them.
Instance with_b_inside(Instance instance, double b) {
  instance.smoothness = {b * instance.smoothness.b1, b * instance.smoothness.b_infinity};
  for (double& gap : instance.sets->smallest) gap *= b;
  instance.sets->least *= b;
  instance.sets->largest *= b;
  return instance;
}

TEST(Scaled, BoundsAreBTimesAsLargeWhetherBIsInsideOrBeside) {
  const auto top = std::make_shared<actions::TopK>(4, 2);
  const std::vector<double> means = {0.9, 0.8, 0.5, 0.2};
  for (const Round horizon : {Round{50}, Round{1000000000}}) {
    const Instance plain = of(*top, means, horizon);
    const Instance scaled = of(actions::Scaled(top, 3), means, horizon);
    EXPECT_EQ(scaled.reward_scale, 3);
    const double four = evaluate(find_bound("chen-theorem-4"), scaled).value();
    EXPECT_NEAR(four, 3 * evaluate(find_bound("chen-theorem-4"), plain).value(), 1e-6 * four);
    EXPECT_NEAR(four, laplace_reports_upper(with_b_inside(plain, 3), 1).value(), 1e-6 * four);
    EXPECT_NEAR(evaluate(find_bound("chandak-theorem-9"), scaled).value(),
                3 * evaluate(find_bound("chandak-theorem-9"), plain).value(), 1e-6 * four);
  }
}

TEST(Scaled, LowerBoundsAreThoseOfThePaper) {
  // B_1^2 (m-K) K/(64 (e^eps - 1)^2 Delta) ln T with B_1 = 3, m = 4, K = 2, Delta = 0.6, e^eps = 2, T = 1000.
  const auto list =
      std::make_shared<actions::ExplicitList>(4, std::vector<std::vector<Arm>>{{0, 1}, {2, 3}});
  Instance instance =
      sets_of_arms(kSemi, {0.5, 0.5, 0.4, 0.4}, actions::Scaled(list, 3), std::log(2.0), 1000);
  instance.equal_outcomes = true;
  EXPECT_NEAR(evaluate(find_bound("chen-theorem-6"), instance).value(),
              9 * 2 * 2 / (64 * 0.6) * 6.907755, 1e-5);
}

TEST(Scaled, Theorem5OfSingleArmsHasBInfinity) {
  // B^2 (m-1)/(64 (e^eps - 1)^2 Delta) ln T with B = 3, Delta = 0.6 of rewards, m = 4, e^eps = 2, T = 1000.
  const std::vector<double> means = {0.5, 0.3, 0.3, 0.3};
  const auto at = [&](const actions::ActionSet& set) {
    return evaluate(find_bound("chen-theorem-5"),
                    sets_of_arms(kSemi, means, set, std::log(2.0), 1000));
  };
  const auto top = std::make_shared<actions::TopK>(4, 1);
  EXPECT_NEAR(at(actions::Scaled(top, 3)).value(), 9 * 3 / (64 * 0.6) * 6.907755, 1e-5);
  EXPECT_FALSE(at(actions::TopK(4, 2)));
  EXPECT_FALSE(at(actions::Approximate(top, 0.5, 1)));
}

TEST(Scaled, WrapsAndIsWrapped) {
  const auto top = std::make_shared<actions::TopK>(3, 1);
  const std::vector<double> means = {0.8, 0.5, 0.1};
  const auto outside =
      of(actions::Scaled(std::make_shared<actions::Approximate>(top, 0.5, 0.9), 4), means);
  const auto inside =
      of(actions::Approximate(std::make_shared<actions::Scaled>(top, 4), 0.5, 0.9), means);
  const double bound = evaluate(find_bound("chen-theorem-4"), outside).value();
  EXPECT_NEAR(evaluate(find_bound("chen-theorem-4"), inside).value(), bound, 1e-6 * bound);
}

}  // namespace
}  // namespace tacit::theory
