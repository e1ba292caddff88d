// Thinning against its plain twin where every chance is known: posteriors that are above or below 1/2 with
// chances that change tenfold within a stretch, so that accepting too often, too seldom or a round too late
// shows in when and how often each arm is played.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/indices/shifted_beta.hpp"
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
  double drift(const State&, const indices::Clock&) const noexcept {
    return 1e-9;  // stretches may double t
  }
  bool is_concave(const State& s, const indices::Clock&) const noexcept { return s.arm != 0; }
  double above(const State& s, const indices::Clock& clock) const noexcept {
    const double x = static_cast<double>(clock.t) / kHorizon;
    if (s.arm == 0) return 1 - 0.01 * s.version / (1 + 20 * x * x * x);
    return std::min(0.9, 0.01 * s.version * s.arm * x * x * x);
  }
  double log_below(const State& s, const indices::Clock& c, double y) const noexcept {
    const double a = above(s, c);
    return y < 0.5 ? std::log(2 * y * (1 - a)) : std::log1p(-2 * (1 - y) * a);
  }
  void log_below(const State& s, const indices::Clock& c, std::span<const double> points,
                 std::span<double> results) const noexcept {
    for (std::size_t i = 0; i < points.size(); ++i) results[i] = log_below(s, c, points[i]);
  }
  double rough_log_below(const State& s, const indices::Clock& c, double y) const noexcept {
    return log_below(s, c, y);
  }
  /// Of a half that is as likely as the interval's share of it.
  template <class G>
  double sample_between(const State& s, const indices::Clock& c, double low, double high,
                        G& g) const noexcept {
    const double a = above(s, c);
    const double lower = (std::min(high, 0.5) - std::min(low, 0.5)) * (1 - a);
    const double upper = (std::max(high, 0.5) - std::max(low, 0.5)) * a;
    const double u = random::uniform_open(g);
    return random::uniform_open(g) * (lower + upper) < lower
               ? low + u * (std::min(high, 0.5) - low)
               : std::max(low, 0.5) + u * (high - std::max(low, 0.5));
  }
  template <class G>
  double sample(const State& s, const indices::Clock& c, G& g) const noexcept {
    return sample_between(s, c, 0, 1, g);
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

// ---- the first rounds

using Lazy =
    ThinnedPosteriorLearner<estimators::PhaseBook<estimators::Forget>, indices::ShiftedBeta>;

/// Every outcome is 1/2, without noise; calls see(t, n, arm).
template <class See>
void play_from_scratch(int arms, Round horizon, std::uint64_t seed, See see) {
  Lazy learner(
      estimators::PhaseBook<estimators::Forget>(arms, estimators::PhaseSchedule::doubling()),
      indices::ShiftedBeta(0.2), Pace::kSkipping,
      random::Dice(random::SimulationKey(seed, "first rounds", "test", 0)));
  Choice choice;
  for (Round t = 1; t <= horizon;) {
    learner.choose({t}, choice);
    ASSERT_GE(choice.until, t);
    const Round n = std::min(choice.until, horizon) - t + 1;
    const Slot slot = choice.slots()[0];
    see(t, n, choice.arm());
    const Round full = learner.assign(slot, n);
    const auto value = privacy::Published::again(0.5 * static_cast<double>(full));
    if (full > 0) learner.deliver(slot, {&value, 1}, full, 1);
    t += n;
  }
}

TEST(ThinnedPosteriorLearner, PlaysEveryArmOnceFirst) {
  for (const int arms : {1, 2, 1000}) {
    for (Round horizon = 1; horizon <= 70; ++horizon) {
      std::set<Arm> seen;
      Round played = 0;
      play_from_scratch(arms, horizon, static_cast<std::uint64_t>(horizon),
                        [&](Round, Round n, Arm arm) {
                          ASSERT_TRUE(arm >= 0 && arm < arms);
                          seen.insert(arm);
                          played += n;
                        });
      EXPECT_EQ(played, horizon);
      EXPECT_EQ(static_cast<Round>(seen.size()), std::min<Round>(arms, horizon));
    }
  }
}

TEST(ThinnedPosteriorLearner, PlaysArmsThatAreAlikeAlike) {
  // From 1 to 40 of each arm's phases, in and after the rounds that are sampled plainly.
  constexpr int kAlike = 4;
  constexpr int kRuns = 4000;
  for (const Round horizon : {40, 2000}) {
    std::vector<std::int64_t> last(kAlike, 0);
    for (int run = 0; run < kRuns; ++run) {
      play_from_scratch(kAlike, horizon, static_cast<std::uint64_t>(run),
                        [&](Round t, Round n, Arm arm) {
                          if (t + n > horizon) ++last[static_cast<std::size_t>(arm)];
                        });
    }
    EXPECT_LT(testing::chi_square(last, std::vector<double>(kAlike, 1.0 / kAlike)),
              testing::chi_square_critical(kAlike, testing::kFamilyError / 2));
  }
}

}  // namespace
}  // namespace tacit::policies
