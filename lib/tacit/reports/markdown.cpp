#include "tacit/reports/markdown.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

struct Row {
  std::string problem;
  std::optional<double> epsilon;
  Round horizon = 0;
  std::vector<const Curve*> curves;  // one a policy
};

/// Four digits that matter, without an exponent.
std::string short_number(double x) {
  if (!(std::abs(x) >= 1e-4)) return fmt::format("{:.4g}", x);
  const int digits = 3 - static_cast<int>(std::floor(std::log10(std::abs(x))));
  return fmt::format("{:.{}f}", x, std::clamp(digits, 0, 8));
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

void add_distinct(std::vector<std::string>& all, const std::string& one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

/// Of one problem and horizon: a row for every epsilon, or one for all where nobody has any.
std::vector<Row> rows_of(const std::vector<const Curve*>& curves) {
  std::vector<Row> rows;
  for (const Curve* curve : curves) {
    const bool known = std::any_of(rows.begin(), rows.end(),
                                   [&](const Row& row) { return row.epsilon == curve->epsilon(); });
    if (curve->epsilon() && !known) {
      rows.push_back({curve->problem(), curve->epsilon(), curve->checkpoints().back(), {}});
    }
  }
  if (rows.empty()) {
    rows.push_back({curves[0]->problem(), std::nullopt, curves[0]->checkpoints().back(), {}});
  }
  for (Row& row : rows) {
    for (const Curve* curve : curves) {
      if (!curve->epsilon() || curve->epsilon() == row.epsilon) row.curves.push_back(curve);
    }
  }
  return rows;
}

std::vector<std::string> policies_of(const std::vector<const Curve*>& curves) {
  std::vector<std::string> names;
  for (const Curve* curve : curves) add_distinct(names, curve->policy());
  return names;
}

double regret(const Curve& curve) { return curve.measured.curve.back().mean(); }

std::string line(const Row& row, const std::vector<std::string>& policies) {
  const Curve* best = nullptr;
  for (const Curve* curve : row.curves) {
    const bool better = best == nullptr || regret(*curve) < regret(*best);
    if (curve->is_private() && better) best = curve;
  }
  std::string text = fmt::format("| {} | {} | {:.4g} |", escaped(row.problem),
                                 row.epsilon ? fmt::format("{}", *row.epsilon) : "",
                                 static_cast<double>(row.horizon));
  for (const std::string& policy : policies) {
    const auto found = std::find_if(row.curves.begin(), row.curves.end(),
                                    [&](const Curve* curve) { return curve->policy() == policy; });
    const std::string value = found == row.curves.end() ? "-" : short_number(regret(**found));
    const bool bold = found != row.curves.end() && *found == best;
    text += bold ? fmt::format(" **{}** |", value) : fmt::format(" {} |", value);
  }
  return text + "\n";
}

std::string heading(const std::vector<std::string>& policies) {
  std::string names = "| problem | epsilon | rounds |";
  std::string rule = "|---|---|---|";
  for (const std::string& policy : policies) {
    names += fmt::format(" {} |", escaped(policy));
    rule += "---|";
  }
  return names + "\n" + rule + "\n";
}

/// Curves of one problem and horizon, in the order of their first.
std::vector<std::vector<const Curve*>> by_problem(const std::vector<Curve>& curves) {
  std::vector<std::vector<const Curve*>> groups;
  for (const Curve& curve : curves) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group[0]->problem() == curve.problem() &&
             group[0]->checkpoints().back() == curve.checkpoints().back();
    });
    if (same == groups.end()) {
      groups.push_back({&curve});
    } else {
      same->push_back(&curve);
    }
  }
  return groups;
}

}  // namespace

std::string to_markdown(const std::vector<Curve>& curves) {
  std::string text;
  std::vector<std::string> shown;  // the policies of the table that is under way
  for (const auto& group : by_problem(curves)) {
    const std::vector<std::string> policies = policies_of(group);
    if (policies != shown) text += (text.empty() ? "" : "\n") + heading(policies);
    shown = policies;
    for (const Row& row : rows_of(group)) text += line(row, policies);
  }
  return text;
}

}  // namespace tacit::reports
