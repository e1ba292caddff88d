// The skipping path against its plain twin, for every policy of the catalogue unasked.
//
// Where nothing but the policy's own keyed noise is random (a table, point masses) the traces are
// identical. A posterior sampler's choices are random too, and skipping draws fewer of them: there,
// and under random outcomes, the distributions of regret and of every arm's pulls are compared.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/simulation/catalogue_cases_test.hpp"
#include "tacit/simulation/checkpoints.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

using policies::Pace;

Request request(const std::string& policy, double epsilon, ProblemPointer problem, Round horizon,
                Pace pace, std::uint64_t seed) {
  Request r;
  r.policy = policy;
  r.epsilon = epsilon;
  r.problem = std::move(problem);
  r.horizon = horizon;
  r.runs = 1;
  r.seed = seed;
  r.pace = pace;
  r.checkpoints = log_checkpoints(horizon, 60);
  return r;
}

/// What a policy plays: one arm, and, under semi-bandit feedback, sets of every kind of structure.
std::vector<ActionsPointer> action_sets(const std::string& policy, int arms) {
  std::vector<ActionsPointer> sets{nullptr};
  const feedback::Kind feedback = policies::find_policy(policy).card.feedback;
  if (feedback != feedback::Kind::kSemi && feedback != feedback::Kind::kCascade) return sets;
  sets.push_back(std::make_shared<actions::TopK>(arms, 2));
  if (feedback == feedback::Kind::kCascade) return sets;
  // Vectors of rank 2 whose last is parallel to the first: swaps are possible for some pairs only.
  std::vector<std::vector<std::int64_t>> rows{{1, 0}, {0, 1}, {1, 1}, {1, 2}};
  rows.resize(static_cast<std::size_t>(arms) - 1);
  rows.push_back({3, 0});
  sets.push_back(std::make_shared<actions::MatroidBases>(
      std::make_shared<actions::LinearMatroid>(rows), "vectors"));
  if (policy == "lazy-kl-mat") return sets;  // matroids only
  // Sets of different sizes without a structure.
  sets.push_back(std::make_shared<actions::ExplicitList>(
      arms, std::vector<std::vector<Arm>>{{0, 1}, {2}, {arms - 1, 1}, {0, 2}}));
  return sets;
}

/// The parameters under which a policy skips in another way: its own, all arms of a set recorded, the fewest first bases.
/// Counters do not skip.
std::vector<std::vector<policies::ParameterValue>> skipping_variants(
    const std::string& policy, const ActionsPointer& actions) {
  std::vector<std::vector<policies::ParameterValue>> all = variants(policy);
  std::erase_if(all,
                [](const auto& given) { return !given.empty() && given[0].name == "counter"; });
  for (const policies::ParameterInfo& info : policies::find_policy(policy).parameters({})) {
    if (info.name == "record") all.push_back({{"record", "all"}});
    if (info.name == "level") all.push_back({{"level", "justified"}});
    if (info.name == "bonus") all.push_back({{"bonus", "rounds"}, {"threshold", "heuristic"}});
    if (info.name == "start" && (!actions || actions::are_bases(actions->structure()))) {
      all.push_back({{"start", "edmonds"}});
    }
  }
  return all;
}

class EveryPolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPolicy, SkippingLeavesTheTraceOfAFixedProblemUnchanged) {
  if (samples_posteriors_lazily(GetParam())) GTEST_SKIP() << "agrees in law: next test";
  std::vector<ProblemPointer> problems{patterned_table()};
  // A click is a coin whatever the family of outcomes: for ranked lists only a table is fixed.
  if (policies::find_policy(GetParam()).card.feedback != feedback::Kind::kCascade) {
    problems.push_back(arms({0.75, 0.7, 0.51, 0.333}, problems::Rewards::kPoint));
    problems.push_back(arms({0.1, 0.1, 0.1}, problems::Rewards::kPoint));
    problems.push_back(arms({1, 0.5, 1, 0}, problems::Rewards::kPoint));
  }
  for (const ProblemPointer& problem : problems) {
    for (const double epsilon : {0.2, 1.0, 20.0}) {
      for (const ActionsPointer& actions : action_sets(GetParam(), problem->arms())) {
        for (const auto& parameters : skipping_variants(GetParam(), actions)) {
          for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const auto run = [&](Pace pace) {
              Request r = request(GetParam(), epsilon, problem, 4000, pace, seed);
              r.actions = actions;
              r.parameters = parameters;
              return prepare(r)->run(0);
            };
            const auto fast = run(Pace::kSkipping);
            const auto plain = run(Pace::kPlain);
            ASSERT_EQ(fast.regrets, plain.regrets) << problem->name() << " " << epsilon;
            ASSERT_EQ(fast.pulls, plain.pulls) << problem->name() << " " << epsilon;
            EXPECT_EQ(plain.decisions, 4000);
          }
        }
      }
    }
  }
}

TEST_P(EveryPolicy, ManyArmsAreChosenFromAsIfEveryIndexWereComputed) {
  // From some thirty arms on even indices in closed form are computed only where they can win.
  if (samples_posteriors_lazily(GetParam())) GTEST_SKIP() << "agrees in law: next test";
  const feedback::Kind feedback = policies::find_policy(GetParam()).card.feedback;
  constexpr int kMany = 40;
  std::vector<std::vector<double>> rows;
  std::vector<double> means;
  for (int arm = 0; arm < kMany; ++arm) means.push_back(0.3 + 0.01 * (arm % 37));
  for (int t = 0; t < 3000; ++t) {
    rows.emplace_back();
    for (int arm = 0; arm < kMany; ++arm) {
      rows.back().push_back(
          (t * 31 + arm * 17) % 100 < 100 * means[static_cast<std::size_t>(arm)] ? 1 : 0);
    }
  }
  std::vector<ProblemPointer> problems{std::make_shared<problems::Table>(rows)};
  if (feedback != feedback::Kind::kCascade) {
    problems.push_back(arms(means, problems::Rewards::kPoint));
  }
  for (const ProblemPointer& problem : problems) {
    for (const double epsilon : {0.5, 10.0}) {
      const auto run = [&](Pace pace) {
        Request r = request(GetParam(), epsilon, problem, 3000, pace, 1);
        if (feedback == feedback::Kind::kSemi || feedback == feedback::Kind::kCascade) {
          r.actions = std::make_shared<actions::TopK>(kMany, 5);
        }
        return prepare(r)->run(0);
      };
      const auto fast = run(Pace::kSkipping);
      const auto plain = run(Pace::kPlain);
      ASSERT_EQ(fast.regrets, plain.regrets) << problem->name().substr(0, 20) << " " << epsilon;
      ASSERT_EQ(fast.pulls, plain.pulls) << problem->name().substr(0, 20) << " " << epsilon;
    }
  }
}

struct Samples {
  std::vector<double> regret;
  std::vector<std::vector<double>> pulls;
  std::int64_t decisions = 0;
};

Samples sample(const Request& r, int runs) {
  const auto simulator = prepare(r);
  Samples samples;
  samples.pulls.resize(static_cast<std::size_t>(r.problem->arms()));
  for (int i = 0; i < runs; ++i) {
    const Run run = simulator->run(static_cast<std::uint64_t>(i));
    samples.regret.push_back(run.regrets.back());
    for (std::size_t a = 0; a < run.pulls.size(); ++a) {
      samples.pulls[a].push_back(static_cast<double>(run.pulls[a]));
    }
    samples.decisions += run.decisions;
  }
  return samples;
}

/// The largest two-sample distance over regret and every arm's pulls.
double apart(const Samples& a, const Samples& b) {
  double distance = testing::ks_distance(a.regret, b.regret);
  for (std::size_t i = 0; i < a.pulls.size(); ++i) {
    distance = std::max(distance, testing::ks_distance(a.pulls[i], b.pulls[i]));
  }
  return distance;
}

/// Every policy on at most 4 action sets, in 2 settings, by its regret and at most 4 arms.
double alpha() {
  return testing::kFamilyError / (static_cast<double>(policies::catalogue().size()) * 4 * 2 * 5);
}

TEST_P(EveryPolicy, SkippingKeepsTheLawOfRegretAndPulls) {
  struct Case {
    ProblemPointer problem;
    double epsilon;
    Round horizon;
    int runs;
  };
  const bool lazily = samples_posteriors_lazily(GetParam());
  // Thinning starts once arms are told apart, which takes longer, most of all with noise: those cases are longer and
  // wider apart.
  const auto first = arms({0.8, 0.6, 0.55, 0.2}, problems::Rewards::kBernoulli);
  const auto close = arms({0.5, 0.45, 0.3}, problems::Rewards::kBeta);
  const auto wide = arms({0.2, 0.9, 0.5}, problems::Rewards::kBeta);
  const Round horizon = GetParam() == "lazy-dp-ts" ? 8000 : 4000;
  const std::vector<Case> cases =
      lazily ? std::vector<Case>{{first, 1, horizon, 1500}, {wide, 4, horizon, 600}}
             : std::vector<Case>{{first, 1, 2500, 1500}, {close, 0.5, 1500, 600}};
  for (const Case& c : cases) {
    for (const ActionsPointer& actions : action_sets(GetParam(), c.problem->arms())) {
      const int runs = actions ? c.runs / 2 : c.runs;
      const auto draw = [&](Pace pace, std::uint64_t seed, int count) {
        Request r = request(GetParam(), c.epsilon, c.problem, c.horizon, pace, seed);
        r.actions = actions;
        return sample(r, count);
      };
      const Samples fast = draw(Pace::kSkipping, 11, 50);
      if (!lazily && fast.decisions >= 50 * c.horizon) return;  // does not skip: the paths are one
      if (!lazily || (skips_rounds(GetParam()) && c.problem == wide)) {
        ASSERT_LT(fast.decisions, 45 * c.horizon);
      }
      EXPECT_LT(apart(draw(Pace::kSkipping, 21, runs), draw(Pace::kPlain, 22, runs)),
                testing::ks_two_sample_critical(static_cast<std::size_t>(runs), alpha()))
          << c.problem->name() << " " << (actions ? actions->name() : "single");
    }
  }
}

TEST(Agreement, AChangedLawIsCaught) {
  // The power of the comparison: twice the noise shows, even in regret that is quantised by epochs.
  const ProblemPointer problem = arms({0.8, 0.6, 0.55, 0.2}, problems::Rewards::kBernoulli);
  const auto draw = [&](const char* policy, double epsilon, Pace pace, std::uint64_t seed) {
    return sample(request(policy, epsilon, problem, 2500, pace, seed), 1500);
  };
  for (const char* policy :
       {"anytime-lazy-ucb", "lazy-dp-ts", "dp-klucb", "ts-cf", "dpts-mat", "dp-ts-tree"}) {
    EXPECT_GT(apart(draw(policy, 1, Pace::kSkipping, 21), draw(policy, 0.5, Pace::kPlain, 22)),
              testing::ks_two_sample_critical(1500, alpha()))
        << policy;
  }
}

TEST(Agreement, ThePoliciesThatCanSkipDo) {
  // Without this a policy that lost its skipping would pass the comparison above unseen.
  const ProblemPointer problem = arms({0.9, 0.5, 0.2}, problems::Rewards::kBernoulli);
  for (const char* policy : {"anytime-lazy-ucb",
                             "lazy-dp-ts",
                             "dp-se",
                             "adap-ucb",
                             "adap-klucb",
                             "dp-klucb",
                             "dp-imed",
                             "mgf-klucb",
                             "mgf-imed",
                             "ftnl",
                             "rnm-ftnl-as-published",
                             "rnm-ftnl",
                             "pf-ftnl",
                             "dpucb-mat",
                             "dpts-mat",
                             "lazy-kl-mat",
                             "lazy-kl-cucb",
                             "cascade-dp",
                             "adap-tt",
                             "adap-tt-star"}) {
    for (const ActionsPointer& actions : action_sets(policy, 3)) {
      Request r = request(policy, 2, problem, 100000, Pace::kSkipping, 1);
      r.actions = actions;
      EXPECT_LT(prepare(r)->run(0).decisions, 20000) << policy;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPolicy, ::testing::ValuesIn(all_names()), test_name);

}  // namespace
}  // namespace tacit::simulation
