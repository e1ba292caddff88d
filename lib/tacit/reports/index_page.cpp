#include "tacit/reports/index_page.hpp"

#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "tacit/core/version.hpp"
#include "tacit/reports/embedded_file.hpp"
#include "tacit/reports/page/badges.hpp"
#include "tacit/reports/page/colours.hpp"
#include "tacit/reports/page/figure_section.hpp"
#include "tacit/reports/page/html.hpp"
#include "tacit/reports/page/overview.hpp"
#include "tacit/reports/page/reading_guide.hpp"

namespace tacit::reports {
namespace {

constexpr const char* kTitle = "Private bandits, reproduced";

const std::string& part(std::string_view name) {
  for (const EmbeddedFile& file : embedded_page_parts()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error(fmt::format("{}: not part of the program", name));
}

std::string head() {
  // The policy makes the browser itself refuse whatever is not in the file.
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>\n{}{}</style>\n</head>\n",
      kTitle, part("page.css"), page::colours_css());
}

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string summary(const std::vector<ReproducedFigure>& figures,
                    const std::vector<page::Paper>& papers) {
  page::Tally tally;
  for (const ReproducedFigure& each : figures) tally.add(each.verdict);
  const std::string bounds = page::bounds_badge(tally);
  return fmt::format(
      "<header>\n<h1>{}</h1>\n<p>{} of {} on differentially private bandits, measured again by "
      "tacit {}.</p>\n<p class=\"sum\"><span>{}: {}</span>{}</p>\n"
      "<button type=\"button\" class=\"theme\" hidden>dark</button>\n</header>\n",
      kTitle, plural(figures.size(), "figure"), plural(papers.size(), "paper"), kVersion,
      plural(static_cast<std::size_t>(tally.claims()), "claim"), page::badges(tally),
      bounds.empty() ? ""
                     : fmt::format(" <span>bounds that hold at every horizon: {}</span>", bounds));
}

}  // namespace

std::string index_page(const std::vector<ReproducedFigure>& figures) {
  const std::vector<page::Paper> papers = page::papers_of(figures);
  const page::Guarantees guarantees(figures);
  std::string text = head();
  text += fmt::format("<body>\n{}<main>\n", summary(figures, papers));
  text += fmt::format("<section id=\"overview\">\n<h2>Overview</h2>\n{}</section>\n",
                      page::overview_html(papers));
  text += fmt::format("<section id=\"reading\">\n<h2>How to read the figures</h2>\n{}</section>\n",
                      page::reading_guide_html());
  for (const page::Paper& paper : papers) {
    text += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", page::paper_id(paper),
                        page::escaped(paper.name));
    for (const ReproducedFigure* each : paper.figures)
      text += page::figure_section(*each, guarantees);
    text += "</section>\n";
  }
  if (!guarantees.arguments().empty()) {
    text += fmt::format(
        "<section id=\"guarantees\">\n<h2>What is promised, and why</h2>\n<p>Every argument once, "
        "with "
        "the policies that it is true of; ε is the parameter that a policy is given.</p>\n"
        "{}</section>\n",
        page::guarantees_html(guarantees));
  }
  return text + fmt::format("</main>\n<script>\n{}</script>\n</body>\n</html>\n", part("page.js"));
}

}  // namespace tacit::reports
