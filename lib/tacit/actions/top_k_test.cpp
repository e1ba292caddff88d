#include "tacit/actions/top_k.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/choices.hpp"
#include "tacit/actions/instances_test.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions::testing {
namespace {

constexpr int kKinds = 5;

/// The kinds of random_scores, and one more: all negative, some of them infinitely so.
std::vector<double> scores_of_kind(Draw& draw, int arms, int kind) {
  std::vector<double> scores = random_scores(draw, arms, kind % 4);
  if (kind == 4) {
    for (double& score : scores) score = score < 0.2 ? -kInfinity : -score;
  }
  return scores;
}

std::vector<double> scores_of(std::span<const Arm> arms, std::span<const double> scores) {
  std::vector<double> found;
  for (const Arm arm : arms) found.push_back(scores[at(arm)]);
  std::sort(found.begin(), found.end(), std::greater<>());
  return found;
}

/// The k largest scores by sorting all of them.
std::vector<double> largest(std::vector<double> scores, int k) {
  std::sort(scores.begin(), scores.end(), std::greater<>());
  scores.resize(at(k));
  return scores;
}

/// Every best set, by looking at all of them: most infinite scores first, then the largest sum. Finite
/// scores are multiples of 1/4, so that sums are exact.
std::set<Action> best_sets(std::span<const double> scores, int k) {
  std::pair<int, double> best{-1, 0};
  std::set<Action> sets;
  for_each_choice(static_cast<int>(scores.size()), k, [&](std::span<const int> arms) {
    std::pair<int, double> worth{0, 0};
    for (const Arm arm : arms) {
      const double score = scores[at(arm)];
      if (score == kInfinity) {
        ++worth.first;
      } else {
        worth.second += score;
      }
    }
    if (worth > best || sets.empty()) {
      best = worth;
      sets.clear();
    }
    if (worth == best) sets.emplace(arms.begin(), arms.end());
  });
  return sets;
}

TEST(TopK, TakesTheLargestScores) {
  for (std::uint64_t run = 0; run < 3000; ++run) {
    Draw draw = instance(run);
    const int arms = between(draw, 1, 40);
    const int k = between(draw, 1, arms);
    const auto scores = scores_of_kind(draw, arms, static_cast<int>(run % kKinds));
    const Action action = chosen(TopK(arms, k), scores, static_cast<Round>(run + 1));
    ASSERT_EQ(std::ssize(std::set<Arm>(action.begin(), action.end())), k);
    ASSERT_EQ(scores_of(action, scores), largest(scores, k)) << "instance " << run;
  }
}

/// Place after place: the first arm with the largest score that is left, or, from where more arms have it than there are
/// places, any of them, by the round's dice.
std::pair<Action, bool> taken_in_turn(std::span<const double> scores, int k, Round t,
                                      const random::Dice& dice) {
  std::vector<Arm> left(scores.size());
  std::iota(left.begin(), left.end(), 0);
  auto ties = dice.ties(t);
  Action taken;
  bool tied = false;
  for (int places = k; places > 0; --places) {
    double largest = -kInfinity;
    for (const Arm arm : left) largest = std::max(largest, scores[at(arm)]);
    std::vector<Arm> equal;
    for (const Arm arm : left) {
      if (scores[at(arm)] == largest) equal.push_back(arm);
    }
    tied = tied || std::cmp_greater(equal.size(), places);
    const int skip = tied ? random::uniform_index(ties, static_cast<int>(equal.size())) : 0;
    taken.push_back(equal[at(skip)]);
    std::erase(left, taken.back());
  }
  return {taken, tied};
}

TEST(TopK, LooksAtAllScoresOrAtATreeWithTheSameResultAndTheSameDice) {
  int tied = 0;
  int alone = 0;
  for (std::uint64_t run = 0; run < 3000; ++run) {
    Draw draw = instance(run);
    const int arms = 1 + static_cast<int>(run % 200);
    const int some = between(draw, 1, std::min(arms, 20));
    const int k = run % 7 == 0 ? 1 : run % 7 == 1 ? arms : some;
    std::vector<double> scores;
    const int values = between(draw, 1, 3 * arms);  // few of them: many ties
    for (int i = 0; i < arms; ++i) {
      const int step = between(draw, -1, values);
      scores.push_back(step < 0 ? -kInfinity : step == values ? kInfinity : 0.25 * step);
    }
    const TopK set(arms, k);
    const auto t = static_cast<Round>(run + 1);
    const auto [expected, expected_tied] = taken_in_turn(scores, k, t, dice(run));
    const auto oracle = set.oracle();
    oracle->set_scores(scores);
    // Where arms are many the first choice looks, and the second, with nothing new, builds the tree.
    for (int choice = 0; choice < 3; ++choice) {
      const ChosenSet chosen = oracle->choose(t, dice(run));
      ASSERT_EQ(Action(chosen.arms.begin(), chosen.arms.end()), expected) << arms << " " << k;
      ASSERT_EQ(chosen.tied, expected_tied);
    }
    // One by one, backwards, over what was there before.
    for (Arm arm = arms; arm-- > 0;) oracle->set_score(arm, 0.5);
    oracle->choose(t, dice(run));
    for (Arm arm = arms; arm-- > 0;) oracle->set_score(arm, scores[at(arm)]);
    const ChosenSet again = oracle->choose(t, dice(run));
    ASSERT_EQ(Action(again.arms.begin(), again.arms.end()), expected);
    ASSERT_EQ(again.tied, expected_tied);
    ++(expected_tied ? tied : alone);
  }
  EXPECT_GT(tied, 500);
  EXPECT_GT(alone, 500);
}

TEST(TopK, SaysRightlyThatValuesAddUp) {
  const TopK set(5, 3);
  ASSERT_TRUE(set.values_add_up());
  const std::vector<double> means{0.1, 0.7, 1, 0, 1.0 / 3};
  for (const Action& action : set.all(100)) {
    std::int64_t sum = 0;
    for (const Arm arm : action) sum += set.value({&arm, 1}, means);
    EXPECT_EQ(set.value(action, means), sum);
  }
}

TEST(TopK, ChoosesAlikeHoweverTheScoresGotThere) {
  for (std::uint64_t run = 0; run < 200; ++run) {
    Draw draw = instance(run);
    const int arms = between(draw, 1, 20);
    const TopK set(arms, between(draw, 1, arms));
    const auto with_a_past = set.oracle();
    for (Round t = 1; t <= 20; ++t) {
      const auto source = scores_of_kind(draw, arms, between(draw, 0, kKinds - 1));
      for (int changes = between(draw, 0, arms); changes > 0; --changes) {
        const Arm arm = between(draw, 0, arms - 1);
        with_a_past->set_score(arm, source[at(arm)]);
      }
      const auto fresh = set.oracle();
      fresh->set_scores(with_a_past->scores());
      const ChosenSet a = with_a_past->choose(t, dice(run));
      const ChosenSet b = fresh->choose(t, dice(run));
      ASSERT_EQ(Action(a.arms.begin(), a.arms.end()), Action(b.arms.begin(), b.arms.end()));
      ASSERT_EQ(a.tied, b.tied);
      ASSERT_EQ(scores_of(a.arms, with_a_past->scores()),
                largest({with_a_past->scores().begin(), with_a_past->scores().end()}, set.size()));
    }
  }
}

TEST(TopK, IsTiedExactlyWhenAnotherSetIsAsGood) {
  int tied = 0;
  int alone = 0;
  for (std::uint64_t run = 0; run < 2000; ++run) {
    Draw draw = instance(run);
    const int arms = between(draw, 1, 8);
    const TopK set(arms, between(draw, 1, arms));
    std::vector<double> scores;
    for (int i = 0; i < arms; ++i) {
      const int step = between(draw, -1, 3);
      scores.push_back(step == 3 ? kInfinity : 0.25 * step);
    }
    const auto oracle = set.oracle();
    oracle->set_scores(scores);
    const ChosenSet choice = oracle->choose(static_cast<Round>(run + 1), dice());
    const auto best = best_sets(scores, set.size());
    ASSERT_TRUE(best.contains(sorted(choice.arms))) << "instance " << run;
    ASSERT_EQ(choice.tied, best.size() > 1) << "instance " << run;
    ++(choice.tied ? tied : alone);
  }
  EXPECT_GT(tied, 500);
  EXPECT_GT(alone, 500);
}

TEST(TopK, DrawsUniformlyAmongTheBestSets) {
  struct Case {
    std::vector<double> scores;
    int k;
  };
  // A tie across the last place only, infinities that do not all fit, everything alike, two ties of
  // which the first fits, negative scores.
  const std::vector<Case> cases{{{2, 1, 0, 1, 1, 0, 1}, 3},
                                {{kInfinity, 1, kInfinity, kInfinity, 0, kInfinity, kInfinity}, 2},
                                {{0.25, 0.25, 0.25, 0.25, 0.25, 0.25}, 3},
                                {{3, 1, 3, 1, 1, 3, 0}, 5},
                                {{-1, -2, -2, -3, -2}, 2}};
  for (const Case& c : cases) {
    const TopK set(static_cast<int>(c.scores.size()), c.k);
    const auto best = best_sets(c.scores, c.k);
    const auto counts = choices_over_rounds(set, c.scores, 20000);
    ASSERT_EQ(counts.size(), best.size());
    std::vector<std::int64_t> observed;
    for (const auto& [action, count] : counts) {
      ASSERT_TRUE(best.contains(action));
      observed.push_back(count);
    }
    const std::vector<double> alike(best.size(), 1.0 / static_cast<double>(best.size()));
    EXPECT_LT(tacit::testing::chi_square(observed, alike),
              tacit::testing::chi_square_critical(best.size(), kError / 5));
  }
}

TEST(TopK, AnArmGetsInByOvertakingOneOfItsGuardsAndNotBefore) {
  for (std::uint64_t run = 0; run < 500; ++run) {
    Draw draw = instance(run);
    const int arms = between(draw, 2, 12);
    const TopK set(arms, between(draw, 1, arms - 1));
    const auto scores = random_means(draw, arms);
    const auto oracle = set.oracle();
    ASSERT_EQ(oracle->skipping(), Skipping::kByOrder);
    oracle->set_scores(scores);
    const Action before = sorted(oracle->choose(1, dice()).arms);
    for (Arm outside = 0; outside < arms; ++outside) {
      if (std::binary_search(before.begin(), before.end(), outside)) continue;
      const Action guards = sorted(oracle->guards(outside));
      const double lowest = scores_of(guards, scores).back();
      oracle->set_score(outside, lowest - 1e-9);
      EXPECT_EQ(sorted(oracle->choose(1, dice()).arms), before);
      oracle->set_score(outside, lowest + 1e-9);
      const Action after = sorted(oracle->choose(1, dice()).arms);
      EXPECT_TRUE(std::binary_search(after.begin(), after.end(), outside));
      oracle->set_score(outside, scores[at(outside)]);
      ASSERT_EQ(sorted(oracle->choose(1, dice()).arms), before);
    }
  }
}

TEST(TopK, OneNewScoreExchangesAtMostOneOfTenThousandArms) {
  constexpr int kArms = 10000;
  constexpr int kSize = 100;
  const TopK set(kArms, kSize);
  Draw draw = instance(0);
  const auto oracle = set.oracle();
  oracle->set_scores(random_means(draw, kArms));
  Action before = sorted(oracle->choose(1, dice()).arms);
  int exchanged = 0;
  for (Round t = 1; t <= 500; ++t) {
    // Every other time one of the chosen: a score drawn anew almost surely puts it out.
    const Arm arm =
        t % 2 == 0 ? before[at(between(draw, 0, kSize - 1))] : between(draw, 0, kArms - 1);
    oracle->set_score(arm, random::uniform_open(draw));
    const Action after = sorted(oracle->choose(t, dice()).arms);
    Action left;
    std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                        std::back_inserter(left));
    ASSERT_LE(left.size(), 1U);
    exchanged += static_cast<int>(left.size());
    if (t % 20 == 0) {
      ASSERT_EQ(scores_of(after, oracle->scores()),
                largest({oracle->scores().begin(), oracle->scores().end()}, kSize));
    }
    before = after;
  }
  EXPECT_GT(exchanged, 200);
}

TEST(TopK, IsMeasuredAgainstTheSumOfTheLargestMeans) {
  const TopK set(5, 3);
  const std::vector<double> means{0.5, 0.125, 0.75, 0.25, 0.5};
  EXPECT_EQ(set.benchmark(means), ActionSet::units(1.75));
  EXPECT_EQ(set.value(Action{1, 3, 4}, means), ActionSet::units(0.875));
  EXPECT_EQ(set.size(), 3);
  EXPECT_EQ(set.arms(), 5);
  EXPECT_EQ(set.name(), "top:3");
}

TEST(TopK, RefusesMoreArmsThanThereAreAndNone) {
  EXPECT_THROW(TopK(5, 0), InvalidParameter);
  EXPECT_THROW(TopK(5, -1), InvalidParameter);
  EXPECT_THROW(TopK(5, 6), InvalidParameter);
  EXPECT_THROW(TopK(0, 1), InvalidParameter);
  EXPECT_EQ(chosen(TopK(3, 3), std::vector<double>{1, -1, 0}, 1), (Action{0, 1, 2}));
  EXPECT_EQ(chosen(TopK(1, 1), std::vector<double>{-1}, 1), (Action{0}));
}

}  // namespace
}  // namespace tacit::actions::testing
