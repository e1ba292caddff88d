#include "tacit/reports/curves.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/lab/results.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/lab/small_plans_test.hpp"
#include "tacit/reports/sample_curves_test.hpp"

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
  EXPECT_THROW(curves_of(results), storage::StorageError);
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

/// An experiment with two goals and a horizon, on three arms.
lab::Plan plan_of_all() {
  return lab::make_plan(lab::read_experiment(
      "runs = 70\nerror = 0.1\nepsilon = 2\n[[problem]]\nmeans = [0.9, 0.1, 0.2]\nlabel = \"e\"\n"
      "[[problem]]\nmeans = [0.9, 0.1, 0.2]\nlabel = \"b\"\nbudget = 60\n"
      "[[problem]]\nmeans = [0.9, 0.1, 0.2]\nlabel = \"r\"\nhorizon = 50\n"
      "checkpoints = \"log:3\"\n[[policy]]\nname = \"mgf-tt\"\n",
      "f"));
}

TEST(Curves, OfWhoIdentifiesAgreeWithSimulateAndHaveTwoReadings) {
  const lab::Plan p = plan_of_all();
  const lab::Folder folder;
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::run(p, results, {.threads = 2});
  const auto curves = curves_of(results);
  ASSERT_EQ(curves.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    const simulation::Summary s = simulation::simulate(p.tasks[i].request);
    ASSERT_EQ(curves[i].measured.curve.size(), 2U);
    EXPECT_EQ(curves[i].measured.curve[kSamples].mean(), s.curve.back().mean());
    EXPECT_NEAR(curves[i].measured.curve[kWrong].mean() * 70, static_cast<double>(s.goal->wrong),
                1e-9);
    EXPECT_EQ(curves[i].measured.final_regrets, s.final_regrets);
  }
  EXPECT_EQ(curves[0].error(), 0.1);
  EXPECT_TRUE(curves[1].has_budget());
  EXPECT_FALSE(curves[2].identifies());
}

TEST(Curves, HaveAnExactIntervalOfAShare) {
  const Curve none = curve({.runs = found_after(50, 100), .goal = with_error(0.1)});
  EXPECT_EQ(none.interval(kWrong).lo, 0);
  EXPECT_NEAR(none.interval(kWrong).hi, 0.0362, 1e-4) << "none of 100 is not never";
  const Curve some = curve({.runs = found_after(50, 100, 10), .goal = with_error(0.1)});
  EXPECT_NEAR(some.interval(kWrong).lo, 0.0490, 1e-4);
  EXPECT_NEAR(some.interval(kWrong).hi, 0.1762, 1e-4);
  const Curve all = curve({.runs = found_after(50, 100, 100), .goal = with_error(0.1)});
  EXPECT_EQ(all.interval(kWrong).hi, 1);
}

TEST(Csv, TellsReadingsApartWhereSomethingIsIdentified) {
  const lab::Plan p = plan_of_all();
  const lab::Folder folder;
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::run(p, results, {});
  std::istringstream lines(to_csv(curves_of(results)));
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  ASSERT_EQ(all.size(), 8U);
  EXPECT_TRUE(
      all[0].starts_with("problem,label,policy,epsilon,delta,error,budget,most,top,params,"));
  EXPECT_NE(all[0].find(",horizon,seed,runs,t,reading,mean,"), std::string::npos);
  EXPECT_TRUE(all[1].starts_with("e,mgf-tt,mgf-tt,2,,0.1,,,1,")) << all[1];
  EXPECT_NE(all[1].find(",,1,70,,wrong,"), std::string::npos) << all[1];
  EXPECT_NE(all[2].find(",,1,70,,samples,"), std::string::npos) << all[2];
  EXPECT_TRUE(all[3].starts_with("b,mgf-tt,mgf-tt,2,,,60,,1,")) << all[3];
  EXPECT_TRUE(all[5].starts_with("r,mgf-tt,mgf-tt,2,,,,,,")) << all[5];
  EXPECT_NE(all[7].find(",50,1,70,50,regret,"), std::string::npos) << all[7];
}

TEST(JsonOfCurves, SaysWhatWasIdentifiedAndHowOftenItWasWrong) {
  const lab::Plan p = plan_of_all();
  const lab::Folder folder;
  lab::Results results = lab::Results::write(folder.path(), lab::contents_of(p));
  lab::run(p, results, {});
  const lab::Json all = to_json(curves_of(results));
  EXPECT_EQ(all[0].at("error"), 0.1);
  EXPECT_TRUE(all[0].at("budget").is_null());
  EXPECT_EQ(all[0].at("stopped"), 70);
  EXPECT_EQ(all[1].at("stopped"), 0) << "a budget is played to its end";
  EXPECT_EQ(all[1].at("samples").at("mean"), 60);
  for (const char* of_regret : {"regret", "curve", "horizon", "benchmark"}) {
    EXPECT_FALSE(all[0].contains(of_regret)) << of_regret;
    EXPECT_TRUE(all[2].contains(of_regret)) << of_regret;
  }
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
