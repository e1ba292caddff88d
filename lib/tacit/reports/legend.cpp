#include "tacit/reports/legend.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

std::string number_text(double x) { return fmt::format("{:.6g}", x); }

/// "2 ", nothing for 1, or "8.53 to 36.4 " where what a policy has is no multiple of what it was asked for.
std::string multiples_text(const Line& line) {
  std::vector<double> multiples;
  for (const Curve* curve : line.curves) {
    multiples.push_back(curve->document.promises.guarantee.epsilon / *curve->epsilon());
  }
  const auto [least, most] = std::minmax_element(multiples.begin(), multiples.end());
  const std::string from = fmt::format("{:.3g}", *least);
  const std::string to = fmt::format("{:.3g}", *most);
  if (from != to) return fmt::format("{} to {} ", from, to);
  return from == "1" ? "" : from + " ";
}

/// "central ε" where epsilon varies over the figure, else "central 0.5".
std::string guarantee_label(const FigureRequest& r, const Line& line) {
  const Curve& curve = line.first();
  const bool epsilon_varies = is_over_epsilon(r.x) || r.panels == Panels::kEpsilon;
  if (!curve.is_private() || !epsilon_varies || !curve.epsilon()) return curve.guarantee();
  const privacy::Guarantee& g = curve.document.promises.guarantee;
  std::string text = fmt::format("{} {}ε", privacy::name_of(g.notion), multiples_text(line));
  if (g.delta > 0) text += fmt::format(", δ={:.2g}", g.delta);
  return text;
}

/// What a legend has to add for a policy that has several lines in a panel: the problem, or the variables, that
/// they differ in. That they differ in epsilon is told by the guarantee.
std::string distinction(const FigureRequest& r, const Curve& mine,
                        const std::vector<const Curve*>& rivals) {
  const auto any_differs = [&](const auto& differs) {
    return std::any_of(rivals.begin(), rivals.end(),
                       [&](const Curve* other) { return differs(*other); });
  };
  if (any_differs([&](const Curve& other) {
        return other.document.problem_family != mine.document.problem_family;
      })) {
    return fmt::format(", {}", mine.problem());
  }
  std::string text;
  if (!mine.is_private() && mine.epsilon() && !is_over_epsilon(r.x) &&
      any_differs([&](const Curve& other) { return other.epsilon() != mine.epsilon(); })) {
    text += fmt::format(", ε={}", number_text(*mine.epsilon()));
  }
  if (mine.error() && r.x != Axis::kError && r.panels != Panels::kError &&
      any_differs([&](const Curve& other) { return other.error() != mine.error(); })) {
    text += fmt::format(", error {}", number_text(*mine.error()));
  }
  for (const lab::Variable& variable : mine.document.variables) {
    const bool differs = any_differs([&](const Curve& other) {
      const lab::Variable* theirs = other.document.variable(variable.name);
      return theirs == nullptr || *theirs != variable;
    });
    if (differs && !is_axis(r, variable) && !follows_axis(r, mine, variable)) {
      const auto number = variable.number();
      text +=
          fmt::format(", {}={}", variable.name, number ? number_text(*number) : variable.text());
    }
  }
  return text;
}

}  // namespace

std::string label_of(const FigureRequest& r, const Line& line, const std::vector<Line>& panel) {
  const Curve& mine = line.first();
  std::vector<const Curve*> rivals;  // the line itself is among them, and differs in nothing
  for (const Line& other : panel) {
    if (other.first().policy() == mine.policy()) rivals.push_back(&other.first());
  }
  return fmt::format("{} ({}){}", mine.policy(), guarantee_label(r, line),
                     distinction(r, mine, rivals));
}

std::string panel_title(const FigureRequest& r, const Curve& curve) {
  switch (r.panels) {
    case Panels::kOne:
    case Panels::kGroup: break;
    case Panels::kProblem: return curve.problem();
    case Panels::kEpsilon:
      return curve.epsilon() ? fmt::format("ε = {}", number_text(*curve.epsilon())) : "";
    case Panels::kError:
      return curve.error() ? fmt::format("error {}", number_text(*curve.error())) : "";
    case Panels::kVariable: {
      const auto value = curve.variable(r.panel_variable);
      return value ? fmt::format("{} = {}", r.panel_variable, number_text(*value)) : "";
    }
  }
  return "";
}

std::string x_label(const FigureRequest& r) {
  switch (r.x) {
    case Axis::kRounds: return "round";
    case Axis::kEpsilon: return "ε";
    case Axis::kInverseEpsilon: return "1/ε";
    case Axis::kError: return "error that is allowed";
    case Axis::kVariable: break;
  }
  return r.x_variable;
}

std::string y_label(const FigureRequest& r) {
  switch (r.y) {
    case Quantity::kRegret: break;
    case Quantity::kRegretOverLog: return "regret / ln(round)";
    case Quantity::kReturn: return "return per round";
    case Quantity::kSamples: return "samples";
    case Quantity::kWrong: return "share of wrong recommendations";
  }
  return "regret";
}

}  // namespace tacit::reports
