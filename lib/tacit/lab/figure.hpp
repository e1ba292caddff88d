// A picture before it is drawn: panels of lines, each point with its 95% interval. What a figure shows follows
// from its request and the curves alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/lab/curves.hpp"
#include "tacit/lab/figure_request.hpp"
#include "tacit/lab/slope.hpp"

namespace tacit::lab {

struct Point {
  double x = 0;
  double y = 0;
  double lo = 0;  // of the 95% interval; NaN: none
  double hi = 0;
};

/// A policy that keeps its promise is drawn solid, one that protects nobody dashed, a bound dotted or dash-dotted.
enum class Stroke { kPrivate, kNotPrivate, kAsymptotic, kFinite };

struct Series {
  std::string label;  // policy and guarantee, for the legend
  std::string policy;
  std::string problem;            // of its first curve
  std::optional<double> epsilon;  // the same
  std::string setting;            // what it has in common with lines that it may be compared with
  Stroke stroke = Stroke::kPrivate;
  bool upper_bound = false;
  int colour = 0;
  bool marks = false;  // points to be seen: few, and measured apart
  std::vector<Point> points;
  std::optional<Slope> slope;  // fitted in log-log
};

struct Panel {
  std::string title;
  std::vector<Series> series;
};

struct Figure {
  std::string name;
  std::string title;
  std::string x;  // as in the request
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Panel> panels;
};

/// Whether what a figure has on its axis is epsilon or 1/epsilon.
bool is_over_epsilon(const std::string& x);

/// Whether a figure shows a configuration, told by its document.
bool shows(const FigureRequest& request, const Json& document);

/// Throws InvalidParameter that names the line of the request where there is nothing to draw.
Figure make_figure(const FigureRequest& request, const std::vector<Curve>& curves);

/// What is drawn when an experiment asks for nothing: a figure of regret over rounds for every problem, a panel
/// for every epsilon.
std::vector<FigureRequest> usual_figures(const std::vector<Curve>& curves);

}  // namespace tacit::lab
