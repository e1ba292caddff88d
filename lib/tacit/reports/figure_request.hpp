// What an experiment's [[figure]] asks to be drawn.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/lab/document.hpp"
#include "tacit/reports/axis.hpp"
#include "tacit/storage/source_line.hpp"

namespace tacit::reports {

struct FigureRequest {
  std::string name;    // of its file, without an ending
  std::string title;   // may be empty
  std::string source;  // where it comes from; may be empty
  std::string note;    // what a reader should know; may be empty
  Axis x = Axis::kRounds;
  std::string x_variable;  // of the problems: what is on an Axis::kVariable
  Quantity y = Quantity::kRegret;
  Scales scales;
  std::optional<Scales> also;  // all panels once more, on these axes
  std::optional<double> from;  // the first round on a logarithmic axis
  Panels panels = Panels::kOne;
  std::string panel_variable;  // the same of Panels::kVariable
  /// Of Panels::kGroup: titles, and the labels of policies. Who is in no group is in all panels.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  std::vector<std::string> problems;  // labels; empty: all
  std::vector<std::string> policies;  // labels; empty: all
  std::vector<double> epsilons;       // empty: all
  std::vector<double> errors;         // of what identifies; empty: all
  std::vector<std::string> bounds;    // names of tacit bounds
  bool slopes = false;                // fit a power of x to each line, and print its exponent
  storage::SourceLine place;
};

/// Whether a figure shows a configuration: one that has what is on its axes, and is among those that were chosen.
bool shows(const FigureRequest& request, const lab::Document& document);

/// Whether a variable of the problems is what the axis, or the panels, go by.
bool is_axis(const FigureRequest& request, const lab::Variable& variable);
bool is_panel(const FigureRequest& request, const lab::Variable& variable);

}  // namespace tacit::reports
