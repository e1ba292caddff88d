// `tacit plot` and `tacit reproduce`: pictures and verdicts in the files that were asked for, and one clear line for everything
// that cannot be drawn.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

namespace fs = std::filesystem;

/// Milliseconds of work: a private policy and a baseline on two problems, at two levels of privacy.
constexpr const char* kExperiment = R"(
title = "pictures"
horizon = 300
runs = 4
checkpoints = "log:10"
epsilon = [0.5, 2]

[[problem]]
name = ["hu-linear", "hu-equal"]

[[policy]]
name = ["dp-klucb", "anytime-lazy-ucb", "ucb1"]
)";

constexpr const char* kFigures = R"(
[[figure]]
name = "over-rounds"
problems = "hu-linear"
panels = "epsilon"
axes = "loglog"
bounds = ["azize-2025", "hu-theorem-3"]

[[figure]]
name = "over-epsilon"
problems = "hu-equal"
x = "epsilon"
)";

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Told by its first bytes.
std::string kind_of(const std::string& path) {
  const std::string content = content_of(path);
  if (content.starts_with("%PDF-")) return "pdf";
  if (content.starts_with("\x89PNG\r\n")) return "png";
  if (content.starts_with("<?xml") && content.find("<svg") != std::string::npos &&
      content.find("</svg>") != std::string::npos) {
    return "svg";
  }
  return content.empty() ? "nothing" : "something else";
}

int occurrences(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

class PlotCommand : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.path() + "/" + name; }
  /// The folder of its results.
  std::string ran(const std::string& name, const std::string& text) const {
    const Result result = run_tacit({"run", folder_.file(name + ".toml", text), "-o", in(name)});
    EXPECT_EQ(result.exit, 0) << result.err;
    return in(name);
  }
  std::string with_figures() const { return ran("figures", std::string(kExperiment) + kFigures); }

  TemporaryFolder folder_;
};

void expect_plotted(const Arguments& arguments, const std::string& printed) {
  const Result result = run_tacit(Arguments{"plot"} + arguments);
  EXPECT_EQ(result.exit, 0) << command_line(arguments) << ": " << result.err;
  EXPECT_EQ(result.out, printed);
  EXPECT_EQ(result.err, "");
}

TEST_F(PlotCommand, WritesEveryFigureAndSaysWhere) {
  const std::string folder = with_figures();
  expect_plotted({folder}, folder + "/over-rounds.svg\n" + folder + "/over-epsilon.svg\n");
  EXPECT_EQ(files_in(folder), (Names{"over-epsilon.svg", "over-rounds.svg", "results.sqlite"}))
      << "nothing is left lying about";
  EXPECT_EQ(kind_of(folder + "/over-rounds.svg"), "svg");
  EXPECT_EQ(kind_of(folder + "/over-epsilon.svg"), "svg");
}

TEST_F(PlotCommand, WritesTheKindThatIsAskedFor) {
  const std::string folder = with_figures();
  for (const std::string kind : {"svg", "pdf", "png"}) {
    expect_plotted({folder, "--figure", "over-rounds", "--format", kind},
                   folder + "/over-rounds." + kind + "\n");
    EXPECT_EQ(kind_of(folder + "/over-rounds." + kind), kind);
    const std::string other = in("elsewhere." + kind);
    expect_plotted({folder, "--figure", "over-rounds", "-o", other}, other + "\n");
    EXPECT_EQ(kind_of(other), kind);
  }
}

TEST_F(PlotCommand, DrawsTheSameBytesAgain) {
  const std::string folder = with_figures();
  for (const char* file : {"one.svg", "two.svg"}) {
    ASSERT_EQ(run_tacit({"plot", folder, "--figure", "over-rounds", "-o", in(file)}).exit, 0);
  }
  EXPECT_EQ(content_of(in("one.svg")), content_of(in("two.svg")));
}

TEST_F(PlotCommand, DashesWhoeverProtectsNobodyAndSaysSo) {
  const std::string folder = with_figures();
  ASSERT_EQ(run_tacit({"plot", folder}).exit, 0);
  const std::string picture = content_of(folder + "/over-rounds.svg");
  EXPECT_EQ(occurrences(picture, "ucb1 (not private)"), 1);
  EXPECT_EQ(occurrences(picture, "not private"), 1) << "the others are";
  EXPECT_EQ(occurrences(picture, "dp-klucb (central ε)"), 1);
  EXPECT_EQ(occurrences(picture, "ε = 0.5"), 1);
  EXPECT_EQ(occurrences(picture, "ε = 2"), 1);
  EXPECT_EQ(occurrences(picture, "azize-2025, asymptotic lower bound of central policies (as T → ∞)"), 1);
  EXPECT_EQ(occurrences(picture, "hu-theorem-3, upper bound of anytime-lazy-ucb"), 1);

  // With private policies alone, then with a baseline: dashes come with the baseline.
  const auto dashes = [&](const std::string& name, const std::string& policies) {
    const std::string one = ran(name,
                                "horizon = 100\nruns = 3\nepsilon = 1\n[[problem]]\nname = "
                                "\"hu-linear\"\n[[policy]]\nname = [" +
                                    policies + "]\n");
    EXPECT_EQ(run_tacit({"plot", one}).exit, 0);
    return occurrences(content_of(one + "/hu-linear.svg"), "stroke-dasharray");
  };
  EXPECT_EQ(dashes("private", R"("dp-klucb", "anytime-lazy-ucb")"), 0);
  EXPECT_EQ(dashes("baseline", R"("dp-klucb", "ucb1")"), 2) << "its curve and its legend";
}

TEST_F(PlotCommand, DrawsTheUsualFiguresWhereNoneAreAskedFor) {
  const std::string folder = ran("plain", kExperiment);
  expect_plotted({folder}, folder + "/hu-linear.svg\n" + folder + "/hu-equal.svg\n");
  const std::string picture = content_of(folder + "/hu-equal.svg");
  for (const char* word : {"hu-equal", "ε = 0.5", "ε = 2", "round", "regret"}) {
    EXPECT_NE(picture.find(word), std::string::npos) << word;
  }
  expect_plotted({folder, "--figure", "hu-equal", "--y", "return", "--axes", "linear"},
                 folder + "/hu-equal.svg\n");
  EXPECT_NE(content_of(folder + "/hu-equal.svg").find("return per round"), std::string::npos);
}

TEST_F(PlotCommand, DrawsWhatIsThereOfAnUnfinishedExperiment) {
  const std::string experiment = folder_.file("part.toml", kExperiment);
  ASSERT_EQ(run_tacit({"run", experiment, "-o", in("part"), "--shard", "1/40"}).exit, 0);
  expect_plotted({in("part")}, in("part") + "/hu-linear.svg\n");
  ASSERT_EQ(run_tacit({"run", experiment, "-o", in("none"), "--shard", "40/40"}).exit, 0);
  expect_refused({"plot", in("none")}, {"none", "no finished run"});
}

TEST_F(PlotCommand, RefusesWhatItCannotDraw) {
  const std::string folder = with_figures();
  expect_refused({"plot"}, {"folder"});
  expect_refused({"plot", folder, "-o", in("one.svg")},
                 {"one.svg", "2 figures", "over-rounds, over-epsilon"});
  expect_refused({"plot", folder, "--figure", "over-round"},
                 {"figure = over-round", "did you mean over-rounds?"});
  expect_refused({"plot", folder, "--format", "sgv"}, {"format = sgv", "did you mean svg?"});
  expect_refused({"plot", folder, "--axes", "loglgo"}, {"axes = loglgo", "did you mean loglog?"});
  expect_refused({"plot", folder, "--y", "regrets"}, {"y = regrets", "did you mean regret?"});
  for (const char* name : {"picture", "picture.gif", "picture.svgz"}) {
    expect_refused({"plot", folder, "--figure", "over-rounds", "-o", in(name)},
                   {name, ".svg, .pdf or .png"});
  }
  expect_refused({"plot", folder, "--figure", "over-rounds", "-o", in("no/where.svg")},
                 {"where.svg", "cannot be written"});
  EXPECT_EQ(files_in(folder), Names{"results.sqlite"});

  fs::create_directory(in("empty"));
  expect_refused({"plot", in("empty")}, {"empty", "holds no results.sqlite", "tacit run"});
  EXPECT_TRUE(files_in(in("empty")).empty());
  expect_refused({"plot", in("nowhere")}, {"nowhere", "holds no results.sqlite"});
  expect_refused({"plot", in("figures.toml")}, {"figures.toml", "holds no results.sqlite"});
}

TEST_F(PlotCommand, RefusesABoundThatSaysNothingOfTheFigure) {
  const std::string folder = ran("bound", std::string(kExperiment) +
                                              "[[figure]]\nname = \"f\"\npolicies = \"ucb1\"\n"
                                              "bounds = \"hu-theorem-3\"\n");
  expect_refused({"plot", folder}, {"bounds = hu-theorem-3", "tacit bounds --all"});
}

TEST_F(PlotCommand, DrawsAComputedFigureOfAPaperWithoutResults) {
  fs::create_directory(in("empty"));
  for (const std::string kind : {"png", "pdf", "svg"}) {
    expect_plotted({in("empty"), "--figure", "chandak-fig2-1", "--format", kind},
                   in("empty") + "/chandak-fig2-1." + kind + "\n");
    EXPECT_EQ(kind_of(in("empty") + "/chandak-fig2-1." + kind), kind);
  }
  EXPECT_NE(content_of(in("empty") + "/chandak-fig2-1.svg").find("shaded"), std::string::npos);
  expect_refused({"plot", in("empty"), "--figure", "chandak-fig2-1", "--y", "return"},
                 {"y = return", "chandak-fig2-1 has its own"});
  expect_refused({"plot", in("nowhere"), "--figure", "chandak-fig2-1"},
                 {"nowhere", "cannot be written"});
}

TEST(ReproduceCommand, ListsWhatThereIs) {
  const Result result = run_tacit({"reproduce", "--list"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.err, "");
  for (const char* start : {"hu-fig1 ", "\nhu-fig2 ", "\nchandak-fig2-1 "}) {
    EXPECT_NE(("\n" + result.out).find(start), std::string::npos) << start;
  }
}

TEST(ReproduceCommand, RefusesWhatIsNotThere) {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/out";
  expect_refused({"reproduce", "-o", output}, {"name", "all", "--list"});
  expect_refused({"reproduce", "chandak-fig2-11", "-o", output},
                 {"name = chandak-fig2-11", "did you mean chandak-fig2-1?", "--list"});
  expect_refused({"reproduce", "chandak-fig2-1", "hu-fgi1", "-o", output},
                 {"name = hu-fgi1", "did you mean hu-fig1?"});
  EXPECT_FALSE(fs::exists(output)) << "nothing is made before all is right";
  expect_refused({"reproduce", "chandak-fig2-1", "-o", folder.file("file", "")},
                 {"file", "cannot be made"});
  expect_refused({"reproduce", "chandak-fig2-1", "-o", output, "--threads", "0"}, {"threads = 0"});
}

TEST(ReproduceCommand, LeavesDataPictureVerdictAndOnePageForAll) {
  const TemporaryFolder folder;
  const std::string output = folder.path() + "/out";
  const Result result = run_tacit({"reproduce", "chandak-fig2-1", "-o", output});
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_NE(result.out.find("chandak-fig2-1           2 of 2 claims hold\n"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find(output + "/index.html"), std::string::npos) << result.out;
  EXPECT_EQ(files_in(output), (Names{"chandak-fig2-1.csv", "chandak-fig2-1.svg",
                                     "chandak-fig2-1.txt", "index.html"}));

  const std::string data = content_of(output + "/chandak-fig2-1.csv");
  EXPECT_TRUE(data.starts_with("attacker,epsilon,")) << data.substr(0, 100);
  EXPECT_GT(occurrences(data, "\n"), 5);
  EXPECT_EQ(kind_of(output + "/chandak-fig2-1.svg"), "svg");
  const std::string verdict = content_of(output + "/chandak-fig2-1.txt");
  for (const char* word : {"Verdict: 2 of 2 claims hold", "What is said", "holds:", "measured:"}) {
    EXPECT_NE(verdict.find(word), std::string::npos) << word;
  }

  // To be sent to a colleague: nothing outside the file is asked for.
  const std::string page = content_of(output + "/index.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(occurrences(page, "src="), 0);
  EXPECT_EQ(occurrences(page, "href="), occurrences(page, "href=\"#"));
  for (const char* elsewhere : {"http:", "https:", "<link", "<img", "url(", "@import"}) {
    EXPECT_EQ(occurrences(page, elsewhere), 0) << elsewhere;
  }
  EXPECT_EQ(occurrences(page, "</span> 2 hold</span>"), 3) << "overview, figure, and the sum";
}

}  // namespace
}  // namespace tacit::cli_test
