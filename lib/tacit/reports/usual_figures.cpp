#include "tacit/reports/usual_figures.hpp"

#include <algorithm>
#include <cctype>
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

bool has_several_epsilons(const std::vector<Curve>& curves, const std::string& problem) {
  std::set<double> epsilons;
  for (const Curve& curve : curves) {
    if (curve.problem() == problem && curve.epsilon()) epsilons.insert(*curve.epsilon());
  }
  return epsilons.size() > 1;
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
    figure.scales.log_x = true;
    figure.panels = has_several_epsilons(curves, problem) ? Panels::kEpsilon : Panels::kOne;
    figure.problems = {problem};
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace tacit::reports
