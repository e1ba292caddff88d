#include "tacit/reports/page/overview.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/page/sample_figures_test.hpp"
#include "tacit/reports/page/well_formed_test.hpp"

namespace tacit::reports::page {
namespace {

TEST(Overview, PutsTheFiguresOfAPaperTogether) {
  std::vector<ReproducedFigure> figures;
  const std::vector<Curve> curves{curve({.runs = around(10)})};
  for (const char* source : {"Tossou 2017; Basu et al., section 6", "Basu et al., Table 1",
                             "Hu et al., Figure 1", "Basu et al., Cor. 1", "", "Hu et al."}) {
    figures.push_back(
        reproduced_of(request_of("f" + std::to_string(figures.size()), source), curves));
  }
  const std::vector<Paper> papers = papers_of(figures);
  ASSERT_EQ(papers.size(), 4U);
  EXPECT_EQ(papers[0].name, "Tossou 2017");
  EXPECT_EQ(papers[1].name, "Basu et al.");
  ASSERT_EQ(papers[1].figures.size(), 2U);
  EXPECT_EQ(papers[1].figures[1]->figure.name, "f3");
  EXPECT_EQ(papers[2].figures.size(), 2U);
  EXPECT_EQ(papers[3].name, "Of no paper");
  const std::string text = overview_html(papers);
  for (const char* place : {"<td>Basu et al., section 6</td>", "<td>Table 1</td>",
                            "<td>Figure 1</td>", "<td>Cor. 1</td>"}) {
    EXPECT_EQ(occurrences(text, place), 1) << place;
  }
  EXPECT_EQ(occurrences(text, "<td></td>"), 2) << text;
}

}  // namespace
}  // namespace tacit::reports::page
