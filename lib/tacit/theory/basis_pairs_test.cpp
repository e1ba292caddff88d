#include "tacit/theory/basis_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tacit/actions/small_matroids_test.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::theory {
namespace {

using namespace actions::testing;
using actions::at;

/// The arms of the best basis for these scores, the largest first.
Arms greedy(const Instance& instance, const std::vector<double>& scores) {
  Arms order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Arm a, Arm b) { return scores[at(a)] > scores[at(b)]; });
  Arms chosen;
  for (const Arm arm : order) {
    chosen.push_back(arm);
    if (!instance.independent(sorted(chosen))) chosen.pop_back();
  }
  return chosen;
}

double sum_of(const Arms& arms, const std::vector<double>& means) {
  double sum = 0;
  for (const Arm arm : arms) sum += means[at(arm)];
  return sum;
}

/// Multiples of 1/64 in [0, 1], so that sums are exact; many of them equal.
std::vector<double> random_means(std::mt19937& random, int arms) {
  std::vector<double> means;
  for (int i = 0; i < arms; ++i) means.push_back(pick(random, 0, 64) / 64.0);
  return means;
}

/// What holds for both kinds of pairs: a permutation, arms of both with themselves, available to greedy.
void check_pairs(const Instance& instance, const Arms& played, const Arms& best, const Arms& pairs,
                 const std::vector<double>& indices, const std::vector<double>& means) {
  ASSERT_EQ(sorted(pairs), sorted(best)) << "Corollary 13";
  double regret = 0;
  double positive = 0;
  Arms before;
  for (std::size_t k = 0; k < played.size(); ++k) {
    if ((mask_of(best) & bit(played[k])) != 0) {
      ASSERT_EQ(pairs[k], played[k]);
    }
    Arms with = before;
    with.push_back(pairs[k]);
    ASSERT_TRUE(instance.independent(sorted(with))) << "greedy could not have taken it";
    ASSERT_GE(indices[at(played[k])], indices[at(pairs[k])]);
    const double gap = means[at(pairs[k])] - means[at(played[k])];
    regret += gap;
    positive += std::max(0.0, gap);
    before.push_back(played[k]);
  }
  // (4.7)
  ASSERT_EQ(regret, sum_of(best, means) - sum_of(played, means));
  ASSERT_LE(regret, positive);
}

/// How many pairs cannot be exchanged alone, which Lemma 22 says of none.
int not_exchangeable(const Instance& instance, const Arms& played, const Arms& pairs) {
  int count = 0;
  for (std::size_t k = 0; k < played.size(); ++k) {
    const Mask with = (mask_of(played) & ~bit(played[k])) | bit(pairs[k]);
    const bool basis =
        std::popcount(with) == std::ssize(played) && instance.independent(arms_of(with));
    count += basis ? 0 : 1;
  }
  return count;
}

/// A matroid, and the bases that are best for means and for the indices that somebody plays by.
struct Drawn {
  Instance instance;
  std::vector<double> means = {}, indices = {};
  Arms best = {}, played = {};
};

Drawn drawn_by(const SmallMatroid& kind, std::mt19937& random) {
  Drawn drawn{.instance = kind.make(random)};
  const int arms = drawn.instance.matroid->arms();
  drawn.means = random_means(random, arms);
  drawn.indices = random_means(random, arms);
  drawn.best = greedy(drawn.instance, drawn.means);
  drawn.played = greedy(drawn.instance, drawn.indices);
  return drawn;
}

class EveryPairOfBases : public ::testing::TestWithParam<SmallMatroid> {};

TEST_P(EveryPairOfBases, IsPairedAsTheThesisSays) {
  std::mt19937 random(13);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const auto [instance, means, indices, best, played] = drawn_by(GetParam(), random);
    const Arms pairs = paired_arms(*instance.matroid, played, best);
    check_pairs(instance, played, best, pairs, indices, means);
    if (HasFatalFailure()) return;
    // Claim 12, and that it is the least i.
    for (std::size_t k = played.size(); k-- > 0;) {
      Arms b(played.begin(), played.begin() + static_cast<std::ptrdiff_t>(k));
      b.insert(b.end(), pairs.begin() + static_cast<std::ptrdiff_t>(k) + 1, pairs.end());
      for (const Arm better : best) {
        if ((mask_of(b) & bit(better)) != 0) continue;
        Arms with = b;
        with.push_back(better);
        const bool fits = instance.independent(sorted(with));
        if (better == pairs[k]) {
          ASSERT_TRUE(fits);
          ASSERT_EQ(std::popcount(mask_of(with)), std::ssize(best));
          break;
        }
        if ((mask_of(best) & bit(played[k])) == 0) {
          ASSERT_FALSE(fits) << "not the least";
        }
      }
    }
  }
}

TEST_P(EveryPairOfBases, CanBePairedAsLemma22Says) {
  std::mt19937 random(14);
  int wrong = 0;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const auto [instance, means, indices, best, played] = drawn_by(GetParam(), random);
    const Arms pairs = exchanges(*instance.matroid, played, best);
    check_pairs(instance, played, best, pairs, indices, means);
    if (HasFatalFailure()) return;
    ASSERT_EQ(not_exchangeable(instance, played, pairs), 0);
    wrong += not_exchangeable(instance, played, paired_arms(*instance.matroid, played, best));
  }
  // Where every arm of one block can replace every other, both are right.
  const std::string name = GetParam().name;
  if (name == "Uniform" || name == "Partition") {
    EXPECT_EQ(wrong, 0);
  } else {
    EXPECT_GT(wrong, 0) << "the pairs of the thesis do not have Lemma 22";
  }
}

INSTANTIATE_TEST_SUITE_P(Matroids, EveryPairOfBases, ::testing::ValuesIn(kSmallMatroids),
                         [](const auto& kind) { return std::string(kind.param.name); });

TEST(BasisPairs, Lemma22FailsInThePlane) {
  const Instance plane = linear_of({{1, 0}, {0, 1}, {1, 1}, {0, 2}});
  const Arms played{0, 1};
  const Arms best{2, 3};
  EXPECT_EQ(paired_arms(*plane.matroid, played, best), (Arms{3, 2}));
  EXPECT_EQ(not_exchangeable(plane, played, {3, 2}), 1);
  EXPECT_EQ(exchanges(*plane.matroid, played, best), (Arms{2, 3}));
}

TEST(BasisPairs, RefuseWhatIsNoBasis) {
  const Instance plane = linear_of({{1, 0}, {0, 1}, {1, 1}, {0, 2}});
  const auto& matroid = *plane.matroid;
  for (const Arms& bad : {Arms{}, {0}, {1, 3}, {0, 0}, {0, 4}, {0, -1}, {0, 1, 2}}) {
    EXPECT_THROW(paired_arms(matroid, bad, Arms{0, 1}), InvalidParameter);
    EXPECT_THROW(exchanges(matroid, Arms{0, 1}, bad), InvalidParameter);
  }
}

}  // namespace
}  // namespace tacit::theory
