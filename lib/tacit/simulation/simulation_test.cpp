#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "tacit/actions/cover.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/make_entry.hpp"
#include "tacit/policies/recipes/lazy_kl_sets.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/channel.hpp"
#include "tacit/simulation/checkpoints.hpp"
#include "tacit/simulation/engine.hpp"
#include "tacit/simulation/recorder.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

Request request(const std::string& policy, std::vector<double> means, Round horizon,
                std::int64_t runs, problems::Rewards rewards = problems::Rewards::kBernoulli) {
  Request r;
  r.policy = policy;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(std::move(means), rewards);
  r.horizon = horizon;
  r.runs = runs;
  r.checkpoints = {horizon};
  return r;
}

TEST(Checkpoints, EndWithTheHorizonAndIncrease) {
  EXPECT_EQ(linear_checkpoints(100, 4), (std::vector<Round>{25, 50, 75, 100}));
  EXPECT_EQ(log_checkpoints(1000, 4), (std::vector<Round>{1, 10, 100, 1000}));
  EXPECT_EQ(log_checkpoints(3, 50), (std::vector<Round>{1, 2, 3}));
  EXPECT_EQ(linear_checkpoints(7, 1), (std::vector<Round>{7}));
  EXPECT_EQ(log_checkpoints(kLastRound, 10).back(), kLastRound);
  EXPECT_EQ(parse_checkpoints("linear:2", 10), (std::vector<Round>{5, 10}));
  for (const char* bad : {"", "log", "log:", "log:0", "log:-3", "lin:4", "log:5x", "log:1000000"}) {
    EXPECT_THROW(parse_checkpoints(bad, 10), InvalidParameter) << bad;
  }
}

TEST(Recorder, ReadsCheckpointsInsideStretches) {
  const std::vector<double> gaps{0, 0.5, 0.25};
  const std::vector<Round> every{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::vector<Arm> arms{0, 1, 2};
  const auto only = [&](std::size_t arm) { return std::span<const Arm>(&arms[arm], 1); };
  Recorder in_stretches(PullsTimesGap(gaps), every);
  in_stretches.hold(only(1), 1, 3);
  in_stretches.hold(only(2), 4, 5);
  in_stretches.hold(only(0), 9, 2);
  Recorder one_by_one(PullsTimesGap(gaps), every);
  for (Round t = 1; t <= 3; ++t) one_by_one.hold(only(1), t, 1);
  for (Round t = 4; t <= 8; ++t) one_by_one.hold(only(2), t, 1);
  for (Round t = 9; t <= 10; ++t) one_by_one.hold(only(0), t, 1);
  EXPECT_EQ(in_stretches.regrets(), one_by_one.regrets());
  EXPECT_EQ(in_stretches.regrets(),
            (std::vector<double>{0.5, 1, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 2.75, 2.75}));
  EXPECT_EQ(in_stretches.pulls(), one_by_one.pulls());
  EXPECT_EQ(in_stretches.pulls(), (std::vector<Round>{2, 3, 5}));
}

TEST(Moments, AgreeWithTheirFormulas) {
  Moments all;
  for (int i = 1; i <= 10; ++i) all.add(i * i);
  EXPECT_DOUBLE_EQ(all.mean(), 38.5);
  EXPECT_NEAR(all.standard_error(), std::sqrt((25333 - 10 * 38.5 * 38.5) / 9 / 10), 1e-12);
  EXPECT_NEAR(all.half_width95() / all.standard_error(), 2.262157, 1e-5);  // t table, 9 degrees
  Moments one;
  one.add(3);
  EXPECT_TRUE(std::isnan(one.standard_error()));
}

TEST(Quantiles, Interpolate) {
  const std::vector<double> sorted{1, 2, 4, 8};
  EXPECT_EQ(sorted_quantile(sorted, 0), 1);
  EXPECT_EQ(sorted_quantile(sorted, 1), 8);
  EXPECT_EQ(sorted_quantile(sorted, 0.5), 3);
  EXPECT_EQ(sorted_quantile({5}, 0.3), 5);
}

TEST(Simulate, DoesNotDependOnThreadsOrCheckpoints) {
  for (const char* policy :
       {"anytime-lazy-ucb", "thompson-beta", "lazy-dp-ts", "dp-se", "rnm-ftnl"}) {
    Request r = request(policy, {0.8, 0.6, 0.4}, 3000, 40);
    const Summary one = simulate(r);
    for (const int threads : {2, 7}) {
      r.threads = threads;
      r.checkpoints = threads == 2 ? linear_checkpoints(3000, 13) : log_checkpoints(3000, 200);
      const Summary many = simulate(r);
      EXPECT_EQ(one.final_regrets, many.final_regrets) << policy;
      EXPECT_EQ(one.mean_pulls, many.mean_pulls) << policy;
      EXPECT_EQ(one.decisions, many.decisions) << policy;
      EXPECT_EQ(one.curve.back().mean(), many.curve.back().mean()) << policy;
      EXPECT_EQ(one.curve.back().standard_error(), many.curve.back().standard_error()) << policy;
    }
  }
}

TEST(Simulate, EveryPolicyPlaysEveryRoundAndRepeatsItself) {
  for (const policies::Entry& entry : policies::catalogue()) {
    for (const std::vector<double>& means :
         {std::vector<double>{0.4}, {0.5, 0.5}, {0, 1, 0.5}, {0.9, 0.8, 0.1, 0.3, 0.2, 0.7}}) {
      for (const Round horizon : {1, 2, 777}) {
        Request r = request(entry.card.name, means, horizon, 3);
        const Summary a = simulate(r);
        double pulls = 0;
        for (const double p : a.mean_pulls) pulls += p;
        EXPECT_NEAR(pulls, static_cast<double>(horizon), 1e-9) << entry.card.name;
        EXPECT_GE(a.final_regrets.front(), 0) << entry.card.name;
        EXPECT_EQ(a.final_regrets, simulate(r).final_regrets) << entry.card.name;
      }
    }
  }
}

TEST(Simulate, EveryPolicyLearnsFromOutcomesThatAreNotBits) {
  // An easy problem with hardly any noise: half of what playing at random loses is a loose limit.
  // dp-se is left out: it compares nothing before each arm has had a thousand pulls.
  for (const policies::Entry& entry : policies::catalogue()) {
    if (std::string(entry.card.name) == "dp-se") continue;
    for (const auto rewards : {problems::Rewards::kBeta, problems::Rewards::kTruncatedNormal,
                               problems::Rewards::kPoint}) {
      Request r = request(entry.card.name, {0.05, 0.95}, 4000, 8, rewards);
      r.epsilon = 20;
      EXPECT_LT(simulate(r).curve.back().mean(), 0.5 * 0.45 * 4000)
          << entry.card.name << " " << problems::name_of(rewards);
    }
  }
}

TEST(Engine, ARecordedArmLearnsItsOwnOutcomes) {
  // Point masses and hardly any noise: every estimate is the mean of its own arm.
  using policies::recipes::LazyKlCucb;
  const std::vector<double> means{0.9, 0.8, 0.7, 0.3, 0.2};
  const problems::IndependentArms problem(means, problems::Rewards::kPoint);
  const auto actions = std::make_shared<actions::TopK>(5, 3);
  const random::SimulationKey key(1, "play", "sets", 0);
  for (const policies::Record record : {policies::Record::kWeakest, policies::Record::kAll}) {
    LazyKlCucb::Parameters parameters;
    parameters.record = record;
    const policies::Setting setting{.arms = 5,
                                    .epsilon = 1e6,
                                    .delta = std::nullopt,
                                    .horizon = 500,
                                    .pace = policies::Pace::kSkipping,
                                    .actions = actions};
    auto curator = channel(LazyKlCucb::plan(setting, parameters), 5,
                           {key, privacy::Arithmetic::kIdealised, nullptr});
    auto outcomes = key.stream(random::Purpose::kOutcomes);
    const std::vector<Round> checkpoints{500};
    Recorder recorder(
        ValueOfSets([&](std::span<const Arm> action) { return actions->value(action, means); },
                    actions->benchmark(means), 5),
        checkpoints);
    policies::with_learner<LazyKlCucb>(setting, parameters, random::Dice(key), [&](auto learner) {
      Engine(learner, curator, {problem, 3, 500, outcomes, nullptr}).play(recorder);
      for (Arm arm = 0; arm < 5; ++arm) {
        EXPECT_GT(learner.estimate(arm).n, 0) << arm;
        EXPECT_NEAR(learner.estimate(arm).mean(), means[static_cast<std::size_t>(arm)], 1e-3)
            << arm;
      }
    });
  }
}

TEST(Simulate, ActionSetsHaveStreamsOfTheirOwn) {
  Request r = request("cucb", {0.5, 0.5, 0.5, 0.5}, 200, 1);
  r.actions = std::make_shared<actions::TopK>(4, 1);
  const auto top = prepare(r)->run(0).pulls;
  r.actions =
      std::make_shared<actions::ExplicitList>(4, std::vector<std::vector<Arm>>{{0}, {1}, {2}, {3}});
  EXPECT_NE(top, prepare(r)->run(0).pulls) << "the same choices, but other randomness";
}

TEST(Simulate, OursLearnOnSetsOfEveryKind) {
  // The best action is not the one that the first look finds: half of what playing the worst loses is
  // a loose limit.
  const actions::Graph detour{4, {{0, 1}, {0, 2}, {2, 3}, {3, 1}}, true};
  struct Case {
    std::vector<double> means;
    std::shared_ptr<const actions::ActionSet> actions;
    double worst;  // loss of a round
  };
  const std::vector<Case> cases{
      {{0.5, 0.95, 0.95, 0.95}, std::make_shared<actions::Paths>(detour, 0, 1), 0.35},
      {{0.2, 0.9, 0.8, 0.3},
       std::make_shared<actions::BipartiteMatching>(
           2, 2, std::vector<actions::Edge>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}),
       1.2},
      {{0.3, 0.3, 0.3, 0.8, 0.8},
       std::make_shared<actions::Cover>(
           2, 5, std::vector<actions::Edge>{{0, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}}, 1),
       0.7},
      {{0.2, 0.2, 0.6, 0.7},
       std::make_shared<actions::ExplicitList>(4, std::vector<std::vector<Arm>>{{0, 1}, {2, 3}}),
       0.9}};
  for (const Case& c : cases) {
    for (const char* record : {"one", "all"}) {
      Request r = request("lazy-kl-cucb", c.means, 4000, 5);
      r.actions = c.actions;
      r.epsilon = 5;
      r.parameters = {{"record", record}};
      const double alpha = c.actions->approximation().alpha;
      const Summary s = simulate(r);
      // Against the best action itself, not against the oracle's share of it.
      const double regret = s.curve.back().mean() + 4000 * s.benchmark * (1 / alpha - 1);
      EXPECT_LT(regret, 0.5 * c.worst * 4000) << c.actions->name() << " " << record;
    }
  }
}

TEST(Simulate, RankedListsLearnFromClicksNotFromOutcomes) {
  // An outcome of a half or more is a click: the first item is always clicked, the second in seven
  // rounds of ten, though its mean outcome is larger.
  std::vector<std::vector<double>> rows;
  for (int t = 0; t < 3000; ++t) rows.push_back({0.6, t % 10 < 7 ? 1.0 : 0.0});
  for (const char* policy : {"cascade-dp", "cascade-ldp", "cascade-ldp-stop", "cascade-ucb1"}) {
    Request r = request(policy, {0.5, 0.5}, 3000, 3);
    r.problem = std::make_shared<problems::Table>(rows);
    r.epsilon = 3;
    const Summary s = simulate(r);
    EXPECT_EQ(s.benchmark, 1) << policy;
    EXPECT_LT(s.curve.back().mean(), 0.5 * 0.3 * 3000) << policy;
  }
}

TEST(EnvironmentEpsilon, RegretIsOfTheTruthAndHistoriesOfWhatIsReleased) {
  const auto regret = [](const std::string& policy, std::optional<double> epsilon) {
    Request r = request(policy, {0.9, 0.5}, 2000, 200);
    r.environment_epsilon = epsilon;
    return simulate(r).curve.back().mean();
  };
  // With hardly any noise, as without.
  EXPECT_NEAR(regret("kl-ucb", 1e6), regret("kl-ucb", std::nullopt), 1);
  // With nothing but noise each arm is the better one of every other run; both cut to the same end half of the time, and
  // half of the rounds go either way then.
  EXPECT_NEAR(regret("kl-ucb", 1e-3), 0.4 * 1000, 80);
  // P(released gap < 0) = e^-g/2 (1 + g/2), g = 0.4 epsilon = 2, were nothing cut: 0.14 of the runs fail.
  const double between = regret("kl-ucb", 5);
  EXPECT_GT(between, 0.05 * 800);
  EXPECT_LT(between, 0.3 * 800);
}

TEST(EnvironmentEpsilon, EveryRunHasAReleaseOfItsOwnWhichRepeats) {
  Request r = request("ucb1", {0.6, 0.5, 0.4}, 300, 1, problems::Rewards::kPoint);
  r.environment_epsilon = 20;
  const auto simulator = prepare(r);
  EXPECT_EQ(simulator->run(0).regrets, simulator->run(0).regrets);
  // Outcomes are certain here: only the release tells runs apart.
  EXPECT_NE(simulator->run(0).pulls, simulator->run(1).pulls);
  r.environment_epsilon.reset();
  const auto plain = prepare(r);
  EXPECT_EQ(plain->run(0).pulls, plain->run(1).pulls);
}

TEST(EnvironmentEpsilon, WorksOnSetsAndListsAndNotOnTables) {
  for (const char* policy : {"cucb", "cascade-ucb1", "dpucb-mat"}) {
    Request r = request(policy, {0.9, 0.8, 0.1, 0.1}, 500, 40);
    r.actions = std::make_shared<actions::TopK>(4, 2);
    r.environment_epsilon = 1e-3;
    const Summary blind = simulate(r);
    r.environment_epsilon = 1e5;
    const Summary clear = simulate(r);
    EXPECT_GT(blind.curve.back().mean(), clear.curve.back().mean()) << policy;
    EXPECT_EQ(blind.benchmark, clear.benchmark) << policy << ": that of the truth";
  }
  Request table = request("ucb1", {0.5}, 2, 1);
  table.problem =
      std::make_shared<problems::Table>(std::vector<std::vector<double>>{{1, 0}, {0, 1}});
  table.environment_epsilon = 1;
  EXPECT_THROW(simulate(table), InvalidParameter);
}

TEST(Simulate, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(simulate(request("ucb1", {0.5}, 0, 1)), InvalidParameter);
  EXPECT_THROW(simulate(request("ucb1", {0.5}, kLastRound + 1, 1)), InvalidParameter);
  EXPECT_THROW(simulate(request("ucb1", {0.5}, 10, 0)), InvalidParameter);
  EXPECT_THROW(simulate(request("nonesuch", {0.5}, 10, 1)), InvalidParameter);
  Request r = request("ucb1", {0.5}, 10, 1);
  r.problem = std::make_shared<problems::Table>(std::vector<std::vector<double>>{{1.0}, {0.0}});
  EXPECT_THROW(simulate(r), InvalidParameter);
}

TEST(Simulate, AnArmWhoseIndexIsOneIsNotTiedWithThoseWhoseIndexIsNearly) {
  // Drawn from as equal, the arm of mean 0 would be played in about five rounds, not in one and a half.
  Request r = request("adap-klucb", {1, 1, 0.5, 0}, 20000, 1);
  r.epsilon = 30;
  double pulls = 0;
  constexpr int kRuns = 400;
  for (int run = 0; run < kRuns; ++run) pulls += static_cast<double>(prepare(r)->run(run).pulls[3]);
  EXPECT_LT(pulls / kRuns, 2);
}

TEST(Simulate, DecisionsDoNotGrowWithTheHorizonWhereTwoIndicesCross) {
  Request r = request("lazy-kl-mat", {0.9, 0.5}, Round{1000000000000000}, 1);
  r.actions = std::make_shared<actions::TopK>(2, 1);
  for (const Round horizon : {Round{1000000000000000}, kLastRound}) {
    r.horizon = horizon;
    r.checkpoints = log_checkpoints(horizon, 10);
    for (int run = 0; run < 3; ++run) EXPECT_LT(prepare(r)->run(run).decisions, 100000) << horizon;
  }
}

TEST(Simulate, HugeHorizonsStayCheap) {
  Request r = request("anytime-lazy-ucb", {0.75, 0.5}, 1000000000000000, 5);
  const Summary s = simulate(r);
  EXPECT_LT(s.decisions, 5 * 100000);
  EXPECT_EQ(s.rounds, 5e15);
}

}  // namespace
}  // namespace tacit::simulation
