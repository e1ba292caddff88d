#include "tacit/reports/page/overview.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "tacit/reports/page/badges.hpp"
#include "tacit/reports/page/figure_section.hpp"
#include "tacit/reports/page/html.hpp"

namespace tacit::reports::page {
namespace {

/// Where the name of the paper ends in "Hu et al., Figure 1" and "Tossou 2017; Basu et al., section 6".
std::size_t end_of_name(const std::string& source) {
  return std::min(source.find_first_of(",;"), source.size());
}

/// What the source says beside the paper's name.
std::string place_in_paper(const std::string& source) {
  const std::size_t begin = source.find_first_not_of(" ,;", end_of_name(source));
  return begin == std::string::npos ? "" : source.substr(begin);
}

std::string row_html(const ReproducedFigure& each) {
  const Verdict& verdict = each.verdict;
  Tally tally;
  tally.add(verdict);
  return fmt::format(
      "<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      figure_id(each), escaped(each.figure.name), escaped(place_in_paper(verdict.source)),
      escaped(verdict.title), badges(tally));
}

}  // namespace

std::vector<Paper> papers_of(const std::vector<ReproducedFigure>& figures) {
  std::vector<Paper> papers;
  for (const ReproducedFigure& each : figures) {
    const std::string& source = each.verdict.source;
    const std::string name = source.empty() ? "Of no paper" : source.substr(0, end_of_name(source));
    auto known = std::find_if(papers.begin(), papers.end(),
                              [&](const Paper& paper) { return paper.name == name; });
    if (known == papers.end()) known = papers.insert(papers.end(), {name, {}});
    known->figures.push_back(&each);
  }
  return papers;
}

std::string paper_id(const Paper& paper) { return id_of("paper", paper.name); }

std::string overview_html(const std::vector<Paper>& papers) {
  std::string bodies;
  for (const Paper& paper : papers) {
    bodies += fmt::format(
        "<tbody>\n<tr class=\"paper\"><th scope=\"rowgroup\" colspan=\"4\"><a "
        "href=\"#{}\">{}</a></th></tr>\n",
        paper_id(paper), escaped(paper.name));
    for (const ReproducedFigure* each : paper.figures) bodies += row_html(*each);
    bodies += "</tbody>\n";
  }
  return fmt::format(
      "<div class=\"wide\"><table class=\"overview\">\n<thead><tr><th scope=\"col\">figure</th><th "
      "scope=\"col\">of the paper</th><th scope=\"col\">what it shows</th><th "
      "scope=\"col\">what is said of it</th></tr></thead>\n{}</table></div>\n",
      bodies);
}

}  // namespace tacit::reports::page
