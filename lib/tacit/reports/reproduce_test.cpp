#include "tacit/reports/reproduce.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tacit/lab/small_plans_test.hpp"
#include "tacit/reports/index_page.hpp"
#include "tacit/reports/page/well_formed_test.hpp"

namespace tacit::reports {
namespace {

TEST(PaperFigures, AreListedWithoutTheirTwins) {
  ASSERT_FALSE(paper_figures().empty());
  std::set<std::string> names;
  for (const PaperFigure& figure : paper_figures()) {
    EXPECT_FALSE(figure.name.ends_with("-honest")) << figure.name;
    EXPECT_FALSE(figure.source.empty()) << figure.name;
    EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
  }
}

std::vector<std::string> names_of(const std::vector<ReproducedFigure>& figures) {
  std::vector<std::string> names;
  for (const ReproducedFigure& each : figures) names.push_back(each.figure.name);
  return names;
}

TEST(ReproducedFigures, AreThoseThatTheFolderHasAPictureAndAllResultsOf) {
  const lab::Folder folder;
  std::filesystem::create_directories(folder.path());
  EXPECT_TRUE(reproduced_in(folder.path()).empty());
  for (const char* name : {"hu-fig1.svg", "chandak-fig2-1.svg"}) {
    std::ofstream(folder.path() / name) << "<svg/>";
  }
  EXPECT_EQ(names_of(reproduced_in(folder.path())), std::vector<std::string>{"chandak-fig2-1"})
      << "nothing was played for the other";
  const std::string page = index_page(reproduced_in(folder.path()));
  page::expect_whole(page);
  EXPECT_NE(page.find("<td>How often an attacker on one user&#39;s bit must fail</td>"),
            std::string::npos);
  EXPECT_NE(page.find(">tacit reproduce chandak-fig2-1<"), std::string::npos);
}

TEST(PaperExperiments, FindMoviesWhereTheUserHasThem) {
  int found = 0;
  for (const PaperExperiment& paper : paper_experiments()) {
    if (!paper.needs_movies()) continue;
    ++found;
    for (const lab::Configuration& c : paper.with_movies_in("/my \"{data}\"").configurations) {
      EXPECT_EQ(c.request.problem.name, "movielens:/my \"{data}\"");
      EXPECT_EQ(c.problem_label, *c.request.problem.name);
    }
  }
  EXPECT_EQ(found, 1);
}

}  // namespace
}  // namespace tacit::reports
