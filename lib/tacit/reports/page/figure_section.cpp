#include "tacit/reports/page/figure_section.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacit/reports/page/badges.hpp"
#include "tacit/reports/page/hover_data.hpp"
#include "tacit/reports/page/html.hpp"
#include "tacit/reports/page/marks.hpp"
#include "tacit/reports/page/panel_view.hpp"

namespace tacit::reports::page {
namespace {

std::string legend_html(const std::vector<LegendEntry>& legend) {
  std::string items;
  for (std::size_t i = 0; i < legend.size(); ++i) {
    Look look = legend[i].series->look;
    if (legend[i].series->origin == Origin::kFit)
      look.colour = kFitColour;  // each has its policy's
    items += fmt::format("<li data-l=\"{}\">{}<span>{}</span></li>\n", i, sample_svg(look),
                         escaped(legend[i].text));
  }
  return fmt::format("<ul class=\"legend\">\n{}</ul>\n", items);
}

std::string picture_html(const Figure& figure) {
  const std::vector<LegendEntry> legend = legend_of(figure);
  const std::vector<PanelView> views = panel_views(figure);
  std::string panels;
  for (const PanelView& view : views) {
    panels += fmt::format("<div class=\"frame\">{}</div>\n", panel_svg(figure, view, legend));
  }
  return fmt::format(
      "<figure class=\"picture columns-{}\">\n<div class=\"panels\">\n{}</div>\n{}"
      "<script type=\"application/json\">{}</script>\n</figure>\n",
      columns_of(figure), panels, legend_html(legend),
      json_in_page(hover_data(figure, views, legend)));
}

/// "a; b; c" as a list; one alone as it is.
std::string measured_html(const std::string& measured) {
  if (measured.empty()) return "";
  std::vector<std::string> parts;
  constexpr std::string_view kBetween = "; ";
  for (std::size_t at = 0; at < measured.size();) {
    const std::size_t end = std::min(measured.find(kBetween, at), measured.size());
    parts.push_back(escaped(measured.substr(at, end - at)));
    at = end + kBetween.size();
  }
  if (parts.size() == 1)
    return fmt::format("<p class=\"measured\"><span>measured</span> {}</p>", parts.front());
  return fmt::format("<p class=\"measured\"><span>measured</span></p><ul><li>{}</li></ul>",
                     fmt::join(parts, "</li><li>"));
}

std::string claims_html(const std::vector<JudgedClaim>& claims) {
  if (claims.empty()) return "";
  std::string items;
  for (const JudgedClaim& claim : claims) {
    items += fmt::format("<li>{}<div><p class=\"says\">{}</p>{}</div></li>\n",
                         badge(claim.judged.judgement), escaped(claim.says),
                         measured_html(claim.judged.measured));
  }
  return fmt::format(
      "<h4>What is said, and what was measured</h4>\n<ul class=\"claims\">\n{}</ul>\n", items);
}

std::string folded(const std::string& summary, const std::string& content) {
  return fmt::format("<details><summary>{}</summary>\n<div class=\"wide\">{}</div></details>\n",
                     summary, content);
}

std::string bounds_html(const std::vector<BoundFinding>& findings, bool of_samples) {
  std::string rows;
  for (const BoundFinding& finding : findings) {
    const BoundCheck& check = finding.check;
    rows += fmt::format(
        "<tr><td>{}</td><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td "
        "class=\"number\">{} {:.3g}</td></tr>\n",
        badge(check), escaped(check.bound), check.upper ? "upper" : "lower", escaped(check.policy),
        escaped(check.problem), escaped(finding.where()), check.upper ? "at most" : "at least",
        check.share);
  }
  return fmt::format(
      "<table>\n<thead><tr><th scope=\"col\">{}</th><th "
      "scope=\"col\">bound</th><th scope=\"col\">side</th><th scope=\"col\">policy</th><th "
      "scope=\"col\">problem</th><th scope=\"col\">where</th><th scope=\"col\" "
      "class=\"number\">measured, as a share of "
      "it</th></tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
      of_samples ? "of the mean" : "at every checkpoint", rows);
}

std::string measured_rows_html(const std::vector<MeasuredRow>& rows) {
  const bool sets = std::any_of(rows.begin(), rows.end(),
                                [](const MeasuredRow& row) { return row.best_arms.has_value(); });
  const auto number = [](const std::string& text) {
    return fmt::format("<td class=\"number\">{}</td>", text);
  };
  std::string body;
  for (const MeasuredRow& row : rows) {
    body += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>", escaped(row.policy),
                        escaped(row.problem));
    body += number(row.epsilon ? fmt::format("{:.4g}", *row.epsilon) : "–");
    if (row.identified) {
      const auto& [error, budget, wrong] = *row.identified;
      body += number(error ? fmt::format("{:.4g}", *error) : fmt::format("{}", *budget));
    }
    body += number(fmt::format("{}", row.runs));
    body += number(fmt::format("{:.1f}", row.value));
    body += number(row.half_width ? fmt::format("{:.1f}", *row.half_width) : "–");
    if (row.identified) body += number(fmt::format("{:.3g}%", 100 * row.identified->wrong));
    if (sets) {
      body += number(
          row.best_arms ? fmt::format("{} of {}", row.best_arms->found, row.best_arms->of) : "–");
    }
    body += "</tr>\n";
  }
  const auto heading = [](const char* text) {
    return fmt::format(R"(<th scope="col" class="number">{}</th>)", text);
  };
  std::string headings = heading("epsilon");
  const auto& identified = rows.front().identified;
  if (identified) headings += heading(identified->budget ? "budget" : "error");
  headings += heading("runs") + heading(identified ? "samples" : "regret") + heading("± 95%");
  if (identified) headings += heading("wrong");
  if (sets) headings += heading("best arms among the most played");
  return fmt::format(
      "<table>\n<thead><tr><th scope=\"col\">policy</th><th "
      "scope=\"col\">problem</th>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
      headings, body);
}

/// What a heading says of findings before it is unfolded.
std::string bounds_summary(const Verdict& verdict) {
  const auto kept = std::count_if(verdict.bounds.begin(), verdict.bounds.end(),
                                  [](const BoundFinding& each) { return each.check.kept; });
  const auto broken = static_cast<std::ptrdiff_t>(verdict.bounds.size()) - kept;
  return fmt::format("Finite bounds: {} kept{}", kept,
                     broken > 0 ? fmt::format(", {} broken", broken) : "");
}

std::string command_html(const ReproducedFigure& reproduced) {
  const std::string name = escaped(reproduced.figure.name);
  return fmt::format(
      "<pre><code>{0}</code></pre>\n<p>The same command leaves the picture as "
      "<code>{1}.svg</code>, "
      "what was measured as <code>{1}.csv</code> and this verdict as <code>{1}.txt</code>.</p>\n",
      escaped(reproduced.command), name);
}

}  // namespace

std::string figure_id(const ReproducedFigure& reproduced) {
  return id_of("figure", reproduced.figure.name);
}

std::string figure_section(const ReproducedFigure& reproduced, const Guarantees& guarantees) {
  const Verdict& verdict = reproduced.verdict;
  Tally tally;
  tally.add(verdict);
  std::string text = fmt::format(
      "<article id=\"{}\">\n<h3>{}</h3>\n<p class=\"source\"><code>{}</code> <span>{}</span> "
      "{} <a href=\"#overview\">overview</a></p>\n",
      figure_id(reproduced), escaped(verdict.title.empty() ? verdict.name : verdict.title),
      escaped(verdict.name), escaped(verdict.source), badges(tally));
  text += picture_html(reproduced.figure);
  text += claims_html(verdict.claims);
  text += differences_html(verdict, guarantees);
  if (!verdict.note.empty())
    text += fmt::format("<p class=\"note\">{}</p>\n", escaped(verdict.note));
  if (!verdict.promises.empty())
    text += folded("What is promised", promises_html(verdict, guarantees));
  if (!verdict.bounds.empty())
    text += folded(bounds_summary(verdict), bounds_html(verdict.bounds, verdict.is_of_samples()));
  if (!verdict.measured.empty()) {
    text += folded(verdict.is_of_samples() ? "Samples of every policy, and how often it was wrong"
                                           : "Regret at the end, of every policy",
                   measured_rows_html(verdict.measured));
  }
  if (!reproduced.command.empty()) text += folded("How to make it again", command_html(reproduced));
  return text + "</article>\n";
}

}  // namespace tacit::reports::page
