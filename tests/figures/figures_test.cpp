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
#include <vector>

#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

constexpr std::array<double, 3> kEpsilons{0.25, 0.5, 1};

Summary play_on(const std::vector<double>& means, const std::string& policy, double epsilon,
                Round horizon, std::int64_t runs) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.problem = std::make_shared<problems::IndependentArms>(means, problems::Rewards::kBernoulli);
  r.horizon = horizon;
  r.runs = runs;
  r.threads = 2;
  r.checkpoints = {horizon};
  return simulate(r);
}
Summary play(const std::string& policy, double epsilon, Round horizon, std::int64_t runs) {
  return play_on({0.75, 0.625, 0.5, 0.375, 0.25}, policy, epsilon, horizon, runs);
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

/// Against what it had when its rate was a bound on the total of all phases (10,000 runs of that program, 500 of a hundred arms).
TEST(OurPolicies, MgfImedIsNowhereWorseThanItWas) {
  struct Then {
    std::vector<double> means;
    double epsilon;
    double regret;
  };
  const auto against = [](double best, double other, int others) {
    std::vector<double> means(static_cast<std::size_t>(others) + 1, other);
    means[0] = best;
    return means;
  };
  const std::vector<Then> all = {{{0.9, 0.4}, 0.1, 209.9},
                                 {{0.6, 0.4}, 1, 41.5},
                                 {{0.5, 0.45}, 2, 84.0},
                                 {{0.5, 0.49}, 1, 260.0},
                                 {{0.5, 0.3, 0.1}, 0.1, 421.6},
                                 {against(0.5, 0.4, 4), 0.5, 284.9},
                                 {against(0.05, 0.02, 9), 1, 336.1},
                                 {against(0.99, 0.95, 9), 0.5, 401.9},
                                 {{0.98, 0.97, 0.9, 0.8, 0.5}, 4, 72.6},
                                 {{0.1, 0.05, 0.03, 0.02}, 4, 73.2},
                                 {against(0.5, 0.45, 19), 2, 1592.5},
                                 {against(0.6, 0.5, 99), 1, 5732.6},
                                 {against(0.9, 0.4, 99), 0.1, 20737.5}};
  for (const Then& then : all) {
    const std::int64_t runs = then.means.size() > 50 ? 200 : 10000;
    const Summary s = play_on(then.means, "mgf-imed", then.epsilon, 1000000, runs);
    EXPECT_LE(s.curve.back().mean(), 1.03 * then.regret) << then.means.size() << " " << then.regret;
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
