// The constants of every index recipe on sets, as their papers print them: after some observations, the
// index of the learner that a recipe makes against a formula written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/evidence/rate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/laplace_sum.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/played_test.hpp"
#include "tacit/policies/recipes/as_published/cucb_dp.hpp"
#include "tacit/policies/recipes/as_published/cucb_ldp_gaussian.hpp"
#include "tacit/policies/recipes/combinatorial_baselines.hpp"
#include "tacit/policies/recipes/cucb_dp.hpp"
#include "tacit/policies/recipes/cucb_ldp.hpp"
#include "tacit/policies/recipes/cucb_ldp_gaussian.hpp"
#include "tacit/policies/recipes/lazy_kl_sets.hpp"
#include "tacit/policies/recipes/matroid_lazy.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::policies {
namespace {

constexpr double kEpsilon = 0.7;
constexpr int kArms = 6;
constexpr int kSize = 3;
constexpr Round kHorizon = 5000;
constexpr Round kRound = 400;

Setting setting(double epsilon = kEpsilon) {
  return {.arms = kArms,
          .epsilon = epsilon,
          .delta = 1e-4,
          .horizon = kHorizon,
          .pace = Pace::kSkipping,
          .actions = std::make_shared<actions::TopK>(kArms, kSize)};
}

random::SimulationKey key() { return {1, "recipes", "test", 0}; }

template <class Recipe>
Seen observed(int n, const typename Recipe::Parameters& parameters = {},
              double epsilon = kEpsilon) {
  return observed<Recipe>(n, setting(epsilon), parameters, key());
}

const double kLogT = std::log(double(kHorizon));
const double kLog = std::log(double(kRound));

TEST(SetRecipes, BaselinesHaveThePublishedIndices) {
  const auto cucb = observed<recipes::Cucb>(100);
  EXPECT_NEAR(cucb.index(0, kRound), 0.5 + std::sqrt(1.5 * kLog / 100), 1e-12);
  EXPECT_EQ(observed<recipes::Cucb>(2).index(0, kRound), 1);
  const auto omm = observed<recipes::Omm>(100);
  EXPECT_NEAR(omm.index(0, kRound), 0.5 + std::sqrt(2 * kLog / 100), 1e-12);
  const double q = observed<recipes::KlOsm>(100).index(0, kRound);
  EXPECT_NEAR(100 * indices::kl(0.5, q), kLog + 3 * std::log(kLog), 1e-6);
  EXPECT_TRUE(std::isinf(cucb.index(1, kRound))) << "not observed";
}

TEST(SetRecipes, LocalReportsHaveTheirRadii) {
  constexpr int kN = 4000;
  const double root = 2 * std::sqrt(2 * kLogT / kN);
  const auto check = [&](const auto& policy, double radius) {
    const auto e = policy.estimate(0);
    EXPECT_EQ(e.n, kN);
    ASSERT_LT(e.mean() + radius, 1) << "clipped: the test says nothing";
    EXPECT_NEAR(policy.index(0, kRound), e.mean() + radius, 1e-12);
  };
  check(observed<recipes::CucbLdp2>(kN), root * (1 + 1 / kEpsilon));
  check(observed<recipes::CucbLdp2>(kN, {.as_published = true}),
        4 * std::sqrt(2 * kLogT / (kEpsilon * kEpsilon * kN)));
  constexpr int kMore = 60000;
  const auto published = observed<recipes::CucbLdp1>(kMore, {.as_published = true});
  EXPECT_NEAR(published.index(0, kRound) - published.estimate(0).mean(),
              4 * std::sqrt(2 * kSize * kLogT / (kEpsilon * kEpsilon * kMore)), 1e-12);
  const auto sound = observed<recipes::CucbLdp1>(kMore);
  EXPECT_NEAR(sound.index(0, kRound) - sound.estimate(0).mean(),
              2 * std::sqrt(2 * kLogT / kMore) * (1 + kSize / kEpsilon), 1e-12);
  const double sigma = privacy::gaussian_sigma(kEpsilon, 1e-4, std::sqrt(double(kSize)));
  const auto gaussian = observed<recipes::CucbLdpGaussian>(100);
  EXPECT_NEAR(gaussian.index(0, kRound) - gaussian.estimate(0).mean(),
              std::sqrt(1.5 * kLog / 100) + 2 * sigma * std::sqrt(kLog / 100), 1e-12);
}

TEST(SetRecipes, TheLeakingGaussianCountsRoundsFromItsRawStart) {
  auto learner = recipes::CucbLdpGaussianAsPublished::learner(setting(), {}, random::Dice(key()));
  auto raw = simulation::channel(recipes::CucbLdpGaussianAsPublished::plan(setting(), {}), kArms,
                                 backstage(key()));
  for (Arm arm = 0; arm < kArms; ++arm) {
    learner.start(arm, raw.open(arm, privacy::Secret<Outcome>(Outcome::bit(arm == 1))));
  }
  const double sigma = std::sqrt(2 * kSize * std::log(1.25 / 1e-4)) / kEpsilon;
  const double log_first = std::log(1.0 + kArms);
  const double radius = (std::sqrt(1.5) + 2 * sigma) * std::sqrt(log_first);
  EXPECT_NEAR(learner.index(0, 1), radius, 1e-12);
  EXPECT_NEAR(learner.index(1, 1), 1 + radius, 1e-12);
}

TEST(SetRecipes, TreesHaveTheirRadii) {
  constexpr int kN = 4999;
  const auto check = [&](const auto& policy, double share, int levels, int terms) {
    const auto e = policy.estimate(0);
    EXPECT_EQ(e.noises, terms);
    const double level = std::log(2) + 2 * kLogT;
    const double scale = share * levels / kEpsilon;
    EXPECT_NEAR(policy.index(0, kRound),
                std::min(1.0, e.mean() + std::sqrt(level / (2 * kN)) +
                                  scale * indices::LaplaceSum(terms).upper_quantile(level) / kN),
                1e-12);
    EXPECT_LT(policy.index(0, kRound), 1);
  };
  // In base 16: 1 3 8 7, and 16^3 <= 5000 < 16^4.
  recipes::CucbDpParameters wide;
  wide.counter = privacy::Counter::kTree;
  wide.arity = 16;
  check(observed<recipes::CucbDp>(kN, wide), kSize, 4, 19);
  check(observed<recipes::CucbDpWeakest>(kN, wide), 1, 4, 19);
  // Signed, in base 23, the best for 5000: 9 10 8, and (23^3 - 1)/2 >= 5000.
  const privacy::CounterNoise best(privacy::Counter::kSigned, kHorizon);
  EXPECT_EQ(best.arity(), 23);
  check(observed<recipes::CucbDp>(kN), kSize, 3, 27);
  check(observed<recipes::CucbDpWeakest>(kN), 1, 3, 27);
  EXPECT_EQ(observed<recipes::CucbDpAsPublished>(4000).index(0, kRound), 1) << "radius above 1";
  const auto printed = observed<recipes::CucbDpAsPublished>(4000, {}, 100);
  EXPECT_NEAR(printed.index(0, kRound) - printed.estimate(0).mean(),
              std::sqrt(4 * std::log(kArms * double(kHorizon)) / 4000) +
                  12 * kSize * std::pow(kLogT, 3) / (100 * 4000.0),
              1e-12);
}

TEST(SetRecipes, LazyPoliciesHaveTheirIndices) {
  const auto thesis = observed<recipes::DpUcbMat>(127);  // epochs 1, 2, ..., 64: the last counts
  const auto e = thesis.estimate(0);
  EXPECT_EQ(e.n, 64);
  const double log_kt = std::log(double(kSize * kRound));
  EXPECT_NEAR(thesis.index(0, kRound),
              e.mean() + std::sqrt(3 * log_kt / 64) + 3 * kSize * log_kt / (kEpsilon * 64), 1e-12);
  for (const Record record : {Record::kWeakest, Record::kAll}) {
    recipes::LazyKlParameters parameters;
    parameters.record = record;
    const double scale = (record == Record::kWeakest ? 1 : kSize) / kEpsilon;
    const int first = static_cast<int>(std::ceil(8 * scale));
    EXPECT_EQ(observed<recipes::LazyKlCucb>(first - 1, parameters).estimate(0).n, 0);
    const auto ours = observed<recipes::LazyKlCucb>(first, parameters);
    EXPECT_EQ(ours.estimate(0).n, first);
    EXPECT_NEAR(ours.index(0, kRound),
                evidence::upper_mean(ours.estimate(0).sum, first, 1, scale, kLog).value, 1e-12);
    parameters.level = indices::Level::kJustified;
    const auto justified = observed<recipes::LazyKlCucb>(first, parameters);
    EXPECT_NEAR(justified.index(0, kRound),
                evidence::upper_mean(ours.estimate(0).sum, first, 1, scale,
                                     kLog + std::log(1 + kLog / std::log(1.5)))
                    .value,
                1e-12);
  }
}

TEST(SetRecipes, TheThesisSamplerRaisesItsMeanForTheNoise) {
  const indices::BoostedGaussianPosterior posterior(3 * kSize / kEpsilon, kSize);
  const auto state = posterior.prepare({20, 50, 1});
  auto draws =
      random::SimulationKey(2, "recipes", "sampler", 0).stream(random::Purpose::kDecisions);
  constexpr int kDraws = 40000;
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) sum += posterior.sample(state, posterior.clock(kRound), draws);
  const double expected = 0.4 + 3 * kSize * std::log(double(kSize * kRound)) / (kEpsilon * 50);
  EXPECT_NEAR(sum / kDraws, expected, 5.5 / std::sqrt(50.0 * kDraws));
}

}  // namespace
}  // namespace tacit::policies
