// Who wins, without the samples drawn, against probabilities integrated numerically: posteriors that stand, in rounds so late
// that a million of them are as one. Stretches reach far beyond those rounds, so that bounds are loose and thinning has
// work to do. Twins with a bound, a sampler or a floor that is a little wrong must be caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/quadrature/gauss.hpp>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/estimators/estimate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/shifted_beta.hpp"
#include "tacit/policies/mass_tree.hpp"
#include "tacit/policies/thinned_posterior_learner.hpp"

namespace tacit::policies {
namespace {

constexpr Round kStart = 1000000000000000;
constexpr double kShift = 3;

/// So many arms whose posterior is Beta(p n + 1, (1-p) n + 1) at the start.
struct Alike {
  int arms;
  double p;
  double n;
};
using Arms = std::vector<Alike>;

class StandingBook {
 public:
  StandingBook(const Arms& groups, Round start) {
    for (const Alike& group : groups) {
      // Where p is 0 or 1 it is well beyond, so that it is clipped.
      const double beyond = group.p == 1 ? 50 * group.n : (group.p == 0 ? -50 * group.n - 200 : 0);
      const double sum = group.p * group.n - kShift * std::log(static_cast<double>(start)) + beyond;
      for (int i = 0; i < group.arms; ++i) estimates_.push_back({sum, group.n, 1});
    }
  }
  int arms() const noexcept { return static_cast<int>(estimates_.size()); }
  Slot slot(Arm arm) const noexcept { return {arm, 0}; }
  const estimators::Estimate& released(Arm arm) const noexcept {
    return estimates_[static_cast<std::size_t>(arm)];
  }
  Round remaining(Arm) const noexcept { return kLastRound / 2; }

 private:
  std::vector<estimators::Estimate> estimates_;
};

/// The probability that a certain arm of each group has the largest sample.
std::vector<double> winning_chances(const Arms& groups) {
  std::vector<boost::math::beta_distribution<>> laws;
  std::vector<double> breaks{0, 1};
  for (int i = 1; i < 30; ++i) {  // where a density of few outcomes is not smooth
    breaks.push_back(std::ldexp(1, -i));
    breaks.push_back(1 - std::ldexp(1, -i));
  }
  for (const Alike& group : groups) {
    laws.emplace_back(group.p * group.n + 1, (1 - group.p) * group.n + 1);
    const double m = mean(laws.back());
    const double deviation = standard_deviation(laws.back());
    for (int i = -30; i <= 30; ++i) {
      const double x = m + 0.5 * i * deviation;
      if (x > 0 && x < 1) breaks.push_back(x);
    }
  }
  std::sort(breaks.begin(), breaks.end());
  std::vector<double> chances(groups.size(), 0);
  for (std::size_t i = 1; i < breaks.size(); ++i) {
    if (breaks[i] - breaks[i - 1] < 1e-12) continue;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto density = [&](double x) {
        double product = pdf(laws[g], x);
        for (std::size_t h = 0; h < groups.size(); ++h) {
          product *= std::pow(cdf(laws[h], x), groups[h].arms - (h == g ? 1 : 0));
        }
        return product;
      };
      chances[g] +=
          boost::math::quadrature::gauss<double, 10>::integrate(density, breaks[i - 1], breaks[i]);
    }
  }
  return chances;
}

template <class Posterior>
std::vector<std::int64_t> wins(const Arms& groups, Round rounds, std::uint64_t seed,
                               std::int64_t* decisions = nullptr) {
  StandingBook book(groups, kStart);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(book.arms()), 0);
  ThinnedPosteriorLearner<StandingBook, Posterior> learner(
      book, Posterior(kShift), Pace::kSkipping,
      random::Dice(random::SimulationKey(seed, "ladder", "test", 0)));
  Choice choice;
  for (Round t = kStart; t < kStart + rounds;) {
    learner.choose({t}, choice);
    const Round n = std::min(choice.until, kStart + rounds - 1) - t + 1;
    counts[static_cast<std::size_t>(choice.arm())] += n;
    t += n;
    if (decisions != nullptr) ++*decisions;
  }
  return counts;
}

/// How far counts are from what they should be, in units of what chance allows. Arms that hardly ever win are counted
/// together.
double excess(const Arms& groups, const std::vector<std::int64_t>& counts, Round rounds,
              double alpha) {
  constexpr double kEnough = 30;
  const std::vector<double> chances = winning_chances(groups);
  std::vector<std::int64_t> seen{0};
  std::vector<double> expected{0};
  std::size_t arm = 0;
  double total = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    total += groups[g].arms * chances[g];
    for (int i = 0; i < groups[g].arms; ++i, ++arm) {
      if (chances[g] * static_cast<double>(rounds) < kEnough) {
        seen[0] += counts[arm];
        expected[0] += chances[g];
      } else {
        seen.push_back(counts[arm]);
        expected.push_back(chances[g]);
      }
    }
  }
  EXPECT_NEAR(total, 1, 1e-9);
  if (expected[0] * static_cast<double>(rounds) < kEnough) {
    seen[1] += seen[0];
    expected[1] += expected[0];
    seen.erase(seen.begin());
    expected.erase(expected.begin());
  }
  return testing::chi_square(seen, expected) / testing::chi_square_critical(seen.size(), alpha);
}

struct Case {
  const char* name;
  Arms arms;
  Round rounds;
};

std::vector<Case> cases() {
  const double many = std::ldexp(1, 30);
  return {
      {"a clear leader", {{1, 0.75, 512}, {1, 0.6, 256}, {1, 0.5, 128}, {2, 0.4, 64}}, 40000000},
      {"a leader by a little", {{1, 0.6, 512}, {3, 0.53, 256}, {1, 0.5, 32}}, 2000000},
      {"no leader", {{1, 0.6, 64}, {1, 0.6, 32}, {1, 0.55, 128}, {1, 0.5, 16}}, 2000000},
      {"two of one outcome", {{1, 0.5, 1}, {1, 0.7, 1}}, 2000000},
      {"clipped", {{1, 1, 1}, {1, 1, 4}, {1, 0, 1}, {2, 0, 8}, {1, 0.5, 8}}, 2000000},
      {"clipped at 1, many outcomes", {{40, 1, 64}, {1, 1, 128}, {10, 0.9, 256}}, 2000000},
      {"clipped at 0, all", {{1, 0, 8}, {1, 0, 64}, {1, 0, 1024}}, 2000000},
      {"very many outcomes",
       {{1, 0.6, many}, {1, 0.6 - 1.5e-5, many}, {1, 0.599, 65536}, {1, 0.5, 64}},
       2000000},
      {"a thousand alike", {{1000, 0.5, 4}}, 1000000},
      {"a thousand and a better one", {{999, 0.5, 64}, {1, 0.7, 256}}, 1000000},
      {"one that leads a thousand", {{1000, 0.5, 128}, {1, 0.7, 4096}}, 50000000},
  };
}

TEST(PosteriorLadder, ArmsWinAsOftenAsTheirSamplesAreTheLargest) {
  const std::vector<Case> all = cases();
  const double alpha = testing::kFamilyError / static_cast<double>(all.size());
  std::uint64_t seed = 1;
  for (const Case& c : all) {
    std::int64_t decisions = 0;
    const auto counts = wins<indices::ShiftedBeta>(c.arms, c.rounds, seed++, &decisions);
    EXPECT_LT(excess(c.arms, counts, c.rounds, alpha), 1) << c.name;
    EXPECT_LT(decisions, 6000000) << c.name << ": rounds in which nobody else can win are skipped";
  }
}

/// How many of the rounds first..last each arm is to win, by Simpson's rule in ln t.
std::vector<double> expected_wins(const Arms& groups, Round first, Round last) {
  constexpr int kIntervals = 8;
  const double log_first = std::log(static_cast<double>(first) - 0.5);
  const double log_last = std::log(static_cast<double>(last) + 0.5);
  std::vector<double> total(groups.size(), 0);
  for (int i = 0; i <= kIntervals; ++i) {
    const double log_t = log_first + (log_last - log_first) * i / kIntervals;
    Arms moved = groups;
    for (Alike& group : moved) {
      group.p = indices::clip01(group.p + kShift * log_t / group.n);
    }
    const double weight = i == 0 || i == kIntervals ? 1 : (i % 2 == 1 ? 4 : 2);
    const std::vector<double> chances = winning_chances(moved);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      total[g] += chances[g] * std::exp(log_t) * weight * (log_last - log_first) / kIntervals / 3;
    }
  }
  return total;
}

TEST(PosteriorLadder, ArmsWinAsOftenWhileTheirPosteriorsMove) {
  // From one arm that hardly ever wins to one that mostly does, over many stretches; the last arm's p leaves 0 on
  // the way. p is that of round 1.
  const Arms arms = {{1, 0.6, 2048}, {1, 0.34, 128}, {1, 0.31, 128}, {1, -0.5, 32}};
  constexpr Round kEnds[] = {1000, 3000, 10000, 30000, 100000};
  constexpr int kRuns = 60;
  std::vector<std::vector<std::int64_t>> counts(std::size(kEnds), std::vector<std::int64_t>(4, 0));
  std::int64_t decisions = 0;
  for (int run = 0; run < kRuns; ++run) {
    StandingBook book(arms, 1);
    ThinnedPosteriorLearner<StandingBook, indices::ShiftedBeta> learner(
        book, indices::ShiftedBeta(kShift), Pace::kSkipping,
        random::Dice(
            random::SimulationKey(30, "ladder", "moving", static_cast<std::uint64_t>(run))));
    Choice choice;
    std::size_t part = 0;
    for (Round t = 1; t <= kEnds[std::size(kEnds) - 1]; ++decisions) {
      while (t > kEnds[part]) ++part;
      learner.choose({t}, choice);
      const Round n = std::min(choice.until, kEnds[part]) - t + 1;
      counts[part][static_cast<std::size_t>(choice.arm())] += n;
      t += n;
    }
  }
  EXPECT_LT(decisions, kRuns * kEnds[std::size(kEnds) - 1] * 3 / 4);
  for (std::size_t part = 1; part < std::size(kEnds); ++part) {
    const Round rounds = kEnds[part] - kEnds[part - 1];
    std::vector<double> chances = expected_wins(arms, kEnds[part - 1] + 1, kEnds[part]);
    double total = 0;
    for (double& chance : chances) total += chance /= static_cast<double>(rounds);
    EXPECT_NEAR(total, 1, 1e-5);
    EXPECT_LT(testing::chi_square(counts[part], chances),
              testing::chi_square_critical(chances.size(), testing::kFamilyError / 4))
        << kEnds[part];
  }
}

// ---- twins that are wrong, about the arm with this many outcomes

constexpr double kMarked = 32;
constexpr Round kLast = kStart + 1000000000;  // no round that is played is later

/// At one point, and so at many.
template <class Twin>
struct AtManyPoints : indices::ShiftedBeta {
  using ShiftedBeta::ShiftedBeta;
  double log_below(const State& s, const indices::Clock& clock, double y) const noexcept {
    return s.n == kMarked ? Twin::of_marked(*this, s, clock, y)
                          : ShiftedBeta::log_below(s, clock, y);
  }
  void log_below(const State& s, const indices::Clock& clock, std::span<const double> points,
                 std::span<double> results) const noexcept {
    for (std::size_t i = 0; i < points.size(); ++i) results[i] = log_below(s, clock, points[i]);
  }
};

/// What is to bound a mass is 1 % less than it.
struct TightBound : AtManyPoints<TightBound> {
  using AtManyPoints::AtManyPoints;
  static double of_marked(const ShiftedBeta& right, const State& s, const indices::Clock& clock,
                          double y) noexcept {
    if (clock.t <= kLast) return right.ShiftedBeta::log_below(s, clock, y);
    return 0.99 * right.ShiftedBeta::log_below(s, indices::Clock::at(kStart), y);
  }
};

/// A mass in the rounds that are played is 1 % too large.
struct HighMass : AtManyPoints<HighMass> {
  using AtManyPoints::AtManyPoints;
  static double of_marked(const ShiftedBeta& right, const State& s, const indices::Clock& clock,
                          double y) noexcept {
    return (clock.t <= kLast ? 1.01 : 1.02) * right.ShiftedBeta::log_below(s, clock, y);
  }
};

/// What is said of many points in a round that is played, a leader's base, is 1 % too much.
struct HighBase : indices::ShiftedBeta {
  using ShiftedBeta::log_below;
  using ShiftedBeta::ShiftedBeta;
  void log_below(const State& s, const indices::Clock& clock, std::span<const double> points,
                 std::span<double> results) const noexcept {
    ShiftedBeta::log_below(s, clock, points, results);
    if (s.n != kMarked || clock.t > kLast) return;
    for (double& result : results) result *= 1.01;
  }
};

/// Samples a little too high within their cell.
struct BiasedSampler : indices::ShiftedBeta {
  using ShiftedBeta::ShiftedBeta;
  template <class G>
  double sample_between(const State& s, const indices::Clock& clock, double low, double high,
                        G& generator) const noexcept {
    const double x = ShiftedBeta::sample_between(s, clock, low, high, generator);
    return s.n == kMarked ? x + 0.1 * (high - x) : x;
  }
};

TEST(PosteriorLadder, TwinsThatAreALittleWrongAreCaught) {
  const Arms arms = {{1, 0.6, 64}, {1, 0.6, kMarked}, {1, 0.55, 128}, {1, 0.5, 16}};
  const Arms led = {{1, 0.7, 512}, {1, 0.5, kMarked}, {1, 0.5, 64}};
  constexpr Round kRounds = 2000000;
  const double alpha = testing::kFamilyError;
  const auto far = [&](const Arms& a, const std::vector<std::int64_t>& counts, Round rounds) {
    return excess(a, counts, rounds, alpha);
  };
  EXPECT_LT(far(arms, wins<indices::ShiftedBeta>(arms, kRounds, 20), kRounds), 1);
  EXPECT_GT(far(arms, wins<TightBound>(arms, kRounds, 20), kRounds), 1);
  EXPECT_GT(far(arms, wins<BiasedSampler>(arms, kRounds, 20), kRounds), 1);
  EXPECT_GT(far(arms, wins<HighMass>(arms, kRounds, 20), kRounds), 1);
  // Where one arm leads, most rounds are skipped: as many more tell as much.
  const Arms leads = {{1, 0.9, kMarked}, {1, 0.5, 64}, {1, 0.6, 128}};
  constexpr Round kSkipped = 60000000;
  EXPECT_LT(far(led, wins<indices::ShiftedBeta>(led, kSkipped, 20), kSkipped), 1);
  EXPECT_GT(far(led, wins<TightBound>(led, kSkipped, 20), kSkipped), 1);
  EXPECT_GT(far(led, wins<HighMass>(led, kSkipped, 20), kSkipped), 1);
  constexpr Round kLed = 60000000;
  EXPECT_LT(far(leads, wins<indices::ShiftedBeta>(leads, kLed, 20), kLed), 1);
  EXPECT_GT(far(leads, wins<HighBase>(leads, kLed, 20), kLed), 1);
}

// ---- its parts

TEST(MassTree, FindsArmsByTheirMasses) {
  MassTree<2> tree(5);
  for (Arm arm = 0; arm < 5; ++arm) tree.set(arm, {1.0 + arm, arm == 3 ? 7.0 : 0});
  tree.set(1, {0, 1});
  EXPECT_EQ(tree.total(0), 1 + 3 + 4 + 5);
  EXPECT_EQ(tree.total(1), 8);
  EXPECT_EQ(tree.at(0, 0.5).arm, 0);
  EXPECT_EQ(tree.at(0, 1.0).arm, 2);  // arm 1 has nothing there
  EXPECT_EQ(tree.at(0, 4.5).arm, 3);
  EXPECT_EQ(tree.at(0, 4.5).position, 0.5);
  EXPECT_EQ(tree.at(0, 12.9).arm, 4);
  EXPECT_EQ(tree.at(1, 0.5).arm, 1);
  EXPECT_EQ(tree.at(1, 1.5).arm, 3);
  EXPECT_EQ(tree.at(1, 1.5).position, 0.5);
}

}  // namespace
}  // namespace tacit::policies
