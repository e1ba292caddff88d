#include "tacit/reports/arms_table.hpp"

#include <gtest/gtest.h>

#include "tacit/actions/top_k.hpp"
#include "tacit/problems/prior.hpp"

namespace tacit::reports {
namespace {

simulation::Request request(std::shared_ptr<const problems::Problem> problem) {
  simulation::Request r;
  r.policy = "ucb1";
  r.problem = std::move(problem);
  r.horizon = 200;
  r.runs = 1;
  r.checkpoints = {200};
  return r;
}

simulation::Summary played(std::vector<double> pulls) {
  simulation::Summary summary;
  summary.mean_pulls = std::move(pulls);
  return summary;
}

std::shared_ptr<const problems::Problem> three_arms() {
  return std::make_shared<problems::IndependentArms>(std::vector<double>{0.1, 0.5, 0.3},
                                                     problems::Rewards::kBernoulli);
}

TEST(ArmsTable, ShowsSharesOfRoundsMostPlayedFirst) {
  const simulation::Request r = request(three_arms());
  const simulation::Summary one = played({20, 50, 130});
  const simulation::Summary other = played({0, 200, 0});
  EXPECT_EQ(arms_table({{r, one}, {r, other}}, {}),
            "   arm    mean     ucb1     ucb1\n"
            "     3  0.3000   65.00%    0.00%\n"
            "*    2  0.5000   25.00%  100.00%\n"
            "     1  0.1000   10.00%    0.00%\n"
            "shares of all rounds; * is in the best action\n");
}

TEST(ArmsTable, HasNamesAndEveryArmOfTheBestSet) {
  simulation::Request r = request(three_arms());
  r.policy = "cascade-ucb1";
  r.actions = std::make_shared<actions::TopK>(3, 2);
  const simulation::Summary summary = played({100, 100, 200});
  const std::string table = arms_table({{r, summary}}, {"a", "b", "c"});
  EXPECT_EQ(table,
            "   arm    mean  cascade-ucb1  name\n"
            "*    3  0.3000       100.00%  c\n"
            "     1  0.1000        50.00%  a\n"
            "*    2  0.5000        50.00%  b\n"
            "shares of all rounds; * is in the best action\n");
  r.policy = "cucb";
  EXPECT_NE(arms_table({{r, summary}}, {"a", "b", "c"}).find("*    2  0.5000"), std::string::npos);
}

TEST(ArmsTable, OfDrawnEnvironmentsHasNoBest) {
  const simulation::Request r = request(std::make_shared<problems::DrawnEnvironment>(
      problems::beta_prior(1, 1, 2), problems::Rewards::kBernoulli));
  const simulation::Summary summary = played({150, 50});
  EXPECT_EQ(arms_table({{r, summary}}, {}),
            "   arm    mean     ucb1\n"
            "     1   drawn   75.00%\n"
            "     2   drawn   25.00%\n"
            "shares of all rounds\n");
}

}  // namespace
}  // namespace tacit::reports
