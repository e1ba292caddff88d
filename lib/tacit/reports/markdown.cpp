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
  std::string asked;
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

/// What is in a table, and how its third column is called.
enum class Told { kRegret, kSamples, kWrong };

Told told_of(const Curve& curve) {
  return curve.error() ? Told::kSamples : curve.identifies() ? Told::kWrong : Told::kRegret;
}

const char* heading_of(Told told) {
  switch (told) {
    case Told::kRegret: break;
    case Told::kSamples: return "error";
    case Told::kWrong: return "budget";
  }
  return "rounds";
}

/// Rounds, or the error.
double asked_of(const Curve& curve) {
  return curve.error().value_or(static_cast<double>(curve.checkpoints().back()));
}

/// Of one problem and what was asked for: a row for every epsilon, or one for all where nobody has any.
std::vector<Row> rows_of(const std::vector<const Curve*>& curves) {
  std::vector<Row> rows;
  const std::string asked = fmt::format("{:.4g}", asked_of(*curves[0]));
  for (const Curve* curve : curves) {
    const bool known = std::any_of(rows.begin(), rows.end(),
                                   [&](const Row& row) { return row.epsilon == curve->epsilon(); });
    if (curve->epsilon() && !known) {
      rows.push_back({curve->problem(), curve->epsilon(), asked, {}});
    }
  }
  if (rows.empty()) {
    rows.push_back({curves[0]->problem(), std::nullopt, asked, {}});
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

/// Less is better.
double value_of(const Curve& curve) {
  const auto& all = curve.measured.curve;
  return (told_of(curve) == Told::kWrong ? all[kWrong] : all.back()).mean();
}

std::string line(const Row& row, const std::vector<std::string>& policies) {
  const Curve* best = nullptr;
  for (const Curve* curve : row.curves) {
    const bool better = best == nullptr || value_of(*curve) < value_of(*best);
    if (curve->is_private() && better) best = curve;
  }
  std::string text = fmt::format("| {} | {} | {} |", escaped(row.problem),
                                 row.epsilon ? fmt::format("{}", *row.epsilon) : "", row.asked);
  for (const std::string& policy : policies) {
    const auto found = std::find_if(row.curves.begin(), row.curves.end(),
                                    [&](const Curve* curve) { return curve->policy() == policy; });
    const std::string value = found == row.curves.end() ? "-" : short_number(value_of(**found));
    const bool bold = found != row.curves.end() && *found == best;
    text += bold ? fmt::format(" **{}** |", value) : fmt::format(" {} |", value);
  }
  return text + "\n";
}

std::string heading(const std::vector<std::string>& policies, Told told) {
  std::string names = fmt::format("| problem | epsilon | {} |", heading_of(told));
  std::string rule = "|---|---|---|";
  for (const std::string& policy : policies) {
    names += fmt::format(" {} |", escaped(policy));
    rule += "---|";
  }
  return names + "\n" + rule + "\n";
}

/// Curves of one problem and horizon, or error, in the order of their first.
std::vector<std::vector<const Curve*>> by_problem(const std::vector<Curve>& curves) {
  std::vector<std::vector<const Curve*>> groups;
  for (const Curve& curve : curves) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return group[0]->problem() == curve.problem() && told_of(*group[0]) == told_of(curve) &&
             asked_of(*group[0]) == asked_of(curve);
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
  std::vector<std::string> shown;  // the policies of the table that is under way,
  Told told = Told::kRegret;       // and what it tells of them
  for (const auto& group : by_problem(curves)) {
    const std::vector<std::string> policies = policies_of(group);
    const Told now = told_of(*group[0]);
    if (policies != shown || now != told) {
      text += (text.empty() ? "" : "\n") + heading(policies, now);
    }
    shown = policies;
    told = now;
    for (const Row& row : rows_of(group)) text += line(row, policies);
  }
  return text;
}

}  // namespace tacit::reports
