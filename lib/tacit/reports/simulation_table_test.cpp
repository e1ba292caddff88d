#include "tacit/reports/simulation_table.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
      "\none, two: too private to learn in 100 rounds: with probability 0.60 or more, whatever the "
      "outcomes, played as if all were 0\n";
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

}  // namespace
}  // namespace tacit::reports
