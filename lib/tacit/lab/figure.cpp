#include "tacit/lab/figure.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace tacit::lab {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string family_of(const Curve& curve) { return curve.document.value("problem_family", ""); }

std::string number_text(double x) { return fmt::format("{:.6g}", x); }

/// What a figure plots against; none for a baseline over epsilon.
std::optional<double> x_of(const FigureRequest& r, const Curve& curve) {
  if (r.x == "epsilon") return curve.epsilon();
  if (r.x == "1/epsilon") {
    return curve.epsilon() ? std::optional(1 / *curve.epsilon()) : std::nullopt;
  }
  return curve.variable(r.x);
}

/// From regret after t rounds to what is plotted.
double y_of(const FigureRequest& r, const Curve& curve, double regret, Round t) {
  const auto rounds = static_cast<double>(t);
  if (r.y == "regret/ln(t)") return t > 1 ? regret / std::log(rounds) : kNone;
  if (r.y == "return") return curve.benchmark.value - regret / rounds;
  return regret;
}

Point point_at(const FigureRequest& r, const Curve& curve, std::size_t checkpoint, double x) {
  const simulation::Moments& moments = curve.measured.curve[checkpoint];
  const Round t = curve.checkpoints[checkpoint];
  const double half = moments.half_width95();
  Point point{x, y_of(r, curve, moments.mean(), t), y_of(r, curve, moments.mean() - half, t),
              y_of(r, curve, moments.mean() + half, t)};
  if (point.lo > point.hi) std::swap(point.lo, point.hi);
  return point;
}

/// "central ε" where epsilon varies over the figure, else "central 0.5".
std::string guarantee_label(const Curve& curve, bool epsilon_varies) {
  if (!curve.is_private() || !epsilon_varies || !curve.epsilon()) return curve.guarantee();
  const Json& g = curve.document.at("guarantee");
  const std::string multiple =
      fmt::format("{:.3g}", g.at("epsilon").get<double>() / *curve.epsilon());
  std::string text = fmt::format("{} {}ε", g.at("notion").get<std::string>(),
                                 multiple == "1" ? "" : multiple + " ");
  const double delta = g.at("delta").get<double>();
  if (delta > 0) text += fmt::format(", δ={:.2g}", delta);
  return text;
}

std::string panel_of(const FigureRequest& r, const Curve& curve) {
  if (r.panels.empty()) return "";
  if (r.panels == "problem") return curve.problem;
  if (r.panels == "epsilon") {
    return curve.epsilon() ? fmt::format("ε = {}", number_text(*curve.epsilon())) : "";
  }
  const auto value = curve.variable(r.panels);
  return value ? fmt::format("{} = {}", r.panels, number_text(*value)) : "";
}

/// A variable that is epsilon itself, in a problem made for it, tells nothing apart over epsilon.
bool follows_epsilon(const FigureRequest& r, const Curve& curve, const Json& variable) {
  return is_over_epsilon(r.x) && variable.is_number() && curve.epsilon() == variable.get<double>();
}

/// What a curve is played on: problems that differ in the axis or the panel alone are the same.
std::string setting_of(const FigureRequest& r, const Curve& curve) {
  std::string line = family_of(curve);
  for (const auto& [name, value] : curve.document.at("variables").items()) {
    if (name == r.x || name == r.panels || follows_epsilon(r, curve, value)) continue;
    line += fmt::format(" {}={}", name, value.dump());
  }
  return line;
}

/// What tells the lines of one panel apart: all that is swept but the axis and the panels. Over rounds every
/// curve is a line.
std::string line_of(const FigureRequest& r, const Curve& curve) {
  std::string line = curve.policy;
  if (!is_over_epsilon(r.x) && r.panels != "epsilon" && curve.epsilon()) {
    line += fmt::format(" epsilon={}", number_text(*curve.epsilon()));
  }
  line += fmt::format(" delta={} ", curve.document.value("delta", Json()).dump());
  return line + setting_of(r, curve);
}

struct Line {
  std::vector<const Curve*> curves;
};

/// The lines of a panel, in the order of the experiment.
std::vector<Line> lines_of(const FigureRequest& r, const std::vector<const Curve*>& curves) {
  std::vector<std::pair<std::string, Line>> lines;
  for (const Curve* curve : curves) {
    const std::string key = line_of(r, *curve);
    auto found = std::find_if(lines.begin(), lines.end(),
                              [&](const auto& line) { return line.first == key; });
    if (found == lines.end() || r.x == "t") found = lines.insert(lines.end(), {key, {}});
    found->second.curves.push_back(curve);
  }
  std::vector<Line> all;
  for (auto& [key, line] : lines) all.push_back(std::move(line));
  return all;
}

void sort_by_x(std::vector<Point>& points) {
  std::stable_sort(points.begin(), points.end(),
                   [](const Point& a, const Point& b) { return a.x < b.x; });
}

/// The smallest and the largest x of all curves.
std::pair<double, double> range_of(const FigureRequest& r,
                                   const std::vector<const Curve*>& curves) {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), 0};
  for (const Curve* curve : curves) {
    if (const auto x = x_of(r, *curve)) {
      range = {std::min(range.first, *x), std::max(range.second, *x)};
    }
  }
  return range;
}

std::vector<Point> points_of(const FigureRequest& r, const Line& line,
                             const std::pair<double, double>& range) {
  std::vector<Point> points;
  if (r.x == "t") {
    const Curve& curve = *line.curves.front();
    for (std::size_t i = 0; i < curve.checkpoints.size(); ++i) {
      points.push_back(point_at(r, curve, i, static_cast<double>(curve.checkpoints[i])));
    }
    return points;
  }
  for (const Curve* curve : line.curves) {
    const std::size_t last = curve->checkpoints.size() - 1;
    if (const auto x = x_of(r, *curve)) {
      points.push_back(point_at(r, *curve, last, *x));
    } else if (is_over_epsilon(r.x)) {  // the same whatever epsilon is
      points.push_back(point_at(r, *curve, last, range.first));
      points.push_back(point_at(r, *curve, last, range.second));
    }
  }
  sort_by_x(points);
  return points;
}

const Json* bound_of(const Curve& curve, const std::string& name) {
  for (const Json& bound : curve.document.at("bounds")) {
    if (bound.at("name") == name) return &bound;
  }
  return nullptr;
}

/// A bound's line over those of one policy; without points where it has no values.
Series bound_series(const FigureRequest& r, const std::string& name, const Line& line) {
  Series series;
  series.label = name;
  for (const Curve* curve : line.curves) {
    const Json* bound = bound_of(*curve, name);
    if (bound == nullptr) continue;
    const bool upper = bound->at("side") == "upper";
    series.upper_bound = upper;
    series.stroke = bound->at("kind") == "finite" ? Stroke::kFinite : Stroke::kAsymptotic;
    series.label =
        fmt::format("{}, {}{} bound{}", name, bound->at("kind") == "minimax" ? "minimax " : "",
                    upper ? "upper" : "lower", upper ? fmt::format(" of {}", curve->policy) : "");
    const Json& values = bound->at("values");
    const bool over_rounds = r.x == "t";
    for (std::size_t i = over_rounds ? 0 : values.size() - 1; i < values.size(); ++i) {
      const auto x =
          over_rounds ? std::optional(static_cast<double>(curve->checkpoints[i])) : x_of(r, *curve);
      if (!x || values[i].is_null()) continue;
      const double y = y_of(r, *curve, values[i].get<double>(), curve->checkpoints[i]);
      series.points.push_back({*x, y, kNone, kNone});
    }
  }
  sort_by_x(series.points);
  return series;
}

bool contradict(const Series& one, const Series& other) {
  constexpr double kRounding = 1e-9;
  for (const Point& p : one.points) {
    for (const Point& q : other.points) {
      if (p.x == q.x && std::abs(p.y - q.y) > kRounding * std::abs(p.y)) return true;
    }
  }
  return false;
}

/// Those at other places than the line has points already.
void add_points(Series& series, const std::vector<Point>& points) {
  for (const Point& point : points) {
    const bool known = std::any_of(series.points.begin(), series.points.end(),
                                   [&](const Point& p) { return p.x == point.x; });
    if (!known) series.points.push_back(point);
  }
  sort_by_x(series.points);
}

void fit(Series& series) {
  std::vector<double> x;
  std::vector<double> y;
  for (const Point& point : series.points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  series.slope = log_log_slope(x, y);
  if (series.slope) {
    series.label +=
        fmt::format(", slope {:.2f} ± {:.2f}", series.slope->value, series.slope->half_width);
  }
}

/// What a legend has to add for a policy that has several lines in a panel: the problem, or the variables, that
/// they differ in. That they differ in epsilon is told by the guarantee.
std::string distinction(const FigureRequest& r, const Line& line, const std::vector<Line>& lines) {
  const Curve& mine = *line.curves.front();
  const auto rivals_differ = [&](const auto& differs) {
    return std::any_of(lines.begin(), lines.end(), [&](const Line& other) {
      return other.curves.front()->policy == mine.policy && differs(*other.curves.front());
    });
  };
  if (rivals_differ([&](const Curve& other) { return family_of(other) != family_of(mine); })) {
    return fmt::format(", {}", mine.problem);
  }
  std::string text;
  if (!mine.is_private() && mine.epsilon() && !is_over_epsilon(r.x) &&
      rivals_differ([&](const Curve& other) { return other.epsilon() != mine.epsilon(); })) {
    text += fmt::format(", ε={}", number_text(*mine.epsilon()));
  }
  for (const auto& [name, value] : mine.document.at("variables").items()) {
    const bool differs = rivals_differ([&, key = name, own = value](const Curve& other) {
      const Json& theirs = other.document.at("variables");
      return !theirs.contains(key) || theirs.at(key) != own;
    });
    if (differs && name != r.x && !follows_epsilon(r, mine, value))
      text += fmt::format(", {}={}", name, value.dump());
  }
  return text;
}

Panel make_panel(const FigureRequest& r, const std::string& title,
                 const std::vector<const Curve*>& curves, std::map<std::string, int>& colours) {
  const bool epsilon_varies = is_over_epsilon(r.x) || r.panels == "epsilon";
  const auto range = range_of(r, curves);
  const std::vector<Line> lines = lines_of(r, curves);
  Panel panel{title, {}};
  std::map<std::string, int> policies;  // how many lines each has in this panel
  for (const Line& line : lines) ++policies[line.curves.front()->policy];
  for (const Line& line : lines) {
    const Curve& first = *line.curves.front();
    Series series;
    series.policy = first.policy;
    series.problem = first.problem;
    series.epsilon = first.epsilon();
    series.setting = setting_of(r, first);
    series.label = fmt::format("{} ({})", first.policy, guarantee_label(first, epsilon_varies));
    if (policies[first.policy] > 1) series.label += distinction(r, line, lines);
    series.stroke = first.is_private() ? Stroke::kPrivate : Stroke::kNotPrivate;
    series.points = points_of(r, line, range);
    series.marks = r.x != "t" && (first.epsilon() || !is_over_epsilon(r.x));
    series.colour = colours.emplace(series.label, static_cast<int>(colours.size())).first->second;
    if (r.slopes && series.marks) fit(series);
    panel.series.push_back(std::move(series));
  }
  for (const std::string& name : r.y == "return" ? std::vector<std::string>{} : r.bounds) {
    std::vector<Series> found;
    for (const Line& line : lines) found.push_back(bound_series(r, name, line));
    // Of a bound that has several values at one place it has to be said which is whose.
    const bool several = std::any_of(found.begin(), found.end(), [&](const Series& one) {
      return std::any_of(found.begin(), found.end(), [&](const Series& other) {
        return one.label == other.label && contradict(one, other);
      });
    });
    for (std::size_t i = 0; i < lines.size(); ++i) {
      Series series = std::move(found[i]);
      if (series.points.empty()) continue;
      if (several) series.label += fmt::format(", for {}", panel.series[i].label);
      // An upper bound has the colour of its policy; a lower one is everybody's, and drawn once.
      const auto number = std::find(r.bounds.begin(), r.bounds.end(), name) - r.bounds.begin();
      series.colour = series.upper_bound ? panel.series[i].colour : -1 - static_cast<int>(number);
      const auto known =
          std::find_if(panel.series.begin(), panel.series.end(),
                       [&](const Series& other) { return other.label == series.label; });
      if (known == panel.series.end()) {
        panel.series.push_back(std::move(series));
      } else {
        add_points(*known, series.points);
      }
    }
  }
  return panel;
}

std::string x_label_of(const FigureRequest& r) {
  if (r.x == "t") return "round";
  if (r.x == "epsilon") return "ε";
  if (r.x == "1/epsilon") return "1/ε";
  return r.x;
}

std::string y_label_of(const FigureRequest& r) {
  if (r.y == "regret/ln(t)") return "regret / ln(round)";
  if (r.y == "return") return "return per round";
  return "regret";
}

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

void check_bounds(const FigureRequest& r, const std::vector<const Curve*>& curves) {
  for (const std::string& name : r.bounds) {
    const bool known = std::any_of(curves.begin(), curves.end(), [&](const Curve* curve) {
      return bound_of(*curve, name) != nullptr;
    });
    if (!known) {
      refuse(r.place, "bounds", name,
             "has no number on what this figure shows; tacit bounds --all says why");
    }
  }
}

}  // namespace

bool is_over_epsilon(const std::string& x) { return x == "epsilon" || x == "1/epsilon"; }

bool shows(const FigureRequest& r, const Json& document) {
  const bool problem = r.problems.empty() || holds(r.problems, document.at("problem_label")) ||
                       holds(r.problems, document.at("problem_family"));
  const bool policy = r.policies.empty() || holds(r.policies, document.at("policy_label"));
  const Json& epsilon = document.at("epsilon");
  const bool level = r.epsilons.empty() || epsilon.is_null() ||
                     std::any_of(r.epsilons.begin(), r.epsilons.end(), [&](const std::string& e) {
                       return std::stod(e) == epsilon.get<double>();
                     });
  return problem && policy && level;
}

Figure make_figure(const FigureRequest& r, const std::vector<Curve>& curves) {
  std::vector<const Curve*> wanted;
  for (const Curve& curve : curves) {
    if (shows(r, curve.document)) wanted.push_back(&curve);
  }
  if (wanted.empty()) refuse(r.place, "figure", r.name, "there is nothing to draw");
  check_bounds(r, wanted);
  Figure figure{.name = r.name,
                .title = r.title,
                .x = r.x,
                .x_label = x_label_of(r),
                .y_label = y_label_of(r),
                .log_x = r.axes == "logx" || r.axes == "loglog",
                .log_y = r.axes == "logy" || r.axes == "loglog",
                .panels = {}};
  std::vector<std::string> titles;
  for (const Curve* curve : wanted) {
    const std::string title = panel_of(r, *curve);
    const bool everywhere = r.panels == "epsilon" && title.empty();
    if (!everywhere && !holds(titles, title)) titles.push_back(title);
  }
  if (titles.empty()) titles.emplace_back();  // baselines alone
  std::map<std::string, int> colours;
  for (const std::string& title : titles) {
    std::vector<const Curve*> here;
    for (const Curve* curve : wanted) {
      const std::string theirs = panel_of(r, *curve);
      if (theirs == title || (r.panels == "epsilon" && theirs.empty())) here.push_back(curve);
    }
    figure.panels.push_back(make_panel(r, title, here, colours));
  }
  return figure;
}

std::vector<FigureRequest> usual_figures(const std::vector<Curve>& curves) {
  std::vector<FigureRequest> figures;
  for (const Curve& curve : curves) {
    const bool known = std::any_of(figures.begin(), figures.end(), [&](const FigureRequest& f) {
      return f.problems.front() == curve.problem;
    });
    if (known) continue;
    std::vector<double> epsilons;
    for (const Curve& other : curves) {
      const auto epsilon = other.epsilon();
      if (other.problem == curve.problem && epsilon &&
          std::find(epsilons.begin(), epsilons.end(), *epsilon) == epsilons.end()) {
        epsilons.push_back(*epsilon);
      }
    }
    FigureRequest figure;
    figure.name = file_name(curve.problem, figures);
    figure.title = curve.problem;
    figure.axes = "logx";
    figure.panels = epsilons.size() > 1 ? "epsilon" : "";
    figure.problems = {curve.problem};
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace tacit::lab
