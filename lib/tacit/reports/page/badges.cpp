#include "tacit/reports/page/badges.hpp"

#include <vector>

#include <fmt/format.h>

namespace tacit::reports::page {
namespace {

std::string badge_html(const char* kind, const char* sign, const std::string& words) {
  return fmt::format(R"(<span class="badge {}"><span aria-hidden="true">{}</span> {}</span>)", kind,
                     sign, words);
}

std::string broken_badge(const Tally& t) {
  return badge_html(
      "broken", "!",
      fmt::format("{} bound{} broken", t.broken_bounds, t.broken_bounds == 1 ? "" : "s"));
}

}  // namespace

std::string badge(Judgement judgement) {
  switch (judgement) {
    case Judgement::kHolds: return badge_html("holds", "✓", name_of(judgement));
    case Judgement::kFails: return badge_html("fails", "✗", name_of(judgement));
    case Judgement::kOpen: break;
  }
  return badge_html("open", "?", name_of(judgement));
}

std::string badge(const BoundCheck& check) {
  return check.kept ? badge_html("holds", "✓", "kept") : badge_html("broken", "!", "broken");
}

void Tally::add(const Verdict& verdict) {
  holds += verdict.count(Judgement::kHolds);
  fails += verdict.count(Judgement::kFails);
  open += verdict.count(Judgement::kOpen);
  for (const BoundFinding& finding : verdict.bounds) kept_bounds += finding.check.kept ? 1 : 0;
  broken_bounds += verdict.broken_bounds;
}

std::string badges(const Tally& t) {
  std::vector<std::string> all;
  if (t.holds > 0)
    all.push_back(
        badge_html("holds", "✓", fmt::format("{} hold{}", t.holds, t.holds == 1 ? "s" : "")));
  if (t.fails > 0)
    all.push_back(badge_html("fails", "✗",
                             fmt::format("{} do{} not hold", t.fails, t.fails == 1 ? "es" : "")));
  if (t.open > 0) all.push_back(badge_html("open", "?", fmt::format("{} open", t.open)));
  if (t.broken_bounds > 0) all.push_back(broken_badge(t));
  if (all.empty()) all.push_back(badge_html("none", "–", "nothing is claimed"));
  return fmt::format("{}", fmt::join(all, " "));
}

std::string bounds_badge(const Tally& t) {
  if (t.broken_bounds > 0) return broken_badge(t);
  return t.kept_bounds > 0 ? badge_html("holds", "✓", fmt::format("{} kept", t.kept_bounds)) : "";
}

}  // namespace tacit::reports::page
