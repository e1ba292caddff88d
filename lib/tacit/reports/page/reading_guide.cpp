#include "tacit/reports/page/reading_guide.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/reports/looks.hpp"
#include "tacit/reports/page/badges.hpp"
#include "tacit/reports/page/colours.hpp"
#include "tacit/reports/page/marks.hpp"

namespace tacit::reports::page {
namespace {

/// A line of each kind, as figures draw it, and what it means.
std::vector<std::pair<Series, const char*>> kinds_of_lines() {
  std::vector<std::pair<Series, const char*>> kinds;
  const auto add = [&](const char* label, const char* meaning) -> Series& {
    Series series;
    series.label = label;
    kinds.emplace_back(std::move(series), meaning);
    return kinds.back().first;
  };
  const auto policy = [](Series& series, const char* name, bool is_private) {
    series.policy_name = name;
    series.is_private = is_private;
  };
  const auto bound = [](Series& series, theory::Kind kind) {
    series.origin = Origin::kBound;
    series.bound_kind = kind;
  };
  policy(add("solid", "a policy that protects its users; what it keeps is in the legend"),
         "anytime-lazy-ucb", true);
  policy(add("dashed", "a policy that protects nobody"), "ucb1", false);
  bound(add("dash-dotted", "a bound that holds at every horizon: it has to be kept"),
        theory::Kind::kFinite);
  bound(add("dotted", "an asymptotic bound: policies may be on its other side for long"),
        theory::Kind::kAsymptotic);
  bound(
      add("dashes and two dots", "a minimax bound: of the worst instance, which need not be this"),
      theory::Kind::kMinimax);
  bound(add("sparse dots", "no bound, but what to compare with"), theory::Kind::kReference);
  Series& fit = add("fine dots", "what a claim speaks of, fitted to what was measured");
  fit.origin = Origin::kFit;
  fit.policy_name = "anytime-lazy-ucb";
  return kinds;
}

std::string item(const std::string& sign, const std::string& meaning) {
  return fmt::format("<li>{}<span>{}</span></li>\n", sign, meaning);
}

}  // namespace

std::string reading_guide_html() {
  Figure figure;
  figure.panels.emplace_back();
  auto kinds = kinds_of_lines();
  for (const auto& [series, meaning] : kinds) figure.panels[0].series.push_back(series);
  give_looks(figure);
  std::string lines;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Series& series = figure.panels[0].series[i];
    lines += item(sample_svg(series.look),
                  fmt::format("<em>{}</em>: {}", series.label, kinds[i].second));
  }
  const std::string blue = colour_class(ink_of("anytime-lazy-ucb").colour);
  lines += item(
      fmt::format("<svg class=\"sample {}\" viewBox=\"0 0 50 18\" width=\"50\" "
                  "height=\"18\" aria-hidden=\"true\"><path class=\"band\" d=\"M0 3H50V15H0Z\"/>"
                  "<path class=\"line\" stroke-width=\"2.2\" d=\"M0 9H50\"/></svg>",
                  blue),
      "<em>bands and bars</em>: 95% intervals of the mean over all runs");
  const std::string verdicts =
      item(badge(Judgement::kHolds), "all of the 95% intervals is where the claim says") +
      item(badge(Judgement::kFails), "none of one of them is") +
      item(badge(Judgement::kOpen),
           "the runs do not tell, or what was measured is what random play has");
  return fmt::format(
      "<ul class=\"guide\">\n{}</ul>\n<ul class=\"guide\">\n{}</ul>\n"
      "<p>A guarantee of <em>central ε</em> means: whoever sees every action of a run, and knows "
      "all "
      "users but one, learns about that one's outcome no more than a factor e<sup>ε</sup> in odds; "
      "<em>local ε</em> means the same of whoever sees the user's own report, the operator "
      "included; "
      "<em>none</em>, that nobody is protected. Guarantees are computed from what a policy "
      "releases; "
      "where a paper promises something else, both are shown.</p>\n"
      "<p class=\"scripted\" hidden>Point at a line, or at its name: its numbers are shown and the "
      "others step back; a click on a name holds it. A picture in focus is walked with the arrow "
      "keys, and left with Escape.</p>\n",
      lines, verdicts);
}

}  // namespace tacit::reports::page
