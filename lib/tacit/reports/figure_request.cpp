#include "tacit/reports/figure_request.hpp"

#include <algorithm>

namespace tacit::reports {
namespace {

template <class Value>
bool wants(const std::vector<Value>& wanted, const Value& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

/// Of what is identified with an error nothing is measured over rounds, and of a budget the samples are known.
bool has_axes(const FigureRequest& r, const lab::PlayedSetting& setting) {
  if (!setting.goal) return !is_identified(r.y) && r.x != Axis::kError;
  if (r.x == Axis::kRounds || !is_identified(r.y)) return false;
  return setting.error() || (r.y == Quantity::kWrong && r.x != Axis::kError);
}

}  // namespace

bool shows(const FigureRequest& r, const lab::Document& document) {
  const std::optional<double>& epsilon = document.setting.epsilon;
  const std::optional<double> error = document.setting.error();
  return has_axes(r, document.setting) &&
         (wants(r.problems, document.problem_label) ||
          wants(r.problems, document.problem_family)) &&
         wants(r.policies, document.policy_label) && (!epsilon || wants(r.epsilons, *epsilon)) &&
         (!error || wants(r.errors, *error));
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
