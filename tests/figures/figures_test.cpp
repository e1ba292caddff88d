// Regret of a plain reading of each paper on the first setting of Hu et al. (arXiv:2102.07929), section 6 (means .75,
// .625, .5, .375, .25), at epsilon .25, .5 and 1. The figures were computed by independent
// round-by-round programs of a few hundred to a few thousand runs, so they carry an error of one to
// three per cent themselves.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>

#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

constexpr std::array<double, 3> kEpsilons{0.25, 0.5, 1};

Summary play(const std::string& policy, double epsilon, Round horizon, std::int64_t runs) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>{0.75, 0.625, 0.5, 0.375, 0.25}, problems::Rewards::kBernoulli);
  r.horizon = horizon;
  r.runs = runs;
  r.threads = 2;
  r.checkpoints = {horizon};
  return simulate(r);
}

struct Figure {
  const char* policy;
  Round horizon;
  std::int64_t runs;
  std::array<double, 3> regret;
};

void PrintTo(const Figure& figure, std::ostream* out) { *out << figure.policy; }

class Figures : public ::testing::TestWithParam<Figure> {};

TEST_P(Figures, AgreeWithAPlainReading) {
  const Figure& f = GetParam();
  for (std::size_t i = 0; i < kEpsilons.size(); ++i) {
    const Summary s = play(f.policy, kEpsilons[i], f.horizon, f.runs);
    const double mean = s.curve.back().mean();
    const double error = s.curve.back().standard_error();
    EXPECT_NEAR(mean, f.regret[i], 0.04 * f.regret[i] + 4 * error) << kEpsilons[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    FirstSetting, Figures,
    ::testing::Values(Figure{"anytime-lazy-ucb", 1000000, 5000, {4530, 3283, 2527}},
                      Figure{"lazy-dp-ts", 1000000, 400, {2230, 1217, 749}},
                      Figure{"adap-klucb", 1000000, 5000, {3505, 2102, 1546}},
                      Figure{"adap-ucb", 1000000, 5000, {3674, 2339, 1655}},
                      Figure{"dp-klucb", 1000000, 5000, {363, 213, 154}},
                      Figure{"dp-se", 1000000, 5000, {3953, 3953, 3838}},
                      Figure{"rnm-ftnl-as-published", 10000, 20000, {22.0, 13.3, 9.3}},
                      Figure{"rnm-ftnl", 10000, 20000, {40.8, 22.0, 13.3}},
                      Figure{"pf-ftnl", 10000, 20000, {33.1, 18.3, 11.4}}),
    [](const auto& figure) {
      std::string name = figure.param.policy;
      for (char& c : name) {
        if (c == '-') c = '_';
      }
      return name;
    });

TEST(OurPolicies, MgfImedKeepsItsRegretAndNeverGetsStuck) {
  constexpr std::array<double, 3> kLimits{320, 190, 132};
  for (std::size_t i = 0; i < kEpsilons.size(); ++i) {
    const Summary s = play("mgf-imed", kEpsilons[i], 1000000, 4000);
    EXPECT_LE(s.curve.back().mean(), kLimits[i]) << kEpsilons[i];
    EXPECT_LE(s.final_regrets.back(), 4 * sorted_quantile(s.final_regrets, 0.5)) << kEpsilons[i];
  }
}

TEST(OurPolicies, PermuteAndFlipBeatsLaplaceAtTheSameGuarantee) {
  for (const double epsilon : kEpsilons) {
    const Summary laplace = play("rnm-ftnl", epsilon, 10000, 20000);
    const Summary flip = play("pf-ftnl", epsilon, 10000, 20000);
    EXPECT_EQ(laplace.guarantee.epsilon, flip.guarantee.epsilon);
    EXPECT_LT(flip.curve.back().mean(), 0.95 * laplace.curve.back().mean()) << epsilon;
  }
}

}  // namespace
}  // namespace tacit::simulation
