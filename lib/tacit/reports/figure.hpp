// A picture before it is drawn: panels of lines, each point with its 95% interval. What a figure shows follows
// from its request and the curves alone.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/claim.hpp"
#include "tacit/reports/curves.hpp"
#include "tacit/reports/figure_request.hpp"
#include "tacit/reports/palette.hpp"
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
enum class Origin {
  kMeasured,
  kBound,
  kFit  // of what was measured: what a claim speaks of
};

/// How a line is drawn. No two that a legend tells apart have all in common.
struct Look {
  std::string colour = "#000000";
  std::optional<Mark> mark = {};
  std::string dashes = "1";  // as gnuplot has them
  double width = 2.2;
};

enum class Course {
  kOverRounds,  // a curve
  kSwept,       // a point a configuration
  kFlat         // one value for every epsilon: of who has none
};

struct Series {
  std::string label;   // for the legend, which has one entry for it in all panels
  std::string remark;  // what was fitted, for the legend too; each panel has its own
  Origin origin = Origin::kMeasured;
  Course course = Course::kOverRounds;
  std::vector<Point> points;  // by x
  Look look;                  // give_looks

  // Of what was measured; problem and epsilon are those of its first curve.
  std::string policy;
  std::string policy_name;  // in the catalogue; an upper bound and a fit have it, too
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
  Quantity y = Quantity::kRegret;
  std::string x_label;
  std::string y_label;
  Scales scales;
  std::optional<Scales> also = {};  // all panels once more, on these axes
  std::optional<double> from = {};  // where logarithmic rounds begin
  bool whole_intervals =
      false;  // however wide they are; else much wider ones than all values are cut off
  std::vector<Panel> panels;
};

/// With what claims of this figure speak of, drawn over what was measured. Throws InvalidParameter that names the line of the
/// request where there is nothing to draw.
Figure make_figure(const FigureRequest& request, const std::vector<Curve>& curves,
                   const std::vector<Claim>& claims = {});

}  // namespace tacit::reports
