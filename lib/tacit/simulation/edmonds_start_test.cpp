// start=edmonds, played: every arm after the fewest rounds, and nothing else changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/graphic_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/catalogue_cases_test.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

constexpr const char* kPolicies[] = {"omm", "kl-osm", "dpucb-mat", "dpts-mat"};

/// The spanning trees of eight nodes that are all joined: 28 arms of rank 7, four trees hold them all.
Request on_trees(const std::string& policy, Round horizon, const std::string& start) {
  std::vector<actions::Edge> edges;
  for (int to = 0; to < 8; ++to) {
    for (int from = 0; from < to; ++from) edges.push_back({from, to});
  }
  Request r;
  r.policy = policy;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(std::vector<double>(edges.size(), 0.5),
                                                          problems::Rewards::kBernoulli);
  r.actions = std::make_shared<actions::MatroidBases>(
      std::make_shared<actions::GraphicMatroid>(8, edges), "k8");
  r.horizon = horizon;
  r.runs = 1;
  r.checkpoints = {horizon};
  if (!start.empty()) r.parameters = {{"start", start}};
  return r;
}

int runs_that_played_all(const Request& request, int runs) {
  int all = 0;
  const auto simulator = prepare(request);
  for (int run = 0; run < runs; ++run) {
    const auto pulls = simulator->run(static_cast<std::uint64_t>(run)).pulls;
    all += std::count(pulls.begin(), pulls.end(), 0) == 0 ? 1 : 0;
  }
  return all;
}

TEST(EdmondsStart, PlaysEveryArmOnceInTheFewestRounds) {
  for (const std::string policy : kPolicies) {
    for (const policies::Pace pace : {policies::Pace::kSkipping, policies::Pace::kPlain}) {
      Request request = on_trees(policy, 4, "edmonds");
      request.pace = pace;
      EXPECT_EQ(runs_that_played_all(request, 30), 30) << policy;
      request.actions = std::make_shared<actions::Scaled>(request.actions, 3);
      EXPECT_EQ(runs_that_played_all(request, 5), 5) << policy;
    }
    EXPECT_LT(runs_that_played_all(on_trees(policy, 4, "greedy"), 30), 15) << policy;
  }
}

TEST(EdmondsStart, IsNotTheDefaultAndCostsNoPrivacy) {
  for (const std::string policy : kPolicies) {
    const auto plain = prepare(on_trees(policy, 300, ""));
    const auto greedy = prepare(on_trees(policy, 300, "greedy"));
    const auto edmonds = prepare(on_trees(policy, 300, "edmonds"));
    EXPECT_EQ(plain->run(0).pulls, greedy->run(0).pulls) << policy;
    EXPECT_NE(plain->run(0).pulls, edmonds->run(0).pulls) << policy;
    EXPECT_EQ(plain->guarantee().epsilon, edmonds->guarantee().epsilon);
    EXPECT_EQ(plain->guarantee().because, edmonds->guarantee().because);
  }
}

TEST(EdmondsStart, IsTheSameAtBothPacesForEveryHorizon) {
  for (const std::string policy : kPolicies) {
    for (const double epsilon : {1e-9, 1.0, 1e9}) {
      for (const privacy::Arithmetic arithmetic :
           {privacy::Arithmetic::kIdealised, privacy::Arithmetic::kExact}) {
        for (Round horizon = 1; horizon <= 70; ++horizon) {
          Request request = on_trees(policy, horizon, "edmonds");
          request.epsilon = epsilon;
          request.arithmetic = arithmetic;
          request.problem = std::make_shared<problems::IndependentArms>(
              std::vector<double>(28, 0.5), problems::Rewards::kPoint);
          const auto fast = prepare(request)->run(1).pulls;
          request.pace = policies::Pace::kPlain;
          const bool started = horizon > 4;
          if (!started || !samples_posteriors_lazily(policy)) {
            ASSERT_EQ(fast, prepare(request)->run(1).pulls)
                << policy << " " << epsilon << " " << horizon;
          }
          const auto seen = 28 - std::count(fast.begin(), fast.end(), 0);
          ASSERT_EQ(seen, 7 * std::min<Round>(horizon, 4));
        }
      }
    }
  }
}

TEST(EdmondsStart, NeedsAMatroid) {
  Request request = on_trees("omm", 10, "edmonds");
  request.actions = std::make_shared<actions::ExplicitList>(
      28, std::vector<std::vector<Arm>>{{0, 1, 2}, {3, 4, 5}});
  try {
    prepare(request)->run(0);
    FAIL() << "accepted";
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find("start=edmonds needs a matroid or top:K"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tacit::simulation
