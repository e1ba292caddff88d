// The shells and recipes of ranked lists. Learners that see where users stop show nothing but their lists:
// their constants are read off the round at which two items change places.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "statistics/coverage.hpp"
#include "statistics/goodness_of_fit.hpp"
#include "tacit/accounting/printed_composition.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/evidence/rate.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/policies/played_test.hpp"
#include "tacit/policies/recipes/as_published/cascade.hpp"
#include "tacit/policies/recipes/cascade_baselines.hpp"
#include "tacit/policies/recipes/cascade_dp.hpp"
#include "tacit/policies/recipes/cascade_ldp.hpp"

namespace tacit::policies {
namespace {

constexpr int kItems = 3;
constexpr int kSize = 2;
constexpr double kDelta = 1e-4;
constexpr int kStatisticalTests = 5;  // in this file
constexpr double kAlpha = testing::kFamilyError / kStatisticalTests;

Setting setting(double epsilon, int items = kItems, int size = kSize) {
  return {.arms = items,
          .epsilon = epsilon,
          .delta = kDelta,
          .horizon = 5000,
          .pace = Pace::kSkipping,
          .actions = std::make_shared<actions::TopK>(items, size)};
}

random::SimulationKey key(std::uint64_t run = 0) { return {1, "cascade", "test", run}; }

/// A learner of ranked lists and those who see where users stop for it.
template <class Recipe>
class Shown {
 public:
  explicit Shown(const Setting& s, const typename Recipe::Parameters& parameters = {},
                 std::uint64_t run = 0)
      : learner_(Recipe::learner(s, parameters, random::Dice(key(run)))),
        eyes_(simulation::channel(Recipe::plan(s, parameters), s.arms, backstage(key(run)))) {}

  void start(const std::vector<int>& first) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      const Arm item = static_cast<Arm>(i);
      learner_.start(item, eyes_.open(item, privacy::Secret<Outcome>(Outcome::bit(first[i] != 0))));
    }
  }
  void stop_at(const std::vector<Arm>& list, int position) {
    Choice choice;
    choice.set(list, 0);
    learner_.take(choice, eyes_.report(list, privacy::Secret<Stop>(Stop{position})));
  }
  std::vector<Arm> list_at(Round t) {
    Choice choice;
    learner_.choose({t}, choice);
    return {choice.arms().begin(), choice.arms().end()};
  }

 private:
  using Channel =
      decltype(simulation::channel(Recipe::plan(std::declval<const Setting&>(),
                                                std::declval<const typename Recipe::Parameters&>()),
                                   1, std::declval<const simulation::Backstage&>()));
  typename Recipe::Learner learner_;
  Channel eyes_;
};

/// The first round whose list begins with `rising`; before, it begins with `falling`.
template <class Lists>
Round turn(Lists& lists, Arm falling, Arm rising) {
  Round before = 1;
  Round after = Round{1} << 40;
  EXPECT_EQ(lists.list_at(before)[0], falling);
  EXPECT_EQ(lists.list_at(after)[0], rising);
  while (after - before > 1) {
    const Round middle = before + (after - before) / 2;
    (lists.list_at(middle)[0] == rising ? after : before) = middle;
  }
  return after;
}

auto ucb1() { return Shown<recipes::CascadeUcb1>(setting(1, kItems, kItems)); }

TEST(CascadeIndexLearner, RanksItsFirstListByTheFreeObservations) {
  for (Arm attractive = 0; attractive < kItems; ++attractive) {
    std::vector<int> first(kItems, 0);
    first[static_cast<std::size_t>(attractive)] = 1;
    auto lists = ucb1();
    lists.start(first);
    EXPECT_EQ(lists.list_at(1)[0], attractive);
  }
}

TEST(CascadeIndexLearner, LearnsOfTheItemsUpToTheStopAndOfNoOther) {
  // Item 0 has 1 of 2, the others 0 of 1, which come first once 0.5 + sqrt(0.75 ln t) < sqrt(1.5 ln t): from
  // round 7 on.
  auto lists = ucb1();
  lists.start({0, 0, 0});
  lists.stop_at({0, 1, 2}, 0);
  EXPECT_EQ(lists.list_at(6)[0], 0);
  EXPECT_EQ(lists.list_at(7)[2], 0);
  // Then 2 has 1 of 2, and 1 has 0 of 2.
  lists.stop_at({1, 2, 0}, 1);
  EXPECT_EQ(lists.list_at(100)[2], 1);
  // Then all are looked at without a click: 1 of 3, 0 of 3, 1 of 3; and item 1 once more.
  lists.stop_at({0, 1, 2}, 3);
  lists.stop_at({1}, 0);
  lists.stop_at({0}, 1);
  // 1 of 4, 1 of 4, 1 of 3.
  EXPECT_EQ(lists.list_at(100)[0], 2);
  lists.stop_at({0}, 0);
  EXPECT_EQ(lists.list_at(1), (std::vector<Arm>{0, 2, 1})) << "2 of 5, 1 of 3, 1 of 4";
}

TEST(CascadeIndexLearner, RanksByDecreasingIndex) {
  auto lists = ucb1();
  lists.start({0, 0, 0});
  for (int i = 0; i < 8; ++i) {
    lists.stop_at({1}, 0);
    lists.stop_at({2}, i % 2);
    lists.stop_at({0}, 1);
  }
  for (Round t = 1; t <= 100; ++t) EXPECT_EQ(lists.list_at(t), (std::vector<Arm>{1, 2, 0}));
}

TEST(CascadeIndexLearner, RanksEqualItemsInAnyOrder) {
  auto lists = ucb1();
  lists.start({0, 0, 0});
  std::vector<std::int64_t> orders(6);
  for (Round t = 1; t <= 6000; ++t) {
    const std::vector<Arm> list = lists.list_at(t);
    const int order = 2 * list[0] + (list[1] < list[2] ? 0 : 1);
    ++orders[static_cast<std::size_t>(order)];
  }
  EXPECT_LT(testing::chi_square(orders, std::vector<double>(6, 1 / 6.0)),
            testing::chi_square_critical(6, kAlpha));
}

/// An index of a mean and the number of observations behind it, in a round with that logarithm.
using Formula = std::function<double(double mean, double n, double log_t)>;

/// Item 0 has 300 clicks of 401 and item 1 `clicks` of 26, w_0 among them; item 2 has none of 401.
template <class Recipe>
void expect_turn_by(const Formula& index, double epsilon,
                    const typename Recipe::Parameters& parameters, int clicks = 0) {
  SCOPED_TRACE(Recipe::kCard.name);
  Shown<Recipe> lists(setting(epsilon), parameters);
  lists.start({0, 0, 0});
  for (int i = 0; i < 400; ++i) {
    lists.stop_at({0}, i < 300 ? 0 : 1);
    lists.stop_at({2}, 1);
    if (i < 25) lists.stop_at({1}, i < clicks ? 0 : 1);
  }
  const Round turned = turn(lists, 0, 1);
  EXPECT_GT(turned, 20) << "too early to tell much";
  const auto lead = [&](Round t) {
    const double log_t = std::log(static_cast<double>(t));
    return index(300.0 / 401, 401, log_t) - index(clicks / 26.0, 26, log_t);
  };
  constexpr double kNoise = 1e-5;
  EXPECT_GT(lead(turned - 1), -kNoise) << turned;
  EXPECT_LT(lead(turned), kNoise) << turned;
}

double ucb(double mean, double n, double log_t) { return mean + std::sqrt(1.5 * log_t / n); }

TEST(CascadeRecipes, BaselinesHaveThePublishedIndices) {
  expect_turn_by<recipes::CascadeUcb1>(ucb, 1, {});
  expect_turn_by<recipes::CascadeKlUcb>(
      [](double mean, double n, double log_t) {
        return indices::kl_upper(mean, (log_t + 3 * std::log(log_t)) / n);
      },
      1, {}, 10);
}

TEST(CascadeRecipes, PublishedBonusesAreThePrintedOnesWhateverTheNoiseIsMultipliedBy) {
  constexpr double kEpsilon = 40;
  const recipes::NoiseMultiplier hardly_any{1e-9};
  expect_turn_by<recipes::CascadeLdpLaplaceAsPublished>(
      [](double mean, double n, double log_t) {
        return ucb(mean, n, log_t) + kSize / kEpsilon * std::sqrt(24 * log_t / n);
      },
      kEpsilon, hardly_any);
  expect_turn_by<recipes::CascadeLdpGaussianAsPublished>(
      [](double mean, double n, double log_t) {
        const double sigma = std::sqrt(2 * kSize * std::log(1.25 / kDelta)) / kEpsilon;
        return ucb(mean, n, log_t) + sigma * std::sqrt(2 * (std::log(2) + 3 * log_t) / n);
      },
      kEpsilon, hardly_any);
  expect_turn_by<recipes::CascadeLdpComposedAsPublished>(
      [](double mean, double n, double log_t) {
        const double spread = kSize * std::log(std::numbers::e + kEpsilon / kDelta);
        return ucb(mean, n, log_t) + 4 / kEpsilon * std::sqrt(6 * spread * log_t / n);
      },
      kEpsilon, hardly_any);
  for (const double c1 : {1.0, 0.5}) {
    expect_turn_by<recipes::CascadeDpHybridAsPublished>(
        [c1](double mean, double n, double log_t) {
          return ucb(mean, n, log_t) +
                 3 * c1 * kItems * std::pow(std::log(n), 1.5) * log_t / (kEpsilon * n);
        },
        kEpsilon, {c1, 1e-9});
  }
}

/// How often an item with w_0 = 0 and one report of no click leads one with w_0 = 1 in round 1, where ln t
/// = 0. Without a constant bonus: when the report's noise is above 2.
template <class Recipe>
void expect_lead_of_noise(double chance, double epsilon,
                          const typename Recipe::Parameters& parameters) {
  constexpr int kRuns = 5000;
  int leads = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Shown<Recipe> lists(setting(epsilon), parameters, run);
    lists.start({0, 1, 0});
    lists.stop_at({0}, 1);
    leads += lists.list_at(1)[0] == 0 ? 1 : 0;
  }
  EXPECT_NEAR(leads, kRuns * chance,
              testing::two_sided_z(kAlpha) * std::sqrt(kRuns * chance * (1 - chance)))
      << Recipe::kCard.name;
}

TEST(CascadeRecipes, PublishedNoiseHasThePrintedScale) {
  constexpr double kEpsilon = 0.7;
  const double tail = std::exp(-1) / 2;  // of a Laplace of scale 2, multiplied so
  const double laplace = kSize / kEpsilon;
  expect_lead_of_noise<recipes::CascadeLdpLaplaceAsPublished>(tail, kEpsilon, {2 / laplace});
  const double composed =
      std::sqrt(4 * kSize * std::log(std::numbers::e + kEpsilon / kDelta)) / kEpsilon;
  expect_lead_of_noise<recipes::CascadeLdpComposedAsPublished>(tail, kEpsilon, {2 / composed});
  // Half of an item's epsilon pays for the first observation.
  const double hybrid = 2 * kItems / kEpsilon;
  expect_lead_of_noise<recipes::CascadeDpHybridAsPublished>(tail, kEpsilon, {1, 2 / hybrid});
  // The bonus sigma sqrt(2 ln 2/n) of round 1 counts for the item with fewer observations.
  const double sigma = std::sqrt(2 * kSize * std::log(1.25 / kDelta)) / kEpsilon;
  const double bonus = sigma * std::sqrt(2 * std::numbers::ln2) * (1 - 1 / std::numbers::sqrt2);
  constexpr double kMore = 1.5;
  expect_lead_of_noise<recipes::CascadeLdpGaussianAsPublished>(
      testing::normal_below(-2 * (1 + bonus) / (kMore * sigma)), kEpsilon, {kMore});
}

/// After `n` users to whom item 0 was shown first, every second of whom clicked.
template <class Recipe>
Seen shown_first(int n, double epsilon, const typename Recipe::Parameters& parameters = {}) {
  return observed<Recipe>(n, setting(epsilon), parameters, key());
}

constexpr Round kRound = 400;
const double kLog = std::log(double(kRound));

TEST(CascadeRecipes, CascadeDpHasPhasesAndAnIndexForItsNoise) {
  for (const double epsilon : {0.7, 2.0}) {
    const int usual = static_cast<int>(std::ceil(8 / epsilon));
    EXPECT_EQ(shown_first<recipes::CascadeDp>(usual - 1, epsilon).estimate(0).n, 0);
    EXPECT_EQ(shown_first<recipes::CascadeDp>(usual, epsilon).estimate(0).n, usual);

    recipes::CascadeDp::Parameters parameters;
    parameters.first = 80;
    const int first = static_cast<int>(std::ceil(80 / epsilon));
    const auto sharp = shown_first<recipes::CascadeDp>(first, epsilon, parameters);
    parameters.level = indices::Level::kJustified;
    const auto justified = shown_first<recipes::CascadeDp>(first, epsilon, parameters);
    const auto upper = [&](double level) {
      return evidence::upper_mean(sharp.estimate(0).sum, first, 1, 1 / epsilon, level).value;
    };
    EXPECT_NEAR(sharp.index(0, kRound), upper(kLog), 1e-12);
    const double more = kLog + std::log(1 + kLog / std::log(1.5));
    EXPECT_NEAR(justified.index(0, kRound), upper(more), 1e-12);
    ASSERT_LT(upper(more), 0.99) << "clipped: the test says nothing";
  }
}

TEST(CascadeRecipes, CascadeLdpHasTheIndexOfItsReports) {
  const Seen seen = shown_first<recipes::CascadeLdp>(100, 0.7);
  const auto e = seen.estimate(0);
  EXPECT_EQ(e.n, 100);
  const double level = kLog + std::log(kSize);
  EXPECT_NEAR(100 * indices::kl(e.mean(), seen.index(0, kRound)), level + std::log(level), 1e-6);
}

/// Reports of each item after some rounds in which items 0 and 1 are always clicked.
std::vector<double> reports_after(Round rounds, double epsilon, double warm_up) {
  const Setting s = setting(epsilon, 4);
  auto learner = recipes::CascadeLdp::learner(s, {warm_up}, random::Dice(key()));
  auto devices = simulation::channel(recipes::CascadeLdp::plan(s, {warm_up}), 4, backstage(key()));
  Choice choice;
  Round phase = 0;
  for (Round t = 1; t <= rounds; ++t) {
    learner.choose({t}, choice);
    const Arm first = choice.slots()[0].arm;
    EXPECT_EQ(first, choice.arm()) << "the first of a list is always looked at";
    observe(learner, devices, first, phase, Outcome::bit(first < 2));
  }
  std::vector<double> reports;
  reports.reserve(4);
  for (Arm item = 0; item < 4; ++item) reports.push_back(learner.estimate(item).n);
  return reports;
}

TEST(CascadeRecipes, CascadeLdpWarmsUpByTheWorthOfAReport) {
  const double e = std::numbers::e;
  const double worth = std::pow((e + 1) / (e - 1), 2);  // 4.683
  ASSERT_EQ(std::ceil(1.5 * worth), 8);
  EXPECT_EQ(reports_after(32, 1, 1.5), std::vector<double>(4, 8));
  ASSERT_EQ(std::ceil(10 * worth), 47);
  EXPECT_EQ(reports_after(188, 1, 10), std::vector<double>(4, 47));
  const std::vector<double> later = reports_after(2000, 1, 1.5);
  EXPECT_LT(std::max(later[2], later[3]), 250) << "items that nobody clicks are left alone";
}

/// Plays cascade-ldp-stop next to states that are kept here, from the same reports.
void expect_lists_by_stop_index(double epsilon, int items, int size, Round rounds) {
  const Setting s = setting(epsilon, items, size);
  const auto plan = recipes::CascadeLdpStop::plan(s, {});
  auto learner = recipes::CascadeLdpStop::learner(s, {}, random::Dice(key()));
  auto devices = simulation::channel(plan, items, backstage(key()));
  const privacy::StopResponse response(epsilon, size);
  EXPECT_EQ(plan.numbers().q, response.q());
  EXPECT_EQ(plan.numbers().gap, response.gap());
  const indices::StopIndex index(response.q(), response.gap(),
                                 response.kind() == privacy::StopResponse::Kind::kResponse);
  Choice choice;
  std::vector<indices::StopIndex::State> states(static_cast<std::size_t>(items));
  auto users = key().stream(random::Purpose::kOutcomes);
  for (Round t = 1; t <= rounds; ++t) {
    const double log_t = std::log(static_cast<double>(t));
    const double level = log_t > 1 ? log_t + 3 * std::log(log_t) : log_t;
    learner.choose({t}, choice);
    const std::vector<Arm> list(choice.arms().begin(), choice.arms().end());
    ASSERT_EQ(list.size(), static_cast<std::size_t>(size));
    double least = std::numeric_limits<double>::infinity();
    double most_outside = 0;
    for (Arm item = 0; item < items; ++item) {
      const double upper = index.upper(states[static_cast<std::size_t>(item)], level);
      const bool shown = std::find(list.begin(), list.end(), item) != list.end();
      if (shown) least = std::min(least, upper);
      if (!shown) most_outside = std::max(most_outside, upper);
    }
    ASSERT_GE(least, most_outside) << "round " << t;
    // Item 0 attracts 7 of 10 users, item 1 6 of 10, and so on.
    int stop = 0;
    while (stop < size &&
           !random::bernoulli(users, 0.7 - 0.1 * list[static_cast<std::size_t>(stop)])) {
      ++stop;
    }
    const auto clicks = devices.report(privacy::Secret<Stop>(Stop{stop}));
    learner.take(choice, clicks);
    double earlier = 0;
    double shown_before = 0;
    for (int k = 0; k < size; ++k) {
      auto& state = states[static_cast<std::size_t>(list[static_cast<std::size_t>(k)])];
      ASSERT_GE(state.shown, shown_before) << "the one shown least comes first; round " << t;
      shown_before = state.shown;
      const double click = clicks[static_cast<std::size_t>(k)].value();
      index.add(state, k, click, 1 - earlier);
      earlier += click;
    }
  }
}

TEST(CascadeRecipes, CascadeLdpStopShowsTheBestByItsIndexAndTheLeastShownFirst) {
  expect_lists_by_stop_index(2, 6, 3, 2000);
  expect_lists_by_stop_index(0.7, 7, 5, 2000);  // K - 1 < 3 e^0.7
  expect_lists_by_stop_index(0.2, 7, 6, 2000);  // encoded
}

TEST(CascadeRecipes, TheComposedOneSharesEpsilonOutByThePrintedRule) {
  using Recipe = recipes::CascadeLdpComposedAsPublished;
  EXPECT_EQ(Recipe::kRuleEnds, accounting::kPrintedCompositionEnds);
  for (const int length : {1, 4, 16}) {
    for (const double epsilon : {0.2, 0.9, 2.0}) {
      EXPECT_DOUBLE_EQ(Recipe::plan(setting(epsilon, 20, length), {}).scale,
                       1 / accounting::printed_share({epsilon, kDelta}, length).epsilon);
    }
  }
}

}  // namespace
}  // namespace tacit::policies
