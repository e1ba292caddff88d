#include "tacit/reports/verdict_text.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

/// Lines of at most this many letters, each after `indent`. What ends in a line break is one line already.
std::string wrapped(const std::string& text, const std::string& indent) {
  constexpr std::size_t kWidth = 100;
  if (text.ends_with('\n')) return indent + text;
  std::string out;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      out += fmt::format("{}{}\n", indent, line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    at = end + 1;
  }
  return line.empty() ? out : fmt::format("{}{}{}\n", out, indent, line);
}

std::string claims_text(const std::vector<JudgedClaim>& claims) {
  std::string text;
  for (const JudgedClaim& claim : claims) {
    text += fmt::format("  {}:\n{}", name_of(claim.judged.judgement), wrapped(claim.says, "    "));
    if (!claim.judged.measured.empty())
      text += wrapped(fmt::format("measured: {}", claim.judged.measured), "    ");
  }
  return text;
}

/// Policies of one figure, each once with its first epsilon.
std::string promises_text(const std::vector<PolicyPromise>& all) {
  std::string text;
  std::vector<std::string> known;
  for (const PolicyPromise& each : all) {
    if (std::find(known.begin(), known.end(), each.policy) != known.end()) continue;
    known.push_back(each.policy);
    const auto& [really, published] = each.promises;
    text +=
        wrapped(fmt::format("{}{}: {}{}, because {}", each.policy,
                            each.epsilon ? fmt::format(" at epsilon {:.4g}", *each.epsilon) : "",
                            lab::guarantee_text(really),
                            each.kept() == Kept::kAsPublished
                                ? ""
                                : fmt::format(" (published: {})", lab::guarantee_text(published)),
                            really.because),
                "  ");
  }
  return text;
}

std::string bounds_text(const std::vector<BoundFinding>& findings) {
  std::string text;
  for (const BoundFinding& finding : findings) {
    const BoundCheck& check = finding.check;
    const std::string where = finding.where();
    text +=
        fmt::format("  {:<8} {}, {} bound of {} on {}{}{}: measured at {} {:.3g} of it\n",
                    check.kept ? "kept" : "BROKEN", check.bound, check.upper ? "upper" : "lower",
                    check.policy, check.problem, where.empty() ? "" : ", ", where,
                    check.upper ? "most" : "least", check.share);
  }
  return text;
}

std::string samples_text(const std::vector<MeasuredRow>& rows) {
  constexpr const char* kRow = "  {:<44} {:<28.28} {:>8} {:>9} {:>7} {:>12} {:>10} {:>8}\n";
  const bool budgets = rows.front().identified->budget.has_value();
  std::string text = fmt::format(kRow, "policy", "problem", "epsilon", budgets ? "budget" : "error",
                                 "runs", "samples", "+/- 95%", "wrong");
  for (const MeasuredRow& row : rows) {
    const auto& [error, budget, wrong] = *row.identified;
    text += fmt::format(kRow, row.policy, row.problem,
                        row.epsilon ? fmt::format("{:.4g}", *row.epsilon) : "-",
                        error ? fmt::format("{:.4g}", *error) : fmt::format("{}", *budget),
                        row.runs, fmt::format("{:.1f}", row.value),
                        row.half_width ? fmt::format("{:.1f}", *row.half_width) : "-",
                        fmt::format("{:.3g}%", 100 * wrong));
  }
  return text;
}

std::string measured_text(const std::vector<MeasuredRow>& rows) {
  const bool sets = std::any_of(rows.begin(), rows.end(),
                                [](const MeasuredRow& row) { return row.best_arms.has_value(); });
  std::string text =
      fmt::format("  {:<44} {:<28} {:>8} {:>7} {:>12} {:>10}{}\n", "policy", "problem", "epsilon",
                  "runs", "regret", "+/- 95%", sets ? "   best arms among the most played" : "");
  for (const MeasuredRow& row : rows) {
    text += fmt::format(
        "  {:<44} {:<28.28} {:>8} {:>7} {:>12.1f} {:>10}{}\n", row.policy, row.problem,
        row.epsilon ? fmt::format("{:.4g}", *row.epsilon) : "-", row.runs, row.value,
        row.half_width ? fmt::format("{:.1f}", *row.half_width) : "-",
        row.best_arms ? fmt::format("   {} of {}", row.best_arms->found, row.best_arms->of) : "");
  }
  return text;
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  std::string text = fmt::format("{}: {}\n", verdict.name, verdict.title);
  if (!verdict.source.empty()) text += fmt::format("from {}\n", verdict.source);
  if (!verdict.note.empty()) text += fmt::format("\n{}", wrapped(verdict.note, ""));
  text += fmt::format("\nVerdict: {}\n", verdict.summary());
  const auto add = [&](const char* heading, const std::string& part) {
    text += fmt::format("\n{}\n{}", heading, part);
  };
  if (!verdict.claims.empty()) add("What is said", claims_text(verdict.claims));
  if (!verdict.promises.empty()) add("What is promised", promises_text(verdict.promises));
  const bool samples = verdict.is_of_samples();
  if (!verdict.bounds.empty()) {
    add(samples ? "What theory says (bounds that hold of the mean)"
                : "What theory says (finite bounds, at every checkpoint)",
        bounds_text(verdict.bounds));
  }
  if (samples) {
    add("What was measured (samples, and how often a recommendation was wrong)",
        samples_text(verdict.measured));
  } else if (!verdict.measured.empty()) {
    add("What was measured (regret at the end)", measured_text(verdict.measured));
  }
  return text;
}

}  // namespace tacit::reports
