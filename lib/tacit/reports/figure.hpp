// A picture before it is drawn: panels of lines, each point with its 95% interval. What a figure shows follows
// from its request and the curves alone.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/curves.hpp"
#include "tacit/reports/figure_request.hpp"
#include "tacit/reports/slope.hpp"

namespace tacit::reports {

struct Point {
  double x = 0;
  double y = 0;
  double lo = 0;  // of the 95% interval; NaN: none
  double hi = 0;
  double random = std::numeric_limits<double>::quiet_NaN();  // what random play has here, if known
};

/// Where the numbers of a line come from. Claims are judged by what was measured alone.
enum class Origin { kMeasured, kBound };

enum class Course {
  kOverRounds,  // a curve
  kSwept,       // a point a configuration
  kFlat         // one value for every epsilon: of who has none
};

struct Series {
  std::string label;  // for the legend
  Origin origin = Origin::kMeasured;
  Course course = Course::kOverRounds;
  std::vector<Point> points;  // by x
  int colour = 0;             // below 0: of what belongs to no policy

  // Of what was measured; problem and epsilon are those of its first curve.
  std::string policy;
  std::string problem;
  std::optional<double> epsilon;
  std::string setting;  // what it has in common with lines that it may be compared with
  bool is_private = true;
  std::optional<Slope> slope;  // fitted in log-log

  // Of a bound.
  theory::Kind bound_kind = theory::Kind::kFinite;
  theory::Side bound_side = theory::Side::kUpper;

  bool is_measured() const { return origin == Origin::kMeasured; }
};

struct Panel {
  std::string title;
  std::vector<Series> series;
};

struct Figure {
  std::string name;
  std::string title;
  Axis x = Axis::kRounds;
  std::string x_label;
  std::string y_label;
  Scales scales;
  std::vector<Panel> panels;
};

/// Throws InvalidParameter that names the line of the request where there is nothing to draw.
Figure make_figure(const FigureRequest& request, const std::vector<Curve>& curves);

}  // namespace tacit::reports
