// Policies that sample posteriors only where it matters, against their plain twins, where agreement_test does not go:
// late answers, short horizons, and problems with nothing to tell apart.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/simulation/catalogue_cases_test.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

using policies::Pace;

constexpr double kAlpha = testing::kFamilyError / 1000;

class EverySampler : public ::testing::TestWithParam<std::string> {};

/// A few arms of a policy's pulls and its regret, in many runs.
struct Played {
  std::vector<double> regret;
  std::vector<std::vector<double>> pulls;
};

Played play(Request r, Pace pace, int runs) {
  r.pace = pace;
  r.runs = 1;
  r.seed = pace == Pace::kPlain ? 31 : 32;
  r.checkpoints = {r.horizon};
  const auto simulator = prepare(r);
  Played played;
  played.pulls.resize(static_cast<std::size_t>(r.problem->arms()));
  for (int i = 0; i < runs; ++i) {
    const Run run = simulator->run(static_cast<std::uint64_t>(i));
    played.regret.push_back(run.regrets.back());
    for (std::size_t arm = 0; arm < run.pulls.size(); ++arm) {
      played.pulls[arm].push_back(static_cast<double>(run.pulls[arm]));
    }
  }
  return played;
}

void expect_one_law(const Request& r, int runs, const std::string& what) {
  const Played fast = play(r, Pace::kSkipping, runs);
  const Played plain = play(r, Pace::kPlain, runs);
  const double critical = testing::ks_two_sample_critical(static_cast<std::size_t>(runs), kAlpha);
  EXPECT_LT(testing::ks_distance(fast.regret, plain.regret), critical) << what;
  for (std::size_t arm = 0; arm < fast.pulls.size(); ++arm) {
    EXPECT_LT(testing::ks_distance(fast.pulls[arm], plain.pulls[arm]), critical)
        << what << ", arm " << arm;
  }
}

Request request(const std::string& policy, ProblemPointer problem, Round horizon) {
  Request r;
  r.policy = policy;
  r.epsilon = 4;
  r.problem = std::move(problem);
  r.horizon = horizon;
  if (policies::find_policy(policy).card.plays_sets() && r.problem->arms() > 2) {
    r.actions = std::make_shared<actions::TopK>(r.problem->arms(), 2);
  }
  return r;
}

TEST_P(EverySampler, KeepsItsLawWhenAnswersComeLate) {
  for (const char* delay : {"1", "10", "333", "geometric:20"}) {
    Request r = request(GetParam(), arms({0.2, 0.9, 0.5}, problems::Rewards::kPoint), 4000);
    r.delay = Delay::parse(delay);
    expect_one_law(r, 300, delay);
  }
}

TEST_P(EverySampler, KeepsItsLawInShortRuns) {
  const auto problem = arms({0.95, 0.1, 0.05}, problems::Rewards::kBernoulli);
  for (const Round horizon : {1, 2, 3, 5, 12, 30, 70, 200}) {
    expect_one_law(request(GetParam(), problem, horizon), 4000, std::to_string(horizon));
  }
}

TEST_P(EverySampler, KeepsItsLawWhereThereIsLittleToTellApart) {
  for (const std::vector<double>& means :
       {std::vector<double>{0.6}, {0.5, 0.5, 0.5}, {0.0, 1.0}, {1.0, 1.0, 0.0}, {0.0, 0.0, 0.0}}) {
    expect_one_law(request(GetParam(), arms(means, problems::Rewards::kBernoulli), 2500), 300,
                   std::to_string(means.size()) + " arms from " + std::to_string(means[0]));
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySampler, ::testing::ValuesIn(posterior_samplers()),
                         test_name);

}  // namespace
}  // namespace tacit::simulation
