#include "tacit/reports/figure_request.hpp"

#include <algorithm>

namespace tacit::reports {
namespace {

template <class Value>
bool wants(const std::vector<Value>& wanted, const Value& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

}  // namespace

bool shows(const FigureRequest& r, const lab::Document& document) {
  const std::optional<double>& epsilon = document.setting.epsilon;
  return (wants(r.problems, document.problem_label) ||
          wants(r.problems, document.problem_family)) &&
         wants(r.policies, document.policy_label) && (!epsilon || wants(r.epsilons, *epsilon));
}

// A problem may call a variable epsilon: it is then the epsilon of the axis.

bool is_axis(const FigureRequest& r, const lab::Variable& variable) {
  return r.x == Axis::kVariable ? variable.name == r.x_variable
                                : meaning(kAxes, variable.name) == r.x;
}

bool is_panel(const FigureRequest& r, const lab::Variable& variable) {
  return r.panels == Panels::kVariable ? variable.name == r.panel_variable
                                       : meaning(kPanels, variable.name) == r.panels;
}

}  // namespace tacit::reports
