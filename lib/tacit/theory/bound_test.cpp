#include "tacit/theory/bound.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::theory {
namespace {

using feedback::Kind::kBandit;
using feedback::Kind::kCascade;
using feedback::Kind::kFull;
using feedback::Kind::kSemi;
using privacy::Notion;

Instance first_setting(Round horizon) {
  return single_arms(kBandit, {0.75, 0.625, 0.5, 0.375, 0.25}, 1, horizon);
}

TEST(Bounds, HaveUniqueNamesAndSayEverything) {
  std::set<std::string> names;
  for (const Bound& bound : bounds()) {
    SCOPED_TRACE(bound.name);
    EXPECT_TRUE(names.insert(bound.name).second);
    EXPECT_FALSE(bound.reference.empty());
    EXPECT_FALSE(bound.form.empty());
    EXPECT_FALSE(bound.conditions.empty());
    EXPECT_FALSE(bound.feedback.empty());
    EXPECT_EQ(bound.value == nullptr, bound.kind == Kind::kOrder);
    if (bound.side == Side::kUpper && bound.kind != Kind::kReference) {
      EXPECT_FALSE(bound.policies.empty());
    }
    if (bound.conjecture) {
      EXPECT_EQ(bound.kind, Kind::kOrder);
    }
  }
  for (const Bound& bound : bounds()) {
    if (!bound.superseded_by.empty()) {
      EXPECT_EQ(names.count(bound.superseded_by), 1U) << bound.name;
    }
  }
}

TEST(Bounds, ThatHaveToBeKeptSayForWhichParameters) {
  // Whatever the index and the first rounds are: docs/bounds.md.
  const std::set<std::string> any{"hu-theorem-3 index", "hu-theorem-3-worst index",
                                  "omm-finite start", "chandak-theorem-9 start"};
  for (const Bound& bound : bounds()) {
    if (bound.kind != Kind::kFinite || bound.side != Side::kUpper) continue;
    for (const std::string& policy : bound.policies) {
      const policies::Entry& entry = policies::find_policy(policy);
      const auto in_force = entry.parameters({});
      EXPECT_TRUE(holds_with(bound, in_force)) << bound.name << " of " << policy;
      for (const policies::ParameterInfo& info : in_force) {
        const bool said = std::any_of(bound.only_with.begin(), bound.only_with.end(),
                                      [&](const auto& one) { return one.name == info.name; });
        EXPECT_NE(said, any.contains(bound.name + " " + info.name))
            << bound.name << " of " << policy << ", " << info.name;
      }
    }
  }
}

TEST(Bounds, AreFoundByName) {
  EXPECT_EQ(find_bound("hu-theorem-3").kind, Kind::kFinite);
  try {
    find_bound("hu-theorm-3");
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find("hu-theorem-3"), std::string::npos);
  }
}

TEST(Bounds, AreEvaluatedAtEveryHorizonOfACurve) {
  const Bound& bound = find_bound("lai-robbins");
  // c ln t: twice as much at t^2.
  EXPECT_NEAR(evaluate(bound, first_setting(1000000)).value(),
              2 * evaluate(bound, first_setting(1000)).value(), 1e-9);
  EXPECT_NEAR(evaluate(find_bound("hu-theorem-3"), first_setting(1000000)).value(), 17407.0625,
              1e-6);
}

TEST(Bounds, OfAnotherFeedbackAreRefused) {
  const Number none = evaluate(find_bound("hu-theorem-9"), first_setting(1000));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.why_not().in_words(), "feedback = bandit: must be full");
}

TEST(Bounds, AreFiniteOrSayWhy) {
  for (double epsilon : {1e-310, 1e-5, 1e5, 1e308}) {
    for (Round horizon : {Round{1}, Round{2}, kLastRound}) {
      Instance arms = single_arms(kBandit, {1.0, 0.0, 0.5, 0.5, 1.0}, epsilon, horizon);
      Instance full = single_arms(kFull, arms.means, epsilon, horizon);
      Instance sets = sets_of_arms(kSemi, arms.means, actions::TopK(5, 3), epsilon, horizon);
      Instance lists = sets_of_arms(kCascade, arms.means, actions::TopK(5, 3), epsilon, horizon);
      for (Instance* instance : {&arms, &full, &sets, &lists}) {
        instance->delta = 1e-6;
        for (const Bound& bound : bounds()) {
          const Number found = evaluate(bound, *instance);
          if (found) {
            EXPECT_TRUE(std::isfinite(*found) && *found >= 0) << bound.name << " " << *found;
          } else {
            EXPECT_FALSE(found.why_not().in_words().empty()) << bound.name;
          }
        }
      }
    }
  }
}

TEST(Bounds, OfUnknownConstantHaveNoNumber) {
  EXPECT_EQ(evaluate(find_bound("hu-theorem-5"), first_setting(1000)).why_not().in_words(),
            "an order without a constant has no number");
  const Instance sets = sets_of_arms(kSemi, {0.5, 0.4, 0.3}, actions::TopK(3, 2), 1, 1000);
  EXPECT_EQ(evaluate(find_bound("chandak-conjecture"), sets).why_not().in_words(),
            "a conjecture without a constant has no number");
}

TEST(Bounds, OfRandomPlayConcernEverybody) {
  const Bound& random = find_bound("random-play");
  for (const auto notion : {privacy::Notion::kNone, privacy::Notion::kCentral})
    EXPECT_TRUE(concerns(random, "cascade-dp", notion, feedback::Kind::kCascade));
  EXPECT_FALSE(concerns(random, "cucb", privacy::Notion::kNone, kSemi));
}

TEST(Bounds, WithoutANumberSpeakOfWhatTheirConditionsAllow) {
  const Instance bases = sets_of_arms(kSemi, {0.5, 0.4, 0.3, 0.2}, actions::TopK(4, 2), 1, 1000);
  const Instance listed = sets_of_arms(kSemi, {0.5, 0.4, 0.3, 0.2},
                                       actions::ExplicitList(4, {{0, 1}, {2, 3}}), 1, 1000);
  for (const char* name : {"chandak-theorem-11", "chandak-conjecture"}) {
    EXPECT_TRUE(applies(find_bound(name), bases)) << name;
    EXPECT_FALSE(applies(find_bound(name), listed)) << name;
    EXPECT_NE(evaluate(find_bound(name), listed).why_not().in_words().find("bases of a matroid"),
              std::string::npos);
  }
  const Bound& nine = find_bound("chen-theorem-9");
  EXPECT_TRUE(applies(nine, bases)) << "four arms, two of them";
  EXPECT_FALSE(applies(nine, sets_of_arms(kSemi, {0.5, 0.4, 0.3}, actions::TopK(3, 2), 1, 1000)))
      << "three are fewer than twice two";
  EXPECT_FALSE(applies(
      nine, sets_of_arms(kSemi, {1, 1, 0, 0}, actions::ExplicitList(4, {{0, 1}, {2, 3}}), 1, 1000)))
      << "a gap of 2";
  EXPECT_FALSE(applies(nine, single_arms(kBandit, {0.75, 0.5}, 1, 1000)));
  EXPECT_TRUE(applies(find_bound("lai-robbins"), single_arms(kBandit, {0.75, 0.5}, 1, 1000)));
}

TEST(Bounds, ThatNeedDeltaSaySo) {
  Instance sets = sets_of_arms(kSemi, {0.5, 0.4, 0.3}, actions::TopK(3, 2), 1, 1000);
  EXPECT_EQ(evaluate(find_bound("wang-theorem-10"), sets).why_not().in_words(),
            "delta = none: must be given, a number in (0, 1)");
  sets.delta = 1e-3;
  EXPECT_TRUE(evaluate(find_bound("wang-theorem-10"), sets));
  EXPECT_LT(evaluate(find_bound("wang-theorem-10-analytic"), sets).value(), 1000);
}

TEST(Bounds, OnPrivatePoliciesNeedAnEpsilonAndOthersDoNot) {
  const Instance baseline = single_arms(kBandit, {0.75, 0.5}, std::nullopt, 1000);
  for (const Bound& bound : bounds()) {
    if (bound.kind == Kind::kOrder || !concerns_feedback(bound, kBandit)) continue;
    const Number found = evaluate(bound, baseline);
    if (bound.notion == Notion::kNone) {
      EXPECT_TRUE(found) << bound.name;
    } else {
      ASSERT_FALSE(found) << bound.name;
      EXPECT_EQ(found.why_not().in_words(), "epsilon = none: must be given, a finite number > 0");
    }
    EXPECT_FALSE(is_worst_instance(bound, baseline)) << bound.name;
  }
}

TEST(Bounds, AFigurePicksThoseThatConcernAPolicy) {
  EXPECT_TRUE(concerns(find_bound("hu-theorem-3"), "anytime-lazy-ucb", Notion::kCentral, kBandit));
  EXPECT_FALSE(concerns(find_bound("hu-theorem-3"), "lazy-dp-ts", Notion::kCentral, kBandit));
  EXPECT_TRUE(concerns(find_bound("lai-robbins"), "ucb1", Notion::kNone, kBandit));
  EXPECT_FALSE(concerns(find_bound("lai-robbins"), "ftl", Notion::kNone, kFull));
  EXPECT_FALSE(concerns(find_bound("azize-2025"), "ucb1", Notion::kNone, kBandit));
  EXPECT_TRUE(concerns(find_bound("azize-2025"), "ldp-ucb-bits", Notion::kLocal, kBandit));
  EXPECT_FALSE(
      concerns(find_bound("basu-theorem-4"), "anytime-lazy-ucb", Notion::kCentral, kBandit));
  EXPECT_TRUE(concerns(find_bound("gajane-corrupted"), "ts-cf", Notion::kLocal, kBandit));
  EXPECT_FALSE(
      concerns(find_bound("gajane-corrupted"), "ldp-ucb-laplace", Notion::kLocal, kBandit));
}

TEST(Bounds, UpperIsAboveLowerWhereBothHold) {
  for (double epsilon : {0.05, 0.5, 5.0}) {
    for (Round horizon : {Round{100000}, Round{1000000000}}) {
      Instance instance = first_setting(horizon);
      instance.epsilon = epsilon;
      EXPECT_GT(evaluate(find_bound("hu-theorem-3"), instance).value(),
                evaluate(find_bound("azize-2025"), instance).value());
    }
  }
}

TEST(Bounds, AdversariesFailAtLeastThisOften) {
  // Chandak's thesis, Thms 4 and 5: 1/2 without information, 1/(1 + 3) at e^eps = 3.
  EXPECT_DOUBLE_EQ(adversary_failure(0), 0.5);
  EXPECT_NEAR(adversary_failure(1.0986122886681098), 0.25, 1e-12);
  EXPECT_THROW(adversary_failure(-1), InvalidParameter);
}

TEST(Bounds, AreTheRowsOfTheirPage) {
  std::ifstream page(std::string(TACIT_TEST_DATA) + "/../../docs/bounds.md");
  const std::string text(std::istreambuf_iterator<char>(page), {});
  std::size_t last = 0;
  for (const Bound& bound : bounds()) {
    const std::size_t row = text.find("\n| `" + bound.name + "` | ");
    ASSERT_NE(row, std::string::npos) << "docs/bounds.md has no row for " << bound.name;
    EXPECT_GT(row, last) << bound.name << " is out of order";
    last = row;
    const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row);
    EXPECT_NE(
        line.find(std::string("| ") + name_of(bound.kind) + ", " + name_of(bound.side) + " |"),
        std::string::npos)
        << line;
  }
}

TEST(WorstInstance, IsTheOneOfTheProofTunedToTheHorizon) {
  // Azize & Basu, 10 arms, T = 90000: sqrt(9/360000) = 0.005.
  const Bound& azize = find_bound("azize-basu-minimax");
  const auto means = worst_instance(azize, 10, 1, 90000);
  EXPECT_NEAR(means[0], 0.505, 1e-12);
  EXPECT_EQ(means[9], 0.5);
  Instance instance = single_arms(feedback::Kind::kBandit, means, 1, 90000);
  EXPECT_TRUE(is_worst_instance(azize, instance));
  instance.horizon = 80000;
  EXPECT_FALSE(is_worst_instance(azize, instance)) << "tuned to another horizon";
  instance = single_arms(feedback::Kind::kBandit,
                         {0.505, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4}, 1, 90000);
  EXPECT_FALSE(is_worst_instance(azize, instance));
  EXPECT_FALSE(is_worst_instance(find_bound("lai-robbins"), instance));
  // Basu et al., Thm 1, 5 arms at eps = ln 2: min(2, 2)(2 - 1) = 2, so sqrt(4/(8 * 5000))/2 = 0.005.
  EXPECT_NEAR(worst_instance(find_bound("basu-theorem-1"), 5, std::log(2.0), 5000)[0], 0.505,
              1e-12);
  // Hu et al., Thm 12, 16 arms at eps = 1: sqrt(ln 16/(16 * 1e4)) = 0.00416277.
  EXPECT_NEAR(worst_instance(find_bound("hu-theorem-12"), 16, 1, 10000)[0], 0.50416277, 1e-8);
}

TEST(WorstInstance, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(worst_instance(find_bound("lai-robbins"), 5, 1, 1000), InvalidParameter);
  EXPECT_THROW(worst_instance(find_bound("azize-basu-minimax"), 5, 1e-6, 1000), InvalidParameter);
  EXPECT_THROW(worst_instance(find_bound("basu-theorem-1"), 5, 0.01, 10), InvalidParameter);
  EXPECT_THROW(worst_instance(find_bound("basu-theorem-1"), 1, 1, 10), InvalidParameter);
}

TEST(Bounds, OfEnvironmentsThatAreDrawnKnowNoMeans) {
  Instance drawn = single_arms(feedback::Kind::kBandit, std::vector<double>(5, 0.5), 1, 10000);
  drawn.law = EnvironmentLaw{.best = 0.8};
  for (const Bound& bound : bounds()) {
    EXPECT_TRUE(bound.of_any_means || !applies(bound, drawn)) << bound.name;
    EXPECT_FALSE(is_worst_instance(bound, drawn)) << bound.name;
  }
  EXPECT_NEAR(*evaluate(find_bound("random-play"), drawn), 3000, 1e-9);
  EXPECT_TRUE(applies(find_bound("hu-theorem-3-worst"), drawn));
  EXPECT_FALSE(evaluate(find_bound("lai-robbins"), drawn));
  // The prior of the proof: there, and at its own gap alone, a minimax bound may be drawn.
  const Bound& corollary = find_bound("basu-corollary-1");
  const std::vector<double> worst = worst_instance(corollary, 5, 1, 10000);
  drawn.law->two_point_gap = worst[0] - worst[1];
  EXPECT_TRUE(is_worst_instance(corollary, drawn));
  drawn.law->two_point_gap = 1.1 * (worst[0] - worst[1]);
  EXPECT_FALSE(is_worst_instance(corollary, drawn));
}

}  // namespace
}  // namespace tacit::theory
