#include "tacit/reports/curves.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/lab/results.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/lab/small_plans_test.hpp"

namespace tacit::reports {
namespace {

/// The fields of a line; none of them is quoted.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream rest(line);
  for (std::string each; std::getline(rest, each, ',');) all.push_back(each);
  return all;
}

TEST(Curves, AgreeWithSimulate) {
  const lab::Plan p = lab::plan(lab::kTwo, 90);
  const lab::Folder folder;
  {
    lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
    lab::run(p, results, {.threads = 2});
  }
  const auto curves = curves_of(lab::Results::read(folder.path()));
  ASSERT_EQ(curves.size(), 3U);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const simulation::Summary s = simulation::simulate(p.tasks[i].request);
    EXPECT_EQ(curves[i].measured.curve.back().mean(), s.curve.back().mean());
    EXPECT_EQ(curves[i].measured.final_regrets, s.final_regrets);
    EXPECT_EQ(curves[i].measured.mean_pulls, s.mean_pulls);
    EXPECT_EQ(curves[i].measured.decisions, s.decisions);
    EXPECT_EQ(curves[i].benchmark.value, 0.7);
  }
}

TEST(Curves, CountRunsUpToTheFirstThatIsMissing) {
  const lab::Folder folder;
  const lab::Plan p = lab::plan("\"ucb1\"", 5);
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::Simulators simulators(p);
  EXPECT_TRUE(curves_of(results).empty());
  for (const std::int64_t run : {0, 1, 3}) {
    results.add(p.tasks[0].fingerprint, simulators.compute({0, {run, 1}}));
  }
  EXPECT_EQ(curves_of(results).at(0).runs, 2);
}

TEST(Curves, OfABlockOfTheWrongSizeAreRefused) {
  const lab::Folder folder;
  const lab::Plan p = lab::plan("\"ucb1\"", 2);
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  results.add(p.tasks[0].fingerprint, {.block = {0, 1}, .regrets = {1}, .pulls = {1, 1, 1}});
  EXPECT_THROW(curves_of(results), lab::StorageError);
}

TEST(Csv, HasTheStatisticsUnderTheirNames) {
  lab::Plan p = lab::plan("\"ucb1\"", 40);
  p.tasks[0].document.problem_label = "three";
  const lab::Folder folder;
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::run(p, results, {});
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
  lab::Plan p = lab::plan("\"ucb1\"", 1);
  p.tasks[0].document.problem_label = "a, \"b\"";
  const lab::Folder folder;
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::run(p, results, {});
  EXPECT_NE(to_csv(curves_of(results)).find("\n\"a, \"\"b\"\"\","), std::string::npos);
}

}  // namespace
}  // namespace tacit::reports
