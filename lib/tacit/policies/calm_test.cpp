// What is played in calm stretches against exact probabilities: posteriors that stand, wander or drift as the test
// wants, so that the chance of every action is an integral. Broken twins show that the counts are many enough.
#include "tacit/policies/calm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/state.hpp"
#include "tacit/estimators/report_book.hpp"
#include "tacit/indices/posterior.hpp"
#include "tacit/policies/posterior_learner.hpp"
#include "tacit/privacy/published.hpp"

namespace tacit::policies {
namespace {

using estimators::Estimate;
using indices::BetaPosterior;
using indices::BoostedGaussianPosterior;
using indices::Clock;
using indices::GaussianPosterior;

constexpr double kAlpha = testing::kFamilyError / 200;

/// Estimates that stand until the test moves one: a report is added to the sum, and n stays.
class Moved {
 public:
  using Memory = Estimate;
  static constexpr bool kChangesEveryRound = true;
  explicit Moved(std::vector<Estimate> estimates) : estimates_(std::move(estimates)) {}
  int arms() const noexcept { return static_cast<int>(estimates_.size()); }
  Slot slot(Arm arm) const noexcept { return {arm, 0}; }
  const Estimate& released(Arm arm) const noexcept {
    return estimates_[static_cast<std::size_t>(arm)];
  }
  Round under_way(Arm) const noexcept { return 0; }
  void add(Arm arm, double report) noexcept {
    estimates_[static_cast<std::size_t>(arm)].sum += report;
  }

 private:
  std::vector<Estimate> estimates_;
};

/// The same on a lazy book: nothing is ever released.
class Lazy : public Moved {
 public:
  static constexpr bool kChangesEveryRound = false;
  using Moved::Moved;
  static Round remaining(Arm) noexcept { return kLastRound; }
};

/// Counts the samples that are drawn.
template <class Posterior>
class Counted : public Posterior {
 public:
  using Posterior::Posterior;
  using State = typename Posterior::State;
  static inline std::int64_t drawn = 0;
  template <class G>
  double sample(const State& s, const Clock& c, G& g) const noexcept {
    ++drawn;
    return Posterior::sample(s, c, g);
  }
  template <class G>
  double sample_below(const State& s, const Clock& c, double y, G& g) const noexcept {
    ++drawn;
    return Posterior::sample_below(s, c, y, g);
  }
  template <class G>
  double sample_above(const State& s, const Clock& c, double y, G& g) const noexcept {
    ++drawn;
    return Posterior::sample_above(s, c, y, g);
  }
};

// ---- exact probabilities

/// P(sample < x) of every arm, at the ends and in the middle of so many cells.
class Laws {
 public:
  static constexpr int kCells = 20000;

  template <class Posterior>
  Laws(const Posterior& posterior, const std::vector<Estimate>& estimates, double low, double high,
       Round t = 1) {
    const Clock clock = indices::clock_of(posterior, t);
    for (const Estimate& e : estimates) {
      const auto state = posterior.prepare(e);
      below_.emplace_back();
      for (int k = 0; k <= 2 * kCells; ++k) {
        below_.back().push_back(
            posterior.chance_below(state, clock, low + (high - low) * k / (2 * kCells)));
      }
    }
  }

  /// The chance that all of the ones are above all of the others: by the place of the largest of these.
  double above(const std::vector<Arm>& ones, const std::vector<Arm>& others) const {
    const auto product = [this](const std::vector<Arm>& arms, int k, bool survive) {
      double all = 1;
      for (const Arm arm : arms) {
        const double p = below_[static_cast<std::size_t>(arm)][static_cast<std::size_t>(k)];
        all *= survive ? 1 - p : p;
      }
      return all;
    };
    double total = 0;
    for (int k = 0; k < kCells; ++k) {
      total += (product(others, 2 * k + 2, false) - product(others, 2 * k, false)) *
               product(ones, 2 * k + 1, true);
    }
    return total;
  }

  /// Of every arm, to be the largest.
  std::vector<double> of_being_largest() const {
    std::vector<double> chances;
    const auto arms = static_cast<Arm>(below_.size());
    for (Arm arm = 0; arm < arms; ++arm) {
      std::vector<Arm> others;
      for (Arm other = 0; other < arms; ++other) {
        if (other != arm) others.push_back(other);
      }
      chances.push_back(above({arm}, others));
    }
    return chances;
  }

 private:
  std::vector<std::vector<double>> below_;
};

random::Dice dice(std::uint64_t number) {
  return random::Dice(random::SimulationKey(number, "calm", "test", 0));
}

/// How far counts are from probabilities, in critical values: above 1 is a failure.
double surprise(const std::vector<std::int64_t>& counts, const std::vector<double>& chances) {
  return testing::chi_square(counts, chances) / testing::chi_square_critical(counts.size(), kAlpha);
}

// ---- single arms that stand

/// A leader, a rival, and many who are far behind: the more arms there are, the more candidates are worth it.
std::vector<Estimate> and_many_behind(std::vector<Estimate> arms) {
  arms.resize(20, {2, 100, 0});
  return arms;
}
constexpr Round kManyRounds = 8000000;

/// Counts how often the leader falls below the threshold and others rise above it, and remembers where that is.
template <class Posterior>
class Watched : public Counted<Posterior> {
 public:
  using State = typename Posterior::State;
  static inline std::int64_t falls = 0;
  static inline std::int64_t rises = 0;
  static inline double threshold = 0;
  template <class G>
  double sample_below(const State& s, const Clock& c, double y, G& g) const noexcept {
    if (y < this->mean(s, c)) ++falls;
    threshold = y;
    return Counted<Posterior>::sample_below(s, c, y, g);
  }
  template <class G>
  double sample_above(const State& s, const Clock& c, double y, G& g) const noexcept {
    if (y > this->mean(s, c)) ++rises;
    return Counted<Posterior>::sample_above(s, c, y, g);
  }
};

/// Of the choices, and of who was restless.
template <class Posterior>
double surprise_of_single_arms(std::uint64_t seed) {
  const std::vector<Estimate> arms = and_many_behind({{240, 300, 0}, {219, 300, 0}});
  using Law = Watched<Posterior>;
  Law::drawn = Law::falls = Law::rises = 0;
  PosteriorLearner<Moved, Law> learner(Moved(arms), Law(), Pace::kSkipping, dice(seed));
  std::vector<std::int64_t> counts(2);
  Choice choice;
  for (Round t = 1; t <= kManyRounds; ++t) {
    learner.choose({t}, choice);
    ++counts.at(static_cast<std::size_t>(choice.arm()));  // of the others nobody is ever the best
  }
  const BetaPosterior truth;
  const double rival = Laws(truth, {arms[0], arms[1]}, 0, 1).of_being_largest()[1];
  const double fall = truth.chance_below(truth.prepare(arms[0]), {}, Law::threshold);
  const double rise = truth.chance_above(truth.prepare(arms[1]), {}, Law::threshold);
  EXPECT_GT(std::min(fall, rise), 0.06);
  return std::max({surprise(counts, {1 - rival, rival}),
                   surprise({Law::falls, kManyRounds - Law::falls}, {fall, 1 - fall}),
                   surprise({Law::rises, kManyRounds - Law::rises}, {rise, 1 - rise})});
}

TEST(Calm, SingleArmsArePlayedWithTheirChance) {
  EXPECT_LT(surprise_of_single_arms<BetaPosterior>(1), 1);
  EXPECT_LT(Watched<BetaPosterior>::drawn, 4 * kManyRounds);  // of twenty a round
}

/// The bound of an arm inside is 1 % below its chance.
class TightBound : public BetaPosterior {
 public:
  struct State : BetaPosterior::State {
    double share = 1;
  };
  static State prepare(const Estimate& e) noexcept { return {BetaPosterior().prepare(e), 1}; }
  static bool covers(const State&, const State&) noexcept { return true; }
  static State lowered(const State& s, const Clock&, double, bool) noexcept {
    return {{s.ones, s.zeros}, 0.99};
  }
  double chance_below(const State& s, const Clock& c, double y) const noexcept {
    return s.share * BetaPosterior::chance_below(s, c, y);
  }
};

/// An arm outside counts as restless 1 % too seldom.
class TooCalm : public BetaPosterior {
 public:
  double chance_above(const State& s, const Clock& c, double y) const noexcept {
    return 0.99 * BetaPosterior::chance_above(s, c, y);
  }
};

/// A sample of who is restless is closer to the threshold than it should be.
class CloseSamples : public BetaPosterior {
 public:
  template <class G>
  double sample_above(const State& s, const Clock& c, double y, G& g) const noexcept {
    const double x = BetaPosterior::sample_above(s, c, y, g);
    return y < mean(s, c) ? x : y + 0.95 * (x - y);
  }
};

/// A leader who did not fall is drawn as if it could have.
class Unconditioned : public BetaPosterior {
 public:
  template <class G>
  double sample_above(const State& s, const Clock& c, double y, G& g) const noexcept {
    return y < mean(s, c) ? sample(s, c, g) : BetaPosterior::sample_above(s, c, y, g);
  }
};

TEST(Calm, AWrongBoundChanceOrSampleWouldShow) {
  EXPECT_GT(surprise_of_single_arms<TightBound>(1), 1);
  EXPECT_GT(surprise_of_single_arms<TooCalm>(1), 1);
  EXPECT_GT(surprise_of_single_arms<CloseSamples>(1), 1);
  EXPECT_GT(surprise_of_single_arms<Unconditioned>(1), 1);
}

// ---- arms that wander

/// The leader's sum and a rival's go up and down by turns; every position has its own chances.
template <class Posterior>
double surprise_of_wandering_arms(std::uint64_t seed) {
  constexpr int kPositions = 12;
  constexpr Round kStay = 4;
  constexpr Round kRounds = 10000000 / (kPositions * kStay) * (kPositions * kStay);
  const std::vector<Estimate> start = and_many_behind({{300, 400, 0}, {48, 100, 0}, {20, 80, 0}});
  const auto leader_at = [](int k) { return 4 * std::abs(k - 6); };
  const auto rival_at = [](int k) { return k % 4 == 3 ? 3 : 0; };
  std::vector<std::vector<double>> exact;
  for (int k = 0; k < kPositions; ++k) {
    std::vector<Estimate> now(start.begin(), start.begin() + 3);
    now[0].sum += leader_at(k);
    now[1].sum += rival_at(k);
    exact.push_back(Laws(GaussianPosterior(), now, -0.5, 1.5).of_being_largest());
  }
  std::vector<Estimate> first = start;
  first[0].sum += leader_at(0);
  PosteriorLearner<Moved, Posterior> learner(Moved(first), Posterior(), Pace::kSkipping,
                                             dice(seed));
  std::vector<std::vector<std::int64_t>> counts(kPositions, std::vector<std::int64_t>(3));
  const auto move = [&learner](Arm arm, int by) {
    if (by == 0) return;
    Choice of_arm;
    of_arm.one(arm, {arm, 0}, 0);
    const privacy::Released<double> report = privacy::Published::again(by);
    learner.take(of_arm, {&report, 1});
  };
  Choice choice;
  for (Round t = 1; t <= kRounds; ++t) {
    const int k = static_cast<int>((t - 1) / kStay % kPositions);
    learner.choose({t}, choice);
    ++counts[static_cast<std::size_t>(k)].at(static_cast<std::size_t>(choice.arm()));
    if (t % kStay != 0) continue;
    const int next = (k + 1) % kPositions;
    move(0, leader_at(next) - leader_at(k));
    move(1, rival_at(next) - rival_at(k));
  }
  double worst = 0;
  for (std::size_t k = 0; k < kPositions; ++k) {
    worst = std::max(worst, surprise(counts[k], exact[k]));
  }
  return worst;
}

/// A bound is kept wherever the arm goes.
class NeverLeaves : public GaussianPosterior {
 public:
  static bool covers(const State&, const State&) noexcept { return true; }
};

TEST(Calm, ArmsThatWanderArePlayedWithTheirChanceOfTheMoment) {
  Counted<GaussianPosterior>::drawn = 0;
  EXPECT_LT(surprise_of_wandering_arms<Counted<GaussianPosterior>>(2), 1);
  EXPECT_LT(Counted<GaussianPosterior>::drawn, 20000000);
}
TEST(Calm, ABoundThatIsKeptTooLongWouldShow) {
  EXPECT_GT(surprise_of_wandering_arms<NeverLeaves>(2), 1);
}

// ---- sets

template <class Posterior>
void expect_chances(const actions::ActionSet& set, const std::vector<Estimate>& estimates,
                    const std::map<std::vector<Arm>, double>& exact, std::uint64_t seed) {
  constexpr Round kRounds = 6000000;
  using Law = Counted<Posterior>;
  Law::drawn = 0;
  PosteriorLearner<Moved, Law, actions::AnySet> learner(set, Moved(estimates), Law(),
                                                        Pace::kSkipping, dice(seed));
  std::map<std::vector<Arm>, std::int64_t> seen;
  Choice choice;
  for (Round t = 1; t <= kRounds; ++t) {
    learner.choose({t}, choice);
    std::vector<Arm> action(choice.arms().begin(), choice.arms().end());
    std::sort(action.begin(), action.end());
    ++seen[action];
  }
  std::vector<std::int64_t> counts;
  std::vector<double> chances;
  std::int64_t all = 0;
  for (const auto& [action, chance] : exact) {
    counts.push_back(seen[action]);
    chances.push_back(chance);
    all += counts.back();
  }
  EXPECT_EQ(all, kRounds) << "played what cannot be";
  EXPECT_LT(surprise(counts, chances), 1) << set.name();
  EXPECT_LT(Law::drawn, kRounds * static_cast<Round>(estimates.size()) / 4);
}

TEST(Calm, TheTopTwoArePlayedWithTheirChance) {
  const std::vector<Estimate> estimates{{88, 100, 0}, {70, 90, 0}, {14, 30, 0}, {11, 25, 0}};
  const Laws laws(BetaPosterior(), estimates, 0, 1);
  std::map<std::vector<Arm>, double> exact;
  for (Arm a = 0; a < 4; ++a) {
    for (Arm b = a + 1; b < 4; ++b) {
      std::vector<Arm> others;
      for (Arm c = 0; c < 4; ++c) {
        if (c != a && c != b) others.push_back(c);
      }
      exact[{a, b}] = laws.above({a, b}, others);
    }
  }
  expect_chances<BetaPosterior>(actions::TopK(4, 2), estimates, exact, 3);
}

TEST(Calm, BasesArePlayedWithTheirChance) {
  // One of arms 0, 2 and 5 and one of 1 and 3: vectors that are parallel. Arm 4 is in no basis, and never observed.
  const actions::MatroidBases bases(
      std::make_shared<actions::LinearMatroid>(
          std::vector<std::vector<std::int64_t>>{{1, 0}, {0, 1}, {2, 0}, {0, 3}, {0, 0}, {3, 0}}),
      "parallel");
  const std::vector<Estimate> estimates{{380, 400, 0}, {200, 300, 0}, {45, 90, 0},
                                        {20, 80, 0},   {0, 0, 0},     {40, 100, 0}};
  const Laws laws(
      GaussianPosterior(),
      {estimates[0], estimates[1], estimates[2], estimates[3], estimates[0], estimates[5]}, -1.5,
      2.5);
  std::map<std::vector<Arm>, double> exact;
  const auto largest = [&laws](Arm one, std::vector<Arm> all) {
    std::erase(all, one);
    return laws.above({one}, all);
  };
  for (const Arm a : {0, 2, 5}) {
    for (const Arm b : {1, 3}) {
      std::vector<Arm> basis{a, b};
      std::sort(basis.begin(), basis.end());
      exact[basis] = largest(a, {0, 2, 5}) * largest(b, {1, 3});
    }
  }
  expect_chances<GaussianPosterior>(bases, estimates, exact, 4);
}

TEST(Calm, ListedSetsArePlayedWithTheirChance) {
  // The last is never the best, and is listed for being another set.
  const actions::ExplicitList list(5, {{0, 3}, {1, 2}, {4}});
  const std::vector<Estimate> estimates{
      {8000, 10000, 0}, {57, 100, 0}, {1620, 2500, 0}, {7000, 10000, 0}, {360, 400, 0}};
  // The sum of two normals is one: with the sum of the means, and of the variances 1/n.
  const auto sum = [&estimates](std::size_t a, std::size_t b) {
    const double n = 1 / (1 / estimates[a].n + 1 / estimates[b].n);
    return Estimate{n * (estimates[a].mean() + estimates[b].mean()), n, 0};
  };
  const std::vector<double> chances =
      Laws(GaussianPosterior(), {sum(0, 3), sum(1, 2), estimates[4]}, 0, 2.5).of_being_largest();
  ASSERT_GT(chances[1], 0.002);
  expect_chances<GaussianPosterior>(list, estimates,
                                    {{{0, 3}, chances[0]}, {{1, 2}, chances[1] + chances[2]}}, 5);
}

// ---- posteriors that drift

/// How often each arm but the leader is played in each part of a long time, against the sum of its chances.
template <class Posterior>
double surprise_of_drifting_arms(std::uint64_t seed, std::int64_t& decisions) {
  constexpr Round kFirst = 2000;
  constexpr int kParts = 6;
  constexpr int kRuns = 300;
  constexpr int kKnots = 4;  // rounds of a part in which chances are computed, for Simpson's rule
  const std::vector<Estimate> estimates{{640, 800, 0}, {20, 100, 0}, {30, 120, 0}};
  const Posterior posterior(4, 2);
  const actions::TopK one(3, 1);
  std::vector<double> expected;
  std::vector<Round> ends{kFirst};
  for (int part = 0; part < kParts; ++part) ends.push_back(ends.back() * 3 / 2);
  for (int part = 0; part < kParts; ++part) {
    const Round begin = ends[static_cast<std::size_t>(part)];
    const Round end = ends[static_cast<std::size_t>(part) + 1] - 1;
    std::vector<double> sums(3);
    for (int k = 0; k <= kKnots; ++k) {
      const double weight = (k == 0 || k == kKnots ? 1 : (k % 2 == 1 ? 4 : 2)) / (3.0 * kKnots);
      const std::vector<double> chances =
          Laws(BoostedGaussianPosterior(4, 2), estimates, -1, 3, begin + (end - begin) * k / kKnots)
              .of_being_largest();
      for (std::size_t arm = 0; arm < 3; ++arm) sums[arm] += weight * chances[arm];
    }
    for (const std::size_t arm : {1U, 2U}) {
      expected.push_back(sums[arm] * static_cast<double>(kRuns * (end - begin + 1)));
    }
  }
  std::vector<double> counts(expected.size());
  decisions = 0;
  for (int run = 0; run < kRuns; ++run) {
    PosteriorLearner<Lazy, Posterior, actions::AnySet> learner(
        one, Lazy(estimates), posterior, Pace::kSkipping,
        dice(1000 * seed + static_cast<std::uint64_t>(run)));
    Choice choice;
    std::size_t part = 0;
    for (Round t = kFirst; t < ends.back(); ++decisions) {
      learner.choose({t}, choice);
      const Round until = std::min(choice.until, ends.back() - 1);
      for (; t <= until; ++t) {
        if (t >= ends[part + 1]) ++part;
        if (choice.arm() != 0) ++counts[2 * part + static_cast<std::size_t>(choice.arm()) - 1];
      }
    }
  }
  // Counts of rare events, a little less spread than Poisson's.
  double statistic = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    statistic += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  return statistic / testing::chi_square_critical(counts.size() + 1, kAlpha);
}

/// Arms outside are as restless as they were a while ago.
class AWhileAgo : public BoostedGaussianPosterior {
 public:
  using BoostedGaussianPosterior::BoostedGaussianPosterior;
  double chance_above(const State& s, const Clock& clock, double y) const noexcept {
    const Clock then = this->clock(clock.t / 2);
    return BoostedGaussianPosterior::chance_above(s, then, y);
  }
};

TEST(Calm, ArmsThatDriftArePlayedWithTheirChanceOfTheMomentAndRoundsAreSkipped) {
  std::int64_t decisions = 0;
  EXPECT_LT(surprise_of_drifting_arms<BoostedGaussianPosterior>(6, decisions), 1);
  EXPECT_LT(decisions, 300 * 20780 / 4);
}
TEST(Calm, AChanceOfAnotherMomentWouldShow) {
  std::int64_t decisions = 0;
  EXPECT_GT(surprise_of_drifting_arms<AWhileAgo>(6, decisions), 1);
}

// ---- where there is little to choose

TEST(Calm, OneArmIsPlayedWithoutADraw) {
  using Law = Counted<GaussianPosterior>;
  PosteriorLearner<Moved, Law> learner(Moved({{3, 10, 0}}), Law(), Pace::kSkipping, dice(7));
  Law::drawn = 0;
  Choice choice;
  for (Round t = 1; t <= 100; ++t) {
    learner.choose({t}, choice);
    EXPECT_EQ(choice.arm(), 0);
  }
  EXPECT_EQ(Law::drawn, 0);
}

TEST(Calm, UnobservedArmsComeFirst) {
  using Law = Counted<GaussianPosterior>;
  PosteriorLearner<Moved, Law> learner(Moved({{900, 1000, 0}, {0, 0, 0}, {1, 100, 0}}), Law(),
                                       Pace::kSkipping, dice(8));
  Choice choice;
  for (Round t = 1; t <= 200; ++t) {
    learner.choose({t}, choice);
    ASSERT_EQ(choice.arm(), 1);
  }
}

TEST(Calm, OnlyEligibleArmsArePlayedAndTheStretchIsTakenUpAfterwards) {
  using Law = Counted<BetaPosterior>;
  PosteriorLearner<Moved, Law> learner(Moved({{900, 1000, 0}, {30, 100, 0}, {10, 100, 0}}), Law(),
                                       Pace::kSkipping, dice(9));
  Choice choice;
  const std::vector<Arm> eligible{1, 2};
  Law::drawn = 0;
  for (Round t = 1; t <= 3000; ++t) {
    const bool some = t % 100 == 0;
    learner.choose(some ? Situation{t, eligible} : Situation{t}, choice);
    if (some) {
      ASSERT_NE(choice.arm(), 0);
    } else {
      ASSERT_EQ(choice.arm(), 0);  // thirteen deviations and more ahead
    }
  }
  EXPECT_EQ(Law::drawn, 3 * 30);
}

TEST(Calm, WhoIsReadBackPlaysWhatTheOneWhoWasSavedPlays) {
  using Learner = PosteriorLearner<estimators::ReportBook, BetaPosterior>;
  Learner saved(estimators::ReportBook(3), {}, Pace::kSkipping, dice(11));
  Round t = 1;
  const auto rounds_of = [](Learner& learner, Round first, Round count) {
    std::vector<Arm> arms;
    Choice choice;
    for (Round round = first; round < first + count; ++round) {
      learner.choose({round}, choice);
      arms.push_back(choice.arm());
      const bool one = (round * 7) % 10 < 8 - 3 * choice.arm();
      const privacy::Released<double> report = privacy::Published::again(one ? 1 : 0);
      learner.take(choice, {&report, 1});
    }
    return arms;
  };
  for (const Round count : {3, 50, 1000, 5000}) {  // before, in and after the first stretches
    rounds_of(saved, t, count);
    t += count;
    StateWriter writer;
    writer(saved);
    Learner read(estimators::ReportBook(3), {}, Pace::kSkipping, dice(11));
    StateReader reader(writer.text());
    reader(read);
    EXPECT_EQ(rounds_of(read, t, 500), rounds_of(saved, t, 500));
    t += 500;
  }
}

TEST(Calm, ThePlainPathDrawsEveryArmInEveryRound) {
  using Law = Counted<BetaPosterior>;
  PosteriorLearner<Moved, Law> learner(Moved(and_many_behind({{3, 4, 0}})), Law(), Pace::kPlain,
                                       dice(10));
  Law::drawn = 0;
  Choice choice;
  for (Round t = 1; t <= 1000; ++t) learner.choose({t}, choice);
  EXPECT_EQ(Law::drawn, 20000);
}

}  // namespace
}  // namespace tacit::policies
