#include "tacit/simulation/best_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/table.hpp"

namespace tacit::simulation {
namespace {

std::vector<Arm> sorted(std::vector<Arm> items) {
  std::sort(items.begin(), items.end());
  return items;
}

TEST(BestList, HasTheLargestMeansWhereItemsAttractIndependently) {
  const problems::IndependentArms problem({0.1, 0.5, 0.2, 0.4}, problems::Rewards::kBernoulli);
  const BestList best = best_list(problem, 2);
  EXPECT_EQ(sorted(best.items), (std::vector<Arm>{1, 3}));
  EXPECT_DOUBLE_EQ(best.chance, 1 - 0.5 * 0.6);
  EXPECT_TRUE(best.proven);
}

TEST(BestList, PrefersItemsThatAttractDifferentUsers) {
  // Items 0 and 1 attract the same three users of five, item 2 the other two.
  const problems::Table table({{1, 1, 0}, {1, 1, 0}, {1, 1, 0}, {0, 0, 1}, {0, 0, 1}});
  const BestList best = best_list(table, 2);
  EXPECT_DOUBLE_EQ(best.chance, 1);
  EXPECT_NE(std::find(best.items.begin(), best.items.end(), 2), best.items.end());
  EXPECT_TRUE(best.proven);
}

TEST(BestList, IsSearchedForWhereThereAreTooManyAndSaysSo) {
  // Forty items in pairs of twins: twin i attracts every twentieth user; the best four are no twins.
  std::vector<std::vector<double>> rows;
  for (int user = 0; user < 2000; ++user) {
    std::vector<double> row(40);
    row[static_cast<std::size_t>(user % 20)] = 1;
    row[static_cast<std::size_t>(20 + user % 20)] = 1;
    rows.push_back(row);
  }
  const BestList best = best_list(problems::Table(rows), 4);
  EXPECT_DOUBLE_EQ(best.chance, 4.0 / 20);
  EXPECT_FALSE(best.proven);
}

}  // namespace
}  // namespace tacit::simulation
