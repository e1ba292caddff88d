// Rewards that are no sums, oracles that are approximate, sets that are gone through: bounds are kept, and regret is
// against what was asked for.
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/specs/requests.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::specs {
namespace {

/// The graphs that the tests play on, as long as this object exists.
class Graphs {
 public:
  Graphs()
      : folder_(std::filesystem::temp_directory_path() /
                ("tacit_nonlinear_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
    write("diamond", "a,b\nb,d\na,c\nc,d\n");
    write("square", "l1,r1\nl1,r2\nl2,r1\nl2,r2\n");
    write("triangle", "a,b\nb,c\nc,a\n");
    write("ring", "0,1,3\n1,0,2\n2,1,3\n3,2,0\n");
    write("coverage", "a,1\na,2\nb,1\nb,2\nc,3\nd,3\n");
    write("star", "hub,1\nhub,2\nhub,3\nhub,4\nother,5\n");
  }
  ~Graphs() { std::filesystem::remove_all(folder_); }
  Graphs(const Graphs&) = delete;
  Graphs& operator=(const Graphs&) = delete;
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }

 private:
  std::filesystem::path folder_;
};

struct Kind {
  std::string actions;
  std::string means;
  std::string horizon = "30000";
};

std::vector<Kind> kinds(const Graphs& graphs) {
  return {{"paths:" + graphs.at("diamond") + ":a:d", "0.9,0.9,0.1,0.1"},
          {"matching:" + graphs.at("square"), "0.9,0.1,0.1,0.9"},
          {"cut:" + graphs.at("triangle"), "0.9,0.9,0.1"},
          {"neighbours:" + graphs.at("ring"), "0.9,0.1,0.1,0.1"},
          {"scale:5:cut:" + graphs.at("triangle"), "0.9,0.9,0.1"},
          {"cover:" + graphs.at("coverage") + ":2", "0.9,0.9,0.9,0.9,0.05,0.05", "60000"},
          {"approximate:0.9:0.8:cover:" + graphs.at("coverage") + ":2", "0.9,0.9,0.9,0.9,0.05,0.05",
           "60000"},
          {"approximate:0.5:0.7:top:1", "0.9,0.46,0.1"},
          {"influence:" + graphs.at("star") + ":1", "0.9,0.9,0.9,0.9,0.05", "8000"}};
}

RequestText text_of(const Kind& kind, const std::string& policy, const std::string& epsilon) {
  return {.problem = {.means = kind.means, .actions = kind.actions},
          .policy = policy,
          .epsilon = epsilon,
          .delta = "1e-3",
          .horizon = kind.horizon,
          .runs = "3",
          .checkpoints = "log:5"};
}

TEST(Nonlinear, BoundsAreKeptOnEveryKindOfSets) {
  const Graphs graphs;
  for (const Kind& kind : kinds(graphs)) {
    for (const auto& [policy, name] :
         {std::pair("cucb-ldp1", "chen-theorem-2"), std::pair("cucb-ldp2", "chen-theorem-4"),
          std::pair("cucb-ldp-gaussian-as-published", "wang-theorem-10"),
          std::pair("cucb-ldp-gaussian", "wang-theorem-10-analytic")}) {
      SCOPED_TRACE(kind.actions + " " + policy);
      const simulation::Request request = specs::request(text_of(kind, policy, "100")).request;
      const auto instance = instance_of(request, feedback::Kind::kSemi);
      ASSERT_TRUE(instance);
      const theory::Number bound = theory::evaluate(theory::find_bound(name), *instance);
      ASSERT_TRUE(bound) << bound.why_not().in_words();
      // The bound says something: less than that every round is as bad as can be.
      EXPECT_LT(*bound, 0.9 * static_cast<double>(request.horizon) * instance->sets->largest *
                            instance->reward_scale);
      const simulation::Moments regret = simulation::simulate(request).curve.back();
      EXPECT_LE(regret.mean() - 5 * regret.standard_error(), *bound);
    }
  }
}

TEST(Nonlinear, ScaledRewardsHaveScaledRegret) {
  // The same draws: runs are keyed by the name of the set, so that means are compared.
  const auto regret = [](const std::string& actions) {
    return simulation::simulate(
               specs::request({.problem = {.means = "0.9,0.5,0.1", .actions = actions},
                               .policy = "cucb",
                               .horizon = "2000",
                               .runs = "200"})
                   .request)
        .curve.back();
  };
  const simulation::Moments plain = regret("top:1");
  const simulation::Moments scaled = regret("scale:10:top:1");
  EXPECT_NEAR(scaled.mean(), 10 * plain.mean(),
              5 * (scaled.standard_error() + 10 * plain.standard_error()));
  EXPECT_GT(plain.mean(), 50 * plain.standard_error());
}

TEST(Nonlinear, ThePapersInstancesHaveTheirB) {
  const ChosenProblem plain = problem("k-path:8:2:0.2");
  const ChosenProblem scaled = problem("k-path:8:2:0.6:3");
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(plain.problem->means()[i], scaled.problem->means()[i], 1e-12);
  EXPECT_EQ(scaled.actions->benchmark(scaled.problem->means()),
            3 * plain.actions->benchmark(plain.problem->means()));
  EXPECT_EQ(problem("public-arms:8:2:0.6:3").actions->smoothness().b1, 3);
  EXPECT_THROW(problem("k-path:8:2:0.6:0"), InvalidParameter);
  EXPECT_THROW(problem("k-path:8:2:0.6:x"), InvalidParameter);
}

/// Why a problem is refused.
std::string said(const std::string& name) {
  try {
    problem(name);
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Nonlinear, RangesSayWhichEndsAreRefused) {
  EXPECT_EQ(said("equal-gaps:3:0"),
            "problem = equal-gaps:3:0: gap = 0: must be a number in (0, 1]");
  try {
    action_set("approximate:2:1:top:2", 4);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_STREQ(error.what(),
                 "actions = approximate:2:1:top:2: alpha = 2: must be a number in (0, 1]");
  }
}

TEST(Nonlinear, AGapThatDoesNotFitItsBIsNamedAsItWasGiven) {
  EXPECT_EQ(said("k-path:20:4:0.4:0.01"),
            "problem = k-path:20:4:0.4:0.01: gap = 0.4: must be a number in (0, 0.014)");
  EXPECT_EQ(said("public-arms:20:4:8:2"),
            "problem = public-arms:20:4:8:2: gap = 8: must be a number in (0, 2.8)");
  EXPECT_EQ(
      said("k-path:20:4:1e-9:1e-8"),
      "problem = k-path:20:4:1e-9:1e-8: factor = 1e-08: must be a number in [1e-06, 1000000]");
}

TEST(Nonlinear, AWorstOracleIsWorthHardlyMoreThanItPromises) {
  // 0.45 is hardly more than half of 0.8, and a failure is worth 0: 0.8 * 0.45 - 0.8 * 0.4 = 0.04 a round, once it is known that
  // 0.45 is enough (of 0.41 that would take millions).
  const simulation::Summary summary = simulation::simulate(
      specs::request({.problem = {.means = "0.8,0.45,0", .actions = "approximate:0.5:0.8:top:1"},
                      .policy = "cucb",
                      .horizon = "400000",
                      .runs = "10",
                      .checkpoints = "linear:2"})
          .request);
  EXPECT_NEAR(summary.benchmark, 0.32, 1e-9);
  const double late = summary.curve[1].mean() - summary.curve[0].mean();
  EXPECT_NEAR(late / 200000, -0.04, 0.002);
}

TEST(Against, TheBestIsAsMuchMoreAsTheOracleIsForgiven) {
  const Graphs graphs;
  RequestText text = text_of(
      {"cover:" + graphs.at("coverage") + ":2", "0.9,0.6,0.5,0.9,0.3,0.05", "500"}, "cucb", "1");
  const simulation::Summary oracle = simulation::simulate(specs::request(text).request);
  text.against = "best";
  const simulation::Summary best = simulation::simulate(specs::request(text).request);
  const double alpha = 1 - std::exp(-1.0);
  EXPECT_NEAR(oracle.benchmark, alpha * best.benchmark, 1e-9);
  EXPECT_NEAR(best.curve.back().mean() - oracle.curve.back().mean(),
              500 * (1 - alpha) * best.benchmark, 1e-5);
  EXPECT_GT(best.final_regrets.front(), 0);
  EXPECT_LT(oracle.curve.back().mean(), 0);
}

TEST(Against, ExactOraclesAreMeasuredAlike) {
  RequestText text = text_of({"top:2", "0.9,0.6,0.5", "300"}, "cucb", "1");
  const double oracle = simulation::simulate(specs::request(text).request).curve.back().mean();
  text.against = "best";
  EXPECT_EQ(simulation::simulate(specs::request(text).request).curve.back().mean(), oracle);
}

TEST(Against, WhatIsNotKnownIsRefused) {
  Graphs graphs;
  std::string edges;
  std::string means;
  for (int set = 0; set < 30; ++set) {
    edges += std::to_string(set) + "," + std::to_string(set % 7) + "\n";
    means += set == 0 ? "0.5" : ",0.5";
  }
  graphs.write("many", edges);
  RequestText text = text_of({"cover:" + graphs.at("many") + ":12", means, "10"}, "cucb", "1");
  EXPECT_NO_THROW(specs::request(text));
  text.against = "best";
  try {
    specs::request(text);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "against");
  }
  text.against = "beast";
  EXPECT_THROW(specs::request(text), InvalidParameter);
}

TEST(Against, IsProvenWhereTheBestIsKnown) {
  Graphs graphs;
  const auto ring = [&](int nodes) {
    std::string edges;
    for (int node = 0; node < nodes; ++node)
      edges += std::to_string(node) + "," + std::to_string((node + 1) % nodes) + "\n";
    graphs.write(std::to_string(nodes), edges);
    return "cut:" + graphs.at(std::to_string(nodes));
  };
  std::string many;
  for (int set = 0; set < 30; ++set)
    many += std::to_string(set) + "," + std::to_string(set % 7) + "\n";
  graphs.write("many", many);
  const struct {
    std::string actions;
    int arms;
    bool known;
  } cases[] = {{"top:2", 5, true},
               {ring(10), 10, true},  // exact
               {ring(17), 17, true},  // all cuts are tried
               {ring(18), 18, false},
               {"scale:2:" + ring(18), 18, false},
               {"cover:" + graphs.at("many") + ":3", 30, true},
               {"cover:" + graphs.at("many") + ":6", 30, false}};
  for (const auto& [actions, arms, known] : cases) {
    for (const bool prior : {false, true}) {
      RequestText text = text_of({actions, "", "10"}, "cucb", "1");
      text.runs = "2";
      text.problem.means.reset();
      if (prior) {
        text.problem.prior = "uniform:" + std::to_string(arms);
      } else {
        text.problem.means = "0.5";
        for (int arm = 1; arm < arms; ++arm) *text.problem.means += ",0.5";
      }
      const auto simulator = simulation::prepare(specs::request(text).request);
      EXPECT_EQ(simulator->benchmark_is_proven(), known) << actions << (prior ? " drawn" : "");
      if (prior) continue;
      text.against = "best";
      if (known) {
        EXPECT_TRUE(simulation::prepare(specs::request(text).request)->benchmark_is_proven());
      } else {
        EXPECT_THROW(specs::request(text), InvalidParameter) << actions;
      }
    }
  }
}

TEST(Against, BoundsSpeakOfWhatTheOraclePromises) {
  const Graphs graphs;
  RequestText text =
      text_of({"cover:" + graphs.at("coverage") + ":2", "0.9,0.6,0.5,0.9,0.3,0.05", "500"},
              "cucb-ldp2", "1");
  EXPECT_TRUE(instance_of(specs::request(text).request, feedback::Kind::kSemi));
  text.against = "best";
  EXPECT_FALSE(instance_of(specs::request(text).request, feedback::Kind::kSemi));
  text.problem.actions = "top:2";
  EXPECT_TRUE(instance_of(specs::request(text).request, feedback::Kind::kSemi));
}

TEST(WrappedSets, AreRefusedByWhatIsWrongWithThem) {
  const auto refusal = [](const std::string& actions) {
    try {
      problem(ProblemText{.means = "0.9,0.5,0.1", .actions = actions});
    } catch (const InvalidParameter& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refusal("scale:2:top:2"), "accepted");
  EXPECT_EQ(refusal("approximate:1:1:scale:2:top:2"), "accepted");
  for (const char* wrong :
       {"scale:top:2", "scale:2", "scale:0:top:2", "scale:-1:top:2", "scale:1e9:top:2",
        "scale:2:single", "scale:2:top:4", "approximate:0.5:top:2", "approximate:0.5:1.5:top:2",
        "approximate:0:1:top:2", "scale::top:2"}) {
    EXPECT_NE(refusal(wrong), "accepted") << wrong;
    EXPECT_NE(refusal(wrong).find("actions"), std::string::npos) << refusal(wrong);
    EXPECT_EQ(refusal(wrong).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::specs
