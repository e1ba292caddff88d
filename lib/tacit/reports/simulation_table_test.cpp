#include "tacit/reports/simulation_table.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/actions/cover.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/problems/independent_arms.hpp"

namespace tacit::reports {
namespace {

/// Three policies on two arms, none of which has played a round; two of them for the same reason.
class Simulations {
 public:
  Simulations() {
    for (const char* policy : {"one", "two", "three"}) {
      simulation::Request request;
      request.policy = policy;
      request.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.7, 0.5},
                                                                    problems::Rewards::kBernoulli);
      request.horizon = 100;
      request.runs = 1;
      request.seed = 7;
      simulation::Measurement measurement;
      measurement.add_run(std::vector<double>{2.25});
      simulation::Summary summary;
      static_cast<simulation::Measured&>(summary) = std::move(measurement).finish();
      summary.guarantee.because = request.policy == "two" ? "of noise" : "nothing guards it";
      requests.push_back(request);
      summaries.push_back(summary);
    }
  }
  std::string table(const std::optional<privacy::Guarantee>& environment = {}) const {
    std::vector<SimulatedPolicy> all;
    for (std::size_t i = 0; i < requests.size(); ++i) all.push_back({requests[i], summaries[i]});
    return simulation_table(all, "single", environment);
  }

  std::vector<simulation::Request> requests;
  std::vector<simulation::Summary> summaries;
};

TEST(SimulationTable, HasARowAPolicyAndALineAReason) {
  const std::string table = Simulations().table();
  EXPECT_NE(table.find(", 100 rounds, 1 run, seed 7\n\npolicy "), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with(
      "three                                 2.2         -        2.2        2.2          0  none\n"
      "\none, three: none, because nothing guards it\ntwo: none, because of noise\n"))
      << table;
}

TEST(SimulationTable, SaysWhatIsNotUsual) {
  Simulations simulations;
  simulations.requests[1].parameters = {{"a", "3"}, {"b", "4"}};
  simulations.summaries[2].benchmark_is_proven = false;
  privacy::Guarantee released;
  released.because = "it was released";
  const std::string table = simulations.table(released);
  EXPECT_NE(table.find("\n\ntwo: played with a=3, b=4\n\none, three:"), std::string::npos) << table;
  EXPECT_NE(table.find("the problem: none, because it was released\nregret: against the best list"),
            std::string::npos)
      << table;
}

TEST(SimulationTable, SaysWhoCannotLearn) {
  Simulations simulations;
  const auto table_at = [&](privacy::Notion notion, double epsilon) {
    for (std::size_t i : {0U, 1U}) {
      simulations.summaries[i].guarantee.notion = notion;
      simulations.summaries[i].guarantee.epsilon = epsilon;
    }
    return simulations.table();
  };
  // Of 100 rounds: 2 ln 2/100 = 0.01386 for central policies; 100 e tanh(e/2) = 1/2 at e = 0.1000.
  const std::string remark =
      "\none, two: too private to learn in 100 rounds: in 60% of runs or more the outcomes make no "
      "difference, and what is played is what would be played if all of them were 0\n";
  EXPECT_TRUE(table_at(privacy::Notion::kCentral, 0.01).ends_with(remark))
      << table_at(privacy::Notion::kCentral, 0.01);
  const auto says = [&](privacy::Notion notion, double epsilon) {
    return table_at(notion, epsilon).find("too private") != std::string::npos;
  };
  EXPECT_TRUE(says(privacy::Notion::kCentral, 0.0138));
  EXPECT_FALSE(says(privacy::Notion::kCentral, 0.0139));
  EXPECT_TRUE(says(privacy::Notion::kLocal, 0.0999));
  EXPECT_FALSE(says(privacy::Notion::kLocal, 0.1003));
  for (auto& request : simulations.requests) request.horizon = 1;
  EXPECT_FALSE(says(privacy::Notion::kCentral, 0.001)) << "nobody knows two arms after one round";
}

TEST(SimulationTable, NobodyHasToLearnWhereNothingCanBeChosen) {
  Simulations simulations;
  for (auto& summary : simulations.summaries) {
    summary.guarantee.notion = privacy::Notion::kCentral;
    summary.guarantee.epsilon = 0.001;
  }
  const auto says = [&] { return simulations.table().find("too private") != std::string::npos; };
  EXPECT_TRUE(says());
  for (const int size : {1, 2}) {
    for (auto& request : simulations.requests)
      request.actions = std::make_shared<actions::TopK>(2, size);
    EXPECT_EQ(says(), size == 1) << "both arms are the only pair";
  }
  for (auto& request : simulations.requests) {
    request.actions = nullptr;
    request.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.7},
                                                                  problems::Rewards::kBernoulli);
  }
  for (const Round horizon : {1, 2, 100}) {
    for (auto& request : simulations.requests) request.horizon = horizon;
    EXPECT_FALSE(says()) << "one arm, " << horizon;
  }
}

TEST(SimulationTable, RecommendsNoBestThatIsNotKnown) {
  Simulations simulations;
  for (auto& request : simulations.requests)
    request.actions =
        std::make_shared<actions::Cover>(2, 2, std::vector<actions::Edge>{{0, 0}, {1, 1}}, 1);
  const auto remark = [&](bool proven, simulation::Against against) {
    for (auto& summary : simulations.summaries) summary.benchmark_is_proven = proven;
    for (auto& request : simulations.requests) request.against = against;
    const std::string table = simulations.table();
    return table.substr(table.find("regret: "));
  };
  using simulation::Against;
  EXPECT_EQ(remark(true, Against::kOracle),
            "regret: against 0.6321 times the best value, which is what the search for sets "
            "promises; below 0 where it does better (--against best measures against the best)\n");
  EXPECT_EQ(remark(false, Against::kOracle),
            "regret: against 0.6321 times the best that the search found, as the best itself is "
            "not known: too small rather than too large, and below 0 where a policy does better\n");
  EXPECT_EQ(remark(true, Against::kBest),
            "regret: against the best value, of which the search for sets promises 0.6321 times\n");
  EXPECT_EQ(remark(false, Against::kBest),
            "regret: against the best set that a search found; below 0 where a policy found a "
            "better one\n");
}

}  // namespace
}  // namespace tacit::reports
