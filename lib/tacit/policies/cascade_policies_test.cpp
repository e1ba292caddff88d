// The shells and recipes of ranked lists. Policies that see where users stop show nothing but their lists:
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
#include "tacit/actions/top_k.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/stop_index.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::policies {
namespace {

constexpr int kItems = 3;
constexpr int kSize = 2;
constexpr double kDelta = 1e-4;
constexpr int kStatisticalTests = 5;  // in this file
constexpr double kAlpha = testing::kFamilyError / kStatisticalTests;

Setting setting(double epsilon, std::uint64_t run = 0, int items = kItems, int size = kSize) {
  return {.arms = items,
          .epsilon = epsilon,
          .delta = kDelta,
          .horizon = 5000,
          .pace = Pace::kSkipping,
          .key = random::SimulationKey(1, "cascade", "test", run),
          .actions = std::make_shared<actions::TopK>(items, size)};
}

template <class Policy>
void start(Policy& policy, const std::vector<int>& first) {
  privacy::SecretVector<Outcome> outcomes(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    outcomes.set(i, privacy::Secret<Outcome>(Outcome::bit(first[i] != 0)));
  }
  policy.learn_before_the_first_round(outcomes);
}

template <class Policy>
void stop_at(Policy& policy, const std::vector<Arm>& list, int position) {
  policy.learn({list, list, 0}, privacy::Secret<Stop>(Stop{position}));
}

template <class Policy>
std::vector<Arm> list_at(Policy& policy, Round t) {
  const SetDecision decision = policy.decide(t);
  return {decision.action.begin(), decision.action.end()};
}

/// The first round whose list begins with `rising`; before, it begins with `falling`.
template <class Policy>
Round turn(Policy& policy, Arm falling, Arm rising) {
  Round before = 1;
  Round after = Round{1} << 40;
  EXPECT_EQ(list_at(policy, before)[0], falling);
  EXPECT_EQ(list_at(policy, after)[0], rising);
  while (after - before > 1) {
    const Round middle = before + (after - before) / 2;
    (list_at(policy, middle)[0] == rising ? after : before) = middle;
  }
  return after;
}

auto ucb1(int size = kItems) { return recipes::CascadeUcb1::make(setting(1, 0, kItems, size), {}); }

TEST(CascadeIndexPolicy, RanksItsFirstListByTheFreeObservations) {
  for (Arm attractive = 0; attractive < kItems; ++attractive) {
    std::vector<int> first(kItems, 0);
    first[static_cast<std::size_t>(attractive)] = 1;
    auto policy = ucb1();
    start(policy, first);
    EXPECT_EQ(list_at(policy, 1)[0], attractive);
  }
}

TEST(CascadeIndexPolicy, LearnsOfTheItemsUpToTheStopAndOfNoOther) {
  // Item 0 has 1 of 2, the others 0 of 1, which come first once 0.5 + sqrt(0.75 ln t) < sqrt(1.5 ln t): from
  // round 7 on.
  auto policy = ucb1();
  start(policy, {0, 0, 0});
  stop_at(policy, {0, 1, 2}, 0);
  EXPECT_EQ(list_at(policy, 6)[0], 0);
  EXPECT_EQ(list_at(policy, 7)[2], 0);
  // Then 2 has 1 of 2, and 1 has 0 of 2.
  stop_at(policy, {1, 2, 0}, 1);
  EXPECT_EQ(list_at(policy, 100)[2], 1);
  // Then all are looked at without a click: 1 of 3, 0 of 3, 1 of 3; and item 1 once more.
  stop_at(policy, {0, 1, 2}, 3);
  stop_at(policy, {1}, 0);
  stop_at(policy, {0}, 1);
  // 1 of 4, 1 of 4, 1 of 3.
  EXPECT_EQ(list_at(policy, 100)[0], 2);
  stop_at(policy, {0}, 0);
  EXPECT_EQ(list_at(policy, 1), (std::vector<Arm>{0, 2, 1})) << "2 of 5, 1 of 3, 1 of 4";
}

TEST(CascadeIndexPolicy, RanksByDecreasingIndex) {
  auto policy = ucb1();
  start(policy, {0, 0, 0});
  for (int i = 0; i < 8; ++i) {
    stop_at(policy, {1}, 0);
    stop_at(policy, {2}, i % 2);
    stop_at(policy, {0}, 1);
  }
  for (Round t = 1; t <= 100; ++t) EXPECT_EQ(list_at(policy, t), (std::vector<Arm>{1, 2, 0}));
}

TEST(CascadeIndexPolicy, RanksEqualItemsInAnyOrder) {
  auto policy = ucb1();
  start(policy, {0, 0, 0});
  std::vector<std::int64_t> orders(6);
  for (Round t = 1; t <= 6000; ++t) {
    const std::vector<Arm> list = list_at(policy, t);
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
  auto policy = Recipe::make(setting(epsilon), parameters);
  start(policy, {0, 0, 0});
  for (int i = 0; i < 400; ++i) {
    stop_at(policy, {0}, i < 300 ? 0 : 1);
    stop_at(policy, {2}, 1);
    if (i < 25) stop_at(policy, {1}, i < clicks ? 0 : 1);
  }
  const Round turned = turn(policy, 0, 1);
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
    auto policy = Recipe::make(setting(epsilon, run), parameters);
    start(policy, {0, 1, 0});
    stop_at(policy, {0}, 1);
    leads += list_at(policy, 1)[0] == 0 ? 1 : 0;
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
auto shown_first(int n, double epsilon, const typename Recipe::Parameters& parameters = {}) {
  auto policy = Recipe::make(setting(epsilon), parameters);
  using Input = typename decltype(policy)::Input;
  const Arm item = 0;
  for (int i = 0; i < n; ++i) {
    privacy::SecretVector<Input> inputs(1);
    inputs.set(0, privacy::Secret<Input>(Input(Outcome::bit(i % 2 == 0))));
    policy.learn({{&item, 1}, {&item, 1}, 0}, 1, inputs);
  }
  return policy;
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
    parameters.level = "justified";
    const auto justified = shown_first<recipes::CascadeDp>(first, epsilon, parameters);
    const auto upper = [&](double level) {
      return indices::mgf_upper(sharp.estimate(0).sum, first, 1, 1 / epsilon, level);
    };
    EXPECT_NEAR(sharp.index(0, kRound), upper(kLog), 1e-12);
    const double more = kLog + std::log(1 + kLog / std::log(1.5));
    EXPECT_NEAR(justified.index(0, kRound), upper(more), 1e-12);
    ASSERT_LT(upper(more), 0.99) << "clipped: the test says nothing";
  }
}

TEST(CascadeRecipes, CascadeLdpHasTheIndexOfItsReports) {
  const auto policy = shown_first<recipes::CascadeLdp>(100, 0.7);
  const auto e = policy.estimate(0);
  EXPECT_EQ(e.n, 100);
  const double level = kLog + std::log(kSize);
  EXPECT_NEAR(100 * indices::kl(e.mean(), policy.index(0, kRound)), level + std::log(level), 1e-6);
}

/// Reports of each item after some rounds in which items 0 and 1 are always clicked.
std::vector<double> reports_after(Round rounds, double epsilon, double warm_up) {
  auto policy = recipes::CascadeLdp::make(setting(epsilon, 0, 4, kSize), {warm_up});
  for (Round t = 1; t <= rounds; ++t) {
    const SetDecision decision = policy.decide(t);
    privacy::SecretVector<Outcome> inputs(1);
    inputs.set(0, privacy::Secret<Outcome>(Outcome::bit(decision.observed[0] < 2)));
    policy.learn(decision, 1, inputs);
  }
  std::vector<double> reports;
  reports.reserve(4);
  for (Arm item = 0; item < 4; ++item) reports.push_back(policy.estimate(item).n);
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
  const Setting s = setting(epsilon, 0, items, size);
  auto policy = recipes::CascadeLdpStop::make(s, {});
  const privacy::StopResponse response(epsilon, size);
  auto devices = s.key.stream(random::Purpose::kRounding);
  const indices::StopIndex index(response);
  std::vector<indices::StopIndex::State> states(static_cast<std::size_t>(items));
  auto users = s.key.stream(random::Purpose::kOutcomes);
  for (Round t = 1; t <= rounds; ++t) {
    const double log_t = std::log(static_cast<double>(t));
    const double level = log_t > 1 ? log_t + 3 * std::log(log_t) : log_t;
    const SetDecision decision = policy.decide(t);
    const std::vector<Arm> list(decision.action.begin(), decision.action.end());
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
    const privacy::Secret<Stop> secret(Stop{stop});
    policy.learn(decision, secret);
    const auto clicks = response.report(secret, devices);
    double earlier = 0;
    double shown_before = 0;
    for (int k = 0; k < size; ++k) {
      auto& state = states[static_cast<std::size_t>(list[static_cast<std::size_t>(k)])];
      ASSERT_GE(state.shown, shown_before) << "the one shown least comes first; round " << t;
      shown_before = state.shown;
      const double click = clicks.value()[static_cast<std::size_t>(k)];
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

}  // namespace
}  // namespace tacit::policies
