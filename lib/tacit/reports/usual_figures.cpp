#include "tacit/reports/usual_figures.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

/// Of a label that may be as long as a list of means; different labels have different names.
std::string file_name(const std::string& label, const std::vector<FigureRequest>& others) {
  constexpr std::size_t kLongest = 80;
  std::string start;
  for (const char c : label.substr(0, kLongest)) {
    start += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  }
  std::string name = start;
  const auto taken = [&] {
    return std::any_of(others.begin(), others.end(),
                       [&](const FigureRequest& other) { return other.name == name; });
  };
  for (int number = 2; name.empty() || taken(); ++number) {
    name = fmt::format("{}-{}", start, number);
  }
  return name;
}

/// Whether the curves of a problem have several of something that they may have.
template <class Value>
bool has_several(const std::vector<Curve>& curves, const std::string& problem, Value value) {
  std::set<double> values;
  for (const Curve& curve : curves) {
    if (curve.problem() != problem) continue;
    if (const std::optional<double> one = value(curve)) values.insert(*one);
  }
  return values.size() > 1;
}

/// Regret over rounds; of what is identified, what it took over what was swept.
void choose_axes(const std::vector<Curve>& curves, const Curve& curve, FigureRequest& figure) {
  const auto several = [&](const auto& value) {
    return has_several(curves, curve.problem(), value);
  };
  const bool epsilons = several([](const Curve& c) { return c.epsilon(); });
  figure.scales.log_x = true;
  if (!curve.identifies()) {
    figure.panels = epsilons ? Panels::kEpsilon : Panels::kOne;
    return;
  }
  const bool errors = several([](const Curve& c) { return c.error(); });
  figure.y = curve.has_budget() ? Quantity::kWrong : Quantity::kSamples;
  figure.scales.log_y = !curve.has_budget();
  figure.x = curve.error() && (errors || !epsilons) ? Axis::kError : Axis::kEpsilon;
  for (const lab::Variable& variable : curve.document.variables) {
    if (curve.error() || !several([&](const Curve& c) { return c.variable(variable.name); })) {
      continue;
    }
    figure.x = Axis::kVariable;
    figure.x_variable = variable.name;
    break;
  }
  if (figure.x != Axis::kEpsilon && epsilons) figure.panels = Panels::kEpsilon;
}

}  // namespace

std::vector<FigureRequest> usual_figures(const std::vector<Curve>& curves) {
  std::vector<FigureRequest> figures;
  std::set<std::string> known;
  for (const Curve& curve : curves) {
    const std::string& problem = curve.problem();
    if (!known.insert(problem).second) continue;
    FigureRequest figure;
    figure.name = file_name(problem, figures);
    figure.title = problem;
    choose_axes(curves, curve, figure);
    figure.problems = {problem};
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace tacit::reports
