#include "tacit/actions/matroid_partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/actions/small_matroids_test.hpp"
#include "tacit/actions/top_k.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

int rank_of(const Answers& answers, Mask arms) {
  int rank = 0;
  for (Mask some = arms;; some = (some - 1) & arms) {
    if (answers.independent(some)) rank = std::max(rank, std::popcount(some));
    if (some == 0) return rank;
  }
}

/// Edmonds' formula over all sets of these arms, none of which is a loop.
int by_formula(const Answers& answers, Mask arms) {
  int most = 0;
  for (Mask some = arms; some != 0; some = (some - 1) & arms) {
    const int rank = rank_of(answers, some);
    most = std::max(most, (std::popcount(some) + rank - 1) / rank);
  }
  return most;
}

/// By trying every way to take one independent set after the other.
int by_brute_force(const Answers& answers, Mask arms) {
  if (arms == 0) return 0;
  const Mask first = arms & (~arms + 1);  // it is in some set, say in the next
  int fewest = std::popcount(arms);
  for (Mask some = arms; some != 0; some = (some - 1) & arms) {
    if ((some & first) == 0 || !answers.independent(some)) continue;
    fewest = std::min(fewest, 1 + by_brute_force(answers, arms & ~some));
  }
  return fewest;
}

Mask without_loops(const Answers& answers, Mask arms) {
  Mask kept = 0;
  for (const Arm arm : arms_of(arms)) {
    if (answers.independent(bit(arm))) kept |= bit(arm);
  }
  return kept;
}

class EveryPartition : public ::testing::TestWithParam<SmallMatroid> {};

TEST_P(EveryPartition, HasTheFewestSetsByEdmondsAndByBruteForce) {
  std::mt19937 random(11);
  int beyond_the_whole = 0;  // where the set of all arms is not what is tight
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Instance instance = GetParam().make(random);
    const Answers answers(instance);
    const Mask all = bit(instance.matroid->arms()) - 1;
    for (const Mask given : {all, all & static_cast<Mask>(random()), Mask{0}}) {
      Arms arms = arms_of(given);
      std::shuffle(arms.begin(), arms.end(), random);
      const Mask expected = without_loops(answers, given);
      const Partition found = fewest_independent_sets(*instance.matroid, arms);

      Mask covered = 0;
      for (const Arms& set : found.sets) {
        ASSERT_FALSE(set.empty());
        ASSERT_TRUE(answers.independent(mask_of(set)));
        ASSERT_EQ(covered & mask_of(set), 0U) << "an arm is in two sets";
        covered |= mask_of(set);
      }
      ASSERT_EQ(covered, expected);
      ASSERT_EQ(found.sets.count(), by_formula(answers, expected));
      ASSERT_EQ(found.sets.count(), by_brute_force(answers, expected));

      const Mask tight = mask_of(found.tightest);
      ASSERT_EQ(tight & ~expected, 0U);
      if (expected == 0) continue;
      const int rank = rank_of(answers, tight);
      ASSERT_EQ((std::popcount(tight) + rank - 1) / rank, found.sets.count());
      beyond_the_whole += tight == expected ? 0 : 1;
    }
  }
  if (GetParam().name != std::string("Uniform")) {
    EXPECT_GT(beyond_the_whole, 0);
  }
}

TEST_P(EveryPartition, IsPlayedInAsManyRoundsWhoeverIsEligible) {
  std::mt19937 random(12);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const Instance instance = GetParam().make(random);
    const Answers answers(instance);
    if (answers.rank() == 0) continue;
    const MatroidBases bases(instance.matroid, "m");
    const Mask all = bit(bases.arms()) - 1;
    const Mask some = all & static_cast<Mask>(random() | random());
    for (const Mask eligible : {all, some}) {
      if (rank_of(answers, eligible) < answers.rank()) continue;  // no basis of these alone
      const auto oracle = bases.oracle_for(Start::kEdmonds);
      auto scores = random_scores(random, bases.arms());
      Mask unobserved = without_loops(answers, eligible & static_cast<Mask>(random() | random()));
      const int fewest = by_formula(answers, unobserved);
      int rounds = 0;
      for (; unobserved != 0; ++rounds) {
        for (Arm arm = 0; arm < bases.arms(); ++arm) {
          double& score = scores[at(arm)];
          const bool loop = !answers.independent(bit(arm));
          if ((eligible & bit(arm)) == 0) {
            score = -kInfinity;
          } else if ((unobserved & bit(arm)) != 0 || loop) {
            score = kInfinity;
          } else if (score == kInfinity) {
            score = 0;
          }
        }
        oracle->set_scores(scores);
        const Mask chosen = mask_of(oracle->choose(1 + rounds, dice(at(i))).arms);
        ASSERT_TRUE(answers.basis(chosen));
        ASSERT_EQ(chosen & ~eligible, 0U);
        // It stays one of the best sets for the scores.
        ASSERT_EQ(std::popcount(chosen & unobserved), rank_of(answers, unobserved));
        unobserved &= ~chosen;
      }
      ASSERT_EQ(rounds, fewest);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Matroids, EveryPartition, ::testing::ValuesIn(kSmallMatroids),
                         [](const auto& kind) { return std::string(kind.param.name); });

std::vector<Edge> complete_graph(int nodes) {
  std::vector<Edge> edges;
  for (int from = 0; from < nodes; ++from) {
    for (int to = from + 1; to < nodes; ++to) edges.push_back({from, to});
  }
  return edges;
}

/// Rounds until every arm was played, each time the best set where the others are 0.
int rounds_until_all_were_played(const ActionSet& actions, Start start, std::uint64_t run) {
  const auto oracle = actions.oracle_for(start);
  std::vector<double> scores(at(actions.arms()), kInfinity);
  int rounds = 0;
  while (std::count(scores.begin(), scores.end(), kInfinity) > 0) {
    oracle->set_scores(scores);
    for (const Arm arm : oracle->choose(++rounds, dice(run)).arms) scores[at(arm)] = 0;
  }
  return rounds;
}

TEST(MatroidPartition, CompleteGraphsFallIntoHalfAsManyTreesAsNodes) {
  // Nash-Williams 1964: ceil(n/2). Without moving arms from tree to tree more are needed, nearly always.
  for (const int nodes : {2, 3, 4, 7, 8, 20, 45}) {
    const GraphicMatroid matroid(nodes, complete_graph(nodes));
    Arms arms(at(matroid.arms()));
    std::iota(arms.begin(), arms.end(), 0);
    EXPECT_EQ(fewest_independent_sets(matroid, arms).sets.count(), (nodes + 1) / 2);
  }
  const MatroidBases trees(std::make_shared<GraphicMatroid>(12, complete_graph(12)), "k12");
  int longer = 0;
  for (std::uint64_t run = 0; run < 20; ++run) {
    EXPECT_EQ(rounds_until_all_were_played(trees, Start::kEdmonds, run), 6);
    longer += rounds_until_all_were_played(trees, Start::kGreedy, run) > 6 ? 1 : 0;
  }
  EXPECT_GT(longer, 15);
}

/// Too large for a brute force: independent sets of all arms, and arms that prove that fewer do not do.
void check_by_its_proof(const Matroid& matroid) {
  Arms arms(at(matroid.arms()));
  std::iota(arms.begin(), arms.end(), 0);
  const Partition found = fewest_independent_sets(matroid, arms);
  const auto test = matroid.empty_set();
  Arms covered;
  for (const Arms& set : found.sets) {
    test->clear();
    for (const Arm arm : set) ASSERT_TRUE(test->add(arm));
    covered.insert(covered.end(), set.begin(), set.end());
  }
  ASSERT_EQ(sorted(covered), arms);
  test->clear();
  const auto rank = std::count_if(found.tightest.begin(), found.tightest.end(),
                                  [&](Arm arm) { return test->add(arm); });
  ASSERT_GT(std::ssize(found.tightest), rank * (found.sets.count() - 1));
}

TEST(MatroidPartition, LargerOnesProveThemselves) {
  std::mt19937 random(15);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const int nodes = pick(random, 3, 14);
    std::vector<Edge> edges(at(pick(random, 1, 80)));
    for (Edge& e : edges) {
      e.from = pick(random, 0, nodes - 1);
      e.to = (e.from + pick(random, 1, nodes - 1)) % nodes;
    }
    check_by_its_proof(GraphicMatroid(nodes, edges));
    Rows rows(at(pick(random, 1, 60)), std::vector<std::int64_t>(at(pick(random, 2, 7))));
    for (auto& row : rows) {
      for (auto& entry : row) entry = std::max(0, pick(random, -2, 1));
      row[at(pick(random, 0, 1))] = 1;
    }
    check_by_its_proof(LinearMatroid(rows));
    if (HasFatalFailure()) return;
  }
}

TEST(MatroidPartition, OneArmAndAThousand) {
  const UniformMatroid one(1, 1);
  EXPECT_EQ(fewest_independent_sets(one, Arms{0}).sets.count(), 1);
  EXPECT_EQ(fewest_independent_sets(one, Arms{}).sets.count(), 0);
  // Rows of three numbers, of which 500 lie in a plane and 300 of those on a line: 300 sets for the line alone.
  Rows rows;
  for (int i = 1; i <= 1000; ++i) {
    rows.push_back({i, i <= 300 ? i : i * i, i <= 500 ? 0 : i % 7 + 1});
  }
  Arms arms(1000);
  std::iota(arms.begin(), arms.end(), 0);
  EXPECT_EQ(fewest_independent_sets(LinearMatroid(rows), arms).sets.count(), 334) << "rank 3";
  rows.resize(500);
  arms.resize(500);
  std::reverse(arms.begin(), arms.end());
  const Partition in_plane = fewest_independent_sets(LinearMatroid(rows), arms);
  EXPECT_EQ(in_plane.sets.count(), 300);
  EXPECT_EQ(sorted(in_plane.tightest).back(), 299) << "the line";
}

TEST(EdmondsStart, IsKnownForMatroidsAlone) {
  const TopK any(7, 3);
  EXPECT_EQ(rounds_until_all_were_played(any, Start::kEdmonds, 0), 3);
  const auto trees =
      std::make_shared<MatroidBases>(std::make_shared<GraphicMatroid>(6, complete_graph(6)), "k6");
  EXPECT_EQ(rounds_until_all_were_played(Scaled(trees, 2), Start::kEdmonds, 0), 3);
  const auto pairs =
      std::make_shared<ExplicitList>(3, std::vector<std::vector<Arm>>{{0, 1}, {1, 2}});
  EXPECT_THROW(pairs->oracle_for(Start::kEdmonds), UnfitActions);
  EXPECT_THROW(Scaled(pairs, 2).oracle_for(Start::kEdmonds), UnfitActions);
  EXPECT_EQ(rounds_until_all_were_played(*pairs, Start::kGreedy, 0), 2);
}

}  // namespace
}  // namespace tacit::actions
