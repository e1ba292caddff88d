#include "tacit/reports/lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "tacit/theory/identification.hpp"

namespace tacit::reports {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// What tells the lines of one panel apart: all that is swept but the axis and the panels.
std::string key_of(const FigureRequest& r, const Curve& curve) {
  std::string key = curve.policy();
  if (!is_over_epsilon(r.x) && r.panels != Panels::kEpsilon && curve.epsilon()) {
    key += fmt::format(" epsilon={:.6g}", *curve.epsilon());
  }
  if (const auto delta = curve.document.setting.delta) key += fmt::format(" delta={}", *delta);
  return fmt::format("{} {}", key, setting_of(r, curve));
}

/// Where the last round of a curve stands in a sweep; none for a baseline over epsilon.
std::optional<double> swept_x(const FigureRequest& r, const Curve& curve) {
  switch (r.x) {
    case Axis::kRounds: break;
    case Axis::kEpsilon: return curve.epsilon();
    case Axis::kInverseEpsilon:
      return curve.epsilon() ? std::optional(1 / *curve.epsilon()) : std::nullopt;
    case Axis::kError: return curve.error();
    case Axis::kVariable: return curve.variable(r.x_variable);
  }
  return {};
}

/// From regret after t rounds to what is plotted.
double y_of(Quantity y, const Curve& curve, double regret, Round t) {
  const auto rounds = static_cast<double>(t);
  switch (y) {
    case Quantity::kRegret:
    case Quantity::kSamples:
    case Quantity::kWrong: break;
    case Quantity::kRegretOverLog: return t > 1 ? regret / std::log(rounds) : kNone;
    case Quantity::kReturn: return curve.benchmark.value - regret / rounds;
  }
  return regret;
}

Point point_at(const FigureRequest& r, const Curve& curve, std::size_t checkpoint, double x) {
  const Round t = curve.checkpoints()[checkpoint];
  const simulation::Interval interval = curve.interval(checkpoint);
  Point point{x, y_of(r.y, curve, curve.measured.curve[checkpoint].mean(), t),
              y_of(r.y, curve, interval.lo, t), y_of(r.y, curve, interval.hi, t)};
  if (point.lo > point.hi) std::swap(point.lo, point.hi);
  const lab::BoundCurve* random = curve.document.bound("random-play");
  if (random != nullptr && r.y != Quantity::kReturn && random->values[checkpoint])
    point.random = y_of(r.y, curve, *random->values[checkpoint], t);
  return point;
}

/// Of a sweep: the last checkpoint, or the reading that is asked for.
std::size_t swept_checkpoint(const FigureRequest& r, const Curve& curve) {
  return r.y == Quantity::kWrong ? std::size_t{kWrong} : curve.checkpoints().size() - 1;
}

Point last_point(const FigureRequest& r, const Curve& curve, double x) {
  return point_at(r, curve, swept_checkpoint(r, curve), x);
}

std::vector<Point> points_over_rounds(const FigureRequest& r, const Curve& curve) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < curve.checkpoints().size(); ++i) {
    points.push_back(point_at(r, curve, i, static_cast<double>(curve.checkpoints()[i])));
  }
  return points;
}

/// The smallest and the largest x of a sweep.
std::pair<double, double> range_of(const FigureRequest& r,
                                   const std::vector<const Curve*>& curves) {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), 0};
  for (const Curve* curve : curves) {
    if (const auto x = swept_x(r, *curve)) {
      range = {std::min(range.first, *x), std::max(range.second, *x)};
    }
  }
  return range;
}

std::vector<Point> swept_points(const FigureRequest& r, const Line& line,
                                const std::vector<const Curve*>& panel) {
  const auto [low, high] = range_of(r, panel);
  std::vector<Point> points;
  for (const Curve* curve : line.curves) {
    if (const auto x = swept_x(r, *curve)) {
      points.push_back(last_point(r, *curve, *x));
    } else if (is_over_epsilon(r.x)) {  // the same whatever epsilon is
      points.push_back(last_point(r, *curve, low));
      points.push_back(last_point(r, *curve, high));
    }
  }
  sort_by_x(points);
  return points;
}

/// As results keep it; where they do not, the label has to do.
const std::string& name_of_policy(const Curve& curve) {
  const std::string& name = curve.document.setting.policy;
  return name.empty() ? curve.policy() : name;
}

/// "asymptotic lower bound": of a finite bound alone, which has to be kept, nothing is said.
std::string kind_in_words(const std::string& name, const lab::BoundCurve& bound) {
  std::string words;
  const auto& all = theory::bounds();
  const bool conjecture = std::any_of(all.begin(), all.end(), [&](const theory::Bound& each) {
    return each.name == name && each.conjecture;
  });
  if (conjecture) words += "conjectured ";
  switch (bound.kind) {
    case theory::Kind::kAsymptotic: words += "asymptotic "; break;
    case theory::Kind::kMinimax: words += "minimax "; break;
    case theory::Kind::kFinite:
    case theory::Kind::kOrder:
    case theory::Kind::kReference: break;
  }
  return fmt::format("{}{} bound", words, theory::name_of(bound.side));
}

std::string of_notion(privacy::Notion notion) {
  if (notion == privacy::Notion::kNone) return " of every policy";
  return fmt::format(" of {} policies", privacy::name_of(notion));
}

/// Whom a bound binds: " of anytime-lazy-ucb", " of local policies". Who is below another's lower bound breaks nothing.
std::string whose_in_words(const std::string& name, const lab::BoundCurve& bound,
                           const Curve& curve) {
  if (name == theory::kPromisedError) return "";
  if (bound.side == theory::Side::kUpper) return fmt::format(" of {}", curve.policy());
  if (name == theory::kFewestSamples) {
    return of_notion(curve.document.promises.guarantee.notion);
  }
  const auto& all = theory::bounds();
  const auto found = std::find_if(all.begin(), all.end(), [&](const theory::Bound& each) {
    return each.name == name && each.side == theory::Side::kLower;
  });
  if (found == all.end()) return "";
  if (!found->policies.empty()) return fmt::format(" of {}", fmt::join(found->policies, ", "));
  return of_notion(found->notion);
}

/// What follows: an asymptotic bound is drawn where a policy may be below it.
const char* limits_of(const lab::BoundCurve& bound) {
  switch (bound.kind) {
    case theory::Kind::kAsymptotic: return " (as T → ∞)";
    case theory::Kind::kMinimax: return " (of the worst instance)";
    case theory::Kind::kFinite:
    case theory::Kind::kOrder:
    case theory::Kind::kReference: break;
  }
  return "";
}

Course course_of(const FigureRequest& r, const Curve& curve) {
  if (r.x == Axis::kRounds) return Course::kOverRounds;
  return is_over_epsilon(r.x) && !curve.epsilon() ? Course::kFlat : Course::kSwept;
}

}  // namespace

bool follows_axis(const FigureRequest& r, const Curve& curve, const lab::Variable& variable) {
  if (!variable.number()) return false;
  return (is_over_epsilon(r.x) && curve.epsilon() == variable.number()) ||
         (r.x == Axis::kError && curve.error() == variable.number());
}

std::string setting_of(const FigureRequest& r, const Curve& curve) {
  std::string setting = curve.document.problem_family;
  for (const lab::Variable& variable : curve.document.variables) {
    if (is_axis(r, variable) || is_panel(r, variable) || follows_axis(r, curve, variable)) {
      continue;
    }
    setting += fmt::format(" {}={}", variable.name, variable.text());
  }
  if (curve.error() && r.x != Axis::kError && r.panels != Panels::kError) {
    setting += fmt::format(" error={:.6g}", *curve.error());
  }
  return setting;
}

std::vector<Line> lines_of(const FigureRequest& r, const std::vector<const Curve*>& curves) {
  std::vector<Line> lines;
  std::vector<std::string> keys;
  for (const Curve* curve : curves) {
    const std::string key = key_of(r, *curve);
    const auto known = std::find(keys.begin(), keys.end(), key);
    if (known == keys.end() || r.x == Axis::kRounds) {
      keys.push_back(key);
      lines.push_back({{curve}});
    } else {
      lines[static_cast<std::size_t>(known - keys.begin())].curves.push_back(curve);
    }
  }
  return lines;
}

void sort_by_x(std::vector<Point>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.x < b.x; });
}

Series measured_series(const FigureRequest& r, const Line& line,
                       const std::vector<const Curve*>& panel) {
  const Curve& first = line.first();
  Series series;
  series.origin = Origin::kMeasured;
  series.course = course_of(r, first);
  series.points =
      r.x == Axis::kRounds ? points_over_rounds(r, first) : swept_points(r, line, panel);
  series.policy = first.policy();
  series.policy_name = name_of_policy(first);
  series.problem = first.problem();
  series.epsilon = first.epsilon();
  series.setting = setting_of(r, first);
  series.is_private = first.is_private();
  return series;
}

Series best_series(const FigureRequest& r, const Line& line) {
  const Curve& first = line.first();
  Series series;
  series.label = first.benchmark.proven ? "optimal policy" : "the best that is known";
  series.origin = Origin::kBound;
  series.bound_kind = theory::Kind::kReference;
  series.course = course_of(r, first);
  for (const Curve* curve : line.curves) {
    const double best = curve->benchmark.value;
    if (r.x == Axis::kRounds) {
      for (const Round t : curve->checkpoints()) {
        series.points.push_back({static_cast<double>(t), best, kNone, kNone});
      }
    } else if (const auto x = swept_x(r, *curve)) {
      series.points.push_back({*x, best, kNone, kNone});
    }
  }
  sort_by_x(series.points);
  return series;
}

Series bound_series(const FigureRequest& r, const std::string& name, const Line& line) {
  Series series;
  series.origin = Origin::kBound;
  series.course = r.x == Axis::kRounds ? Course::kOverRounds : Course::kSwept;
  for (const Curve* curve : line.curves) {
    const lab::BoundCurve* bound = curve->document.bound(name);
    if (bound == nullptr) continue;
    series.bound_kind = bound->kind;
    series.bound_side = bound->side;
    const bool upper = bound->side == theory::Side::kUpper;
    const bool reference = bound->kind == theory::Kind::kReference;
    series.label = reference ? fmt::format("{}, to compare with", name)
                             : fmt::format("{}, {}{}{}", name, kind_in_words(name, *bound),
                                           whose_in_words(name, *bound, *curve), limits_of(*bound));
    // An upper bound has the colour of its policy; a lower one is everybody's, and so is what all were asked for.
    if (upper && !reference && name != theory::kPromisedError) {
      series.policy_name = name_of_policy(*curve);
    }
    const bool over_rounds = r.x == Axis::kRounds;
    const std::size_t first = over_rounds ? 0 : swept_checkpoint(r, *curve);
    const std::size_t end = over_rounds ? bound->values.size() : first + 1;
    for (std::size_t i = first; i < end; ++i) {
      const Round t = curve->checkpoints()[i];
      const auto x = over_rounds ? std::optional(static_cast<double>(t)) : swept_x(r, *curve);
      if (!x || !bound->values[i]) continue;
      series.points.push_back({*x, y_of(r.y, *curve, *bound->values[i], t), kNone, kNone});
    }
  }
  sort_by_x(series.points);
  return series;
}

}  // namespace tacit::reports
