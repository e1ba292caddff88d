#include "tacit/lab/curves.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/lab/results.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/lab/small_plans_test.hpp"

namespace tacit::lab {
namespace {

/// The fields of a line; none of them is quoted.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream rest(line);
  for (std::string each; std::getline(rest, each, ',');) all.push_back(each);
  return all;
}

TEST(Csv, HasTheStatisticsUnderTheirNames) {
  Plan p = plan("\"ucb1\"", 40);
  p.tasks[0].document["problem_label"] = "three";
  const Folder folder;
  Results results = Results::write(folder.path(), contents_of(p));
  run(p, results, {});
  const std::vector<Curve> curves = curves_of(results);
  std::istringstream lines(to_csv(curves));
  std::string heading, line;
  std::getline(lines, heading);
  for (std::string next; std::getline(lines, next);) line = next;
  const std::vector<std::string> names = fields(heading);
  const std::vector<std::string> values = fields(line);
  ASSERT_EQ(names.size(), values.size()) << line;
  const auto value = [&](const char* name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::stod(values.at(static_cast<std::size_t>(at)));
  };
  const simulation::Moments& last = curves[0].measured.curve.back();
  EXPECT_EQ(value("t"), 500);
  EXPECT_EQ(value("runs"), 40);
  EXPECT_EQ(value("mean"), last.mean());
  EXPECT_EQ(value("stderr"), last.standard_error());
  EXPECT_EQ(value("lo"), last.mean() - last.half_width95());
  EXPECT_EQ(value("hi"), last.mean() + last.half_width95());
  EXPECT_EQ(value("median"), simulation::sorted_quantile(curves[0].regrets.back(), 0.5));
  EXPECT_EQ(value("q05"), simulation::sorted_quantile(curves[0].regrets.back(), 0.05));
  EXPECT_EQ(value("q95"), simulation::sorted_quantile(curves[0].regrets.back(), 0.95));
}

TEST(Csv, QuotesWhatHasCommasOrQuotes) {
  Plan p = plan("\"ucb1\"", 1);
  p.tasks[0].document["problem_label"] = "a, \"b\"";
  const Folder folder;
  Results results = Results::write(folder.path(), contents_of(p));
  run(p, results, {});
  EXPECT_NE(to_csv(curves_of(results)).find("\n\"a, \"\"b\"\"\","), std::string::npos);
}

}  // namespace
}  // namespace tacit::lab
