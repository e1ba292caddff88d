// Intervals that hold at any time: how often one ever misses, at every release of a run, and how wide they are.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/release_log.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/any_channel.hpp"
#include "tacit/simulation/play_late.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/simulation/watched_learner.hpp"

namespace tacit::simulation {
namespace {

constexpr double kAlpha = 0.05;

struct Played {
  const char* policy;
  double epsilon;
  Round horizon;
  std::vector<double> means;
  int set_size = 0;  // 0: one arm a round
};

std::ostream& operator<<(std::ostream& out, const Played& played) { return out << played.policy; }

class EverMissed : public ::testing::TestWithParam<Played> {};

TEST_P(EverMissed, InNoMoreRunsThanPromised) {
  const Played& played = GetParam();
  Request r;
  r.policy = played.policy;
  r.epsilon = played.epsilon;
  r.problem =
      std::make_shared<problems::IndependentArms>(played.means, problems::Rewards::kBernoulli);
  if (played.set_size > 0) {
    r.actions =
        std::make_shared<actions::TopK>(static_cast<int>(played.means.size()), played.set_size);
  }
  r.horizon = played.horizon;
  r.checkpoints = {played.horizon};
  r.runs = 100000;
  r.intervals = kAlpha;
  const Summary s = simulate(r);
  ASSERT_EQ(s.intervals->runs, r.runs);
  for (std::size_t arm = 0; arm < played.means.size(); ++arm) {
    EXPECT_LE(s.intervals->missed[arm], kAlpha) << "arm " << arm;
  }
  EXPECT_LE(s.intervals->most_differences_missed(), kAlpha);
  // Not by being empty words: it does happen.
  EXPECT_GT(s.intervals->most_missed(), kAlpha / 100);
}

INSTANTIATE_TEST_SUITE_P(Policies, EverMissed,
                         ::testing::Values(Played{"mgf-imed", 1, 10000, {0.75, 0.5, 0.25}},
                                           Played{"mgf-imed", 0.1, 100000, {0.6, 0.5}},
                                           Played{"dp-klucb", 1, 10000, {0.75, 0.5, 0.25}},
                                           Played{"anytime-lazy-ucb", 1, 10000, {0.75, 0.5, 0.25}},
                                           Played{"lazy-kl-cucb", 1, 3000, {0.7, 0.6, 0.3, 0.3}, 2},
                                           Played{"ldp-ucb-bits", 1, 200, {0.75, 0.4}}),
                         [](const auto& played) {
                           std::string name = played.param.policy;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name + "_" + std::to_string(played.index);
                         });

/// The interval of a lone arm at its first release with n or more observations, and the same without noise.
struct Widths {
  double n;
  double width;
  double without_noise;
};
Widths widths_at(const std::string& policy, double mean, double n) {
  const policies::Entry& entry = policies::find_policy(policy);
  const policies::Setting setting{.arms = 1, .epsilon = 1, .delta = {}, .horizon = 1000000};
  const problems::IndependentArms problem({mean}, problems::Rewards::kPoint);
  const random::SimulationKey key(1, policy, "width", 0);
  const Backstage behind{key, privacy::Arithmetic::kExact, nullptr};
  const curators::Plan plan = entry.plan(setting, {});
  const auto learner = entry.learner(setting, {}, random::Dice(key));
  const auto channel = any_channel(plan, 1, behind);
  auto log = policies::ReleaseLog::of(plan, entry.card.feedback, 1, 1);
  WatchedLearner watched(*learner, &*log, [] {});
  auto outcomes = key.stream(random::Purpose::kOutcomes);
  auto delays = key.stream(random::Purpose::kDelays);
  const std::vector<Round> checkpoints = {setting.horizon};
  const std::vector<double> gaps = {0};
  Recorder<PullsTimesGap> recorder(PullsTimesGap(gaps), checkpoints);
  const auto& readout = log->readout();
  play_late(watched, *channel, entry.card.feedback,
            {problem, 1, setting.horizon, outcomes, nullptr}, {}, delays, &recorder,
            [&] { return readout.of(0).n >= n; });
  const double seen = readout.of(0).n;
  const evidence::Mixture open{evidence::ReleaseLaw{}};
  return {seen, readout.interval(0, kAlpha).width(),
          open.interval({mean * seen, seen, 0}, kAlpha).width()};
}

TEST(Width, IsHardlyMoreThanWithoutNoise) {
  for (const double mean : {0.25, 0.375, 0.5, 0.625, 0.75}) {
    for (const char* policy : {"mgf-imed", "dp-klucb", "anytime-lazy-ucb"}) {
      const Widths w = widths_at(policy, mean, 1e4);
      EXPECT_LE(w.width, 1.1 * w.without_noise) << policy << " " << mean << " n " << w.n;
      EXPECT_GE(w.width, w.without_noise * (1 - 1e-9)) << policy;
    }
    const double e = std::exp(1.0);
    const Widths bits = widths_at("ldp-ucb-bits", mean, 1e4);
    EXPECT_LE(bits.width, 1.2 * (e + 1) / (e - 1) * bits.without_noise) << mean;
  }
}

}  // namespace
}  // namespace tacit::simulation
