// Thinning against its plain twin where every chance is known: posteriors that are above or below 1/2 with
// chances that change tenfold within a stretch, so that accepting too often, too seldom or a round too late
// shows in when and how often each arm is played.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/policies/thinned_posterior_learner.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::policies {
namespace {

constexpr Round kHorizon = 3000;
constexpr int kArms = 3;

/// Each arm's estimate changes once, after so many pulls; its n tells which version it is.
class OneRelease {
 public:
  int arms() const noexcept { return kArms; }
  Slot slot(Arm arm) const noexcept { return {arm, 0}; }
  const estimators::Estimate& released(Arm arm) const noexcept { return estimates_[index(arm)]; }
  Round remaining(Arm arm) const noexcept {
    const Round left = kRelease[index(arm)] - pulls_[index(arm)];
    return left > 0 ? left : kLastRound;
  }
  Round assign(Slot slot, Round n) noexcept {
    pulls_[index(slot.arm)] += n;
    return pulls_[index(slot.arm)] == kRelease[index(slot.arm)] ? kRelease[index(slot.arm)] : 0;
  }
  void deliver(Slot slot, double, int) noexcept { estimates_[index(slot.arm)].n = 2; }

 private:
  static std::size_t index(Arm arm) { return static_cast<std::size_t>(arm); }
  static constexpr Round kRelease[kArms] = {1500, 10, 4};
  Round pulls_[kArms] = {0, 0, 0};
  estimators::Estimate estimates_[kArms] = {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}};
};

/// Arm 0 leads; it falls below 1/2 ever more rarely, the others rise above it ever more often. Within its side
/// a sample is uniform.
class TwoSided {
 public:
  struct State {
    int arm = 0;
    double version = 1;
  };
  State prepare(const estimators::Estimate& e) const noexcept {
    return {static_cast<int>(e.sum), e.n};
  }
  bool observed(const State&) const noexcept { return true; }
  double mean(const State& s, const indices::Clock&) const noexcept {
    return s.arm == 0 ? 0.75 : 0.25;
  }
  double deviation(const State&, const indices::Clock&) const noexcept { return 1; }
  double drift(const State&) const noexcept { return 1e-9; }  // stretches may double t
  double above(const State& s, const indices::Clock& clock) const noexcept {
    const double x = static_cast<double>(clock.t) / kHorizon;
    if (s.arm == 0) return 1 - 0.01 * s.version / (1 + 20 * x * x * x);
    return std::min(0.9, 0.01 * s.version * s.arm * x * x * x);
  }
  double chance_below(const State& s, const indices::Clock& c, double) const noexcept {
    return 1 - above(s, c);
  }
  double chance_above(const State& s, const indices::Clock& c, double) const noexcept {
    return above(s, c);
  }
  template <class G>
  double sample_below(const State&, const indices::Clock&, double, G& g) const noexcept {
    return 0.5 * random::uniform_open(g);
  }
  template <class G>
  double sample_above(const State&, const indices::Clock&, double, G& g) const noexcept {
    return 0.5 + 0.5 * random::uniform_open(g);
  }
  template <class G>
  double sample(const State& s, const indices::Clock& c, G& g) const noexcept {
    return random::uniform_open(g) < above(s, c) ? sample_above(s, c, 0.5, g)
                                                 : sample_below(s, c, 0.5, g);
  }
};

struct Plays {
  std::vector<double> first[kArms];   // first round in which the arm was played, of every run
  std::vector<double> middle[kArms];  // pulls by half time
  std::vector<double> pulls[kArms];
  std::int64_t decisions = 0;
};

Plays play(Pace pace, std::uint64_t seed, int runs) {
  Plays plays;
  Choice choice;
  for (int run = 0; run < runs; ++run) {
    ThinnedPosteriorLearner<OneRelease, TwoSided> learner(
        OneRelease(), TwoSided(), pace,
        random::Dice(
            random::SimulationKey(seed, "thinned", "test", static_cast<std::uint64_t>(run))));
    const auto play_for = [&](Slot slot, Round n) {
      const Round full = learner.assign(slot, n);
      const privacy::Released<double> nothing = privacy::Published::again(0);
      if (full > 0) learner.deliver(slot, {&nothing, 1}, full, 1);
    };
    Round first[kArms] = {kHorizon, kHorizon, kHorizon};
    Round middle[kArms] = {0, 0, 0};
    Round pulls[kArms] = {0, 0, 0};
    // A release is what tells the learner that arms are observed.
    play_for({2, 0}, 4);
    for (Round t = 1; t <= kHorizon;) {
      learner.choose({t}, choice);
      const Round n = std::min(choice.until, kHorizon) - t + 1;
      const Arm arm = choice.arm();
      first[arm] = std::min(first[arm], t);
      pulls[arm] += n;
      middle[arm] += std::clamp<Round>(kHorizon / 2 - t + 1, 0, n);
      play_for(choice.slots()[0], n);
      t += n;
      ++plays.decisions;
    }
    for (int arm = 0; arm < kArms; ++arm) {
      plays.first[arm].push_back(static_cast<double>(first[arm]));
      plays.middle[arm].push_back(static_cast<double>(middle[arm]));
      plays.pulls[arm].push_back(static_cast<double>(pulls[arm]));
    }
  }
  return plays;
}

TEST(ThinnedPosteriorLearner, PlaysEveryArmWhenAndAsOftenAsThePlainPath) {
  constexpr int kRuns = 20000;
  const Plays fast = play(Pace::kSkipping, 1, kRuns);
  const Plays plain = play(Pace::kPlain, 2, kRuns);
  EXPECT_LT(fast.decisions, plain.decisions / 3);
  const double critical =
      testing::ks_two_sample_critical(kRuns, testing::kFamilyError / (3 * kArms));
  for (int arm = 0; arm < kArms; ++arm) {
    EXPECT_LT(testing::ks_distance(fast.first[arm], plain.first[arm]), critical) << arm;
    EXPECT_LT(testing::ks_distance(fast.middle[arm], plain.middle[arm]), critical) << arm;
    EXPECT_LT(testing::ks_distance(fast.pulls[arm], plain.pulls[arm]), critical) << arm;
  }
}

}  // namespace
}  // namespace tacit::policies
