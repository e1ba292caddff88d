#include "tacit/reports/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tacit/reports/fits.hpp"

namespace tacit::reports {
namespace {

/// What is known of a number: it lies in here, but for one in twenty.
struct Interval {
  double lo;
  double hi;
};

/// Whether a number is within a band: all of its interval is, or none of it, or some.
Judgement within(const Interval& number, const Interval& band) {
  if (number.lo >= band.lo && number.hi <= band.hi) return Judgement::kHolds;
  if (number.hi < band.lo || number.lo > band.hi) return Judgement::kFails;
  return Judgement::kOpen;  // where there is no interval, too
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Whether it is known to have less than random play: what has not says nothing of a policy.
bool has_learnt(const Point& point) {
  constexpr double kAlmost = 0.95;
  return !(point.hi >=
           kAlmost * point.random);  // not known what random play has: nothing against it
}
bool has_learnt(const Series& series) {
  return std::any_of(series.points.begin(), series.points.end(),
                     [](const Point& point) { return has_learnt(point); });
}
constexpr const char* kLikeRandomPlay = " (which is what random play has)";

/// What was found in several places; a claim holds where it holds in all of them.
class Findings {
 public:
  void add(Judgement one, const std::string& measured) {
    if (one == Judgement::kFails || all_ == Judgement::kFails) {
      all_ = Judgement::kFails;
    } else if (one == Judgement::kOpen) {
      all_ = Judgement::kOpen;
    }
    (one == Judgement::kHolds ? clear_ : doubtful_)
        .push_back(measured + (one == Judgement::kOpen ? " (not told apart)" : ""));
  }

  /// Of curves that have learnt nothing.
  void add_empty(const std::string& measured) {
    if (all_ == Judgement::kHolds) all_ = Judgement::kOpen;
    doubtful_.push_back(measured + kLikeRandomPlay);
  }

  bool empty() const { return clear_.empty() && doubtful_.empty(); }
  /// All that does not hold, or is not told; of what holds only so much that there are `most`.
  Judged in_words(std::size_t most, const std::string& ending = "") const {
    std::vector<std::string> some = doubtful_;
    const std::size_t room = most > some.size() ? most - some.size() : 0;
    some.insert(some.end(), clear_.begin(),
                clear_.begin() + static_cast<std::ptrdiff_t>(std::min(room, clear_.size())));
    const std::size_t more = doubtful_.size() + clear_.size() - some.size();
    return {all_,
            fmt::format("{}{}{}", fmt::join(some, "; "),
                        more > 0 ? fmt::format("; and {} more that hold", more) : "", ending)};
  }
  Judged all(const std::string& ending = "") const {
    return in_words(clear_.size() + doubtful_.size(), ending);
  }

 private:
  Judgement all_ = Judgement::kHolds;
  std::vector<std::string> clear_;
  std::vector<std::string> doubtful_;
};

struct Found {
  const Panel& panel;
  const Series& series;
};

/// The measured lines of the policy that a claim is about.
std::vector<Found> lines_meant(const Claim& claim, const Figure& figure) {
  std::vector<Found> all;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.policy == claim.policy && series.is_measured()) all.push_back({panel, series});
    }
  }
  return all;
}

/// The lines of a policy that another line is to be compared with: those on the same problems at the same epsilon;
/// where there is none of them, all.
std::vector<const Series*> rivals(const Figure& figure, const Found& line,
                                  const std::string& policy) {
  const Series& mine = line.series;
  std::vector<const Series*> all;
  std::vector<const Series*> alike;
  for (const Series& other : line.panel.series) {
    if (other.policy != policy || !other.is_measured()) continue;
    all.push_back(&other);
    const bool same_epsilon = is_over_epsilon(figure.x) || !mine.epsilon || !other.epsilon ||
                              mine.epsilon == other.epsilon;
    if (other.setting == mine.setting && same_epsilon) alike.push_back(&other);
  }
  return alike.empty() ? all : alike;
}

/// Where a comparison is made: the last point of a curve over rounds, every point of a sweep.
std::vector<Point> compared(const Series& series) {
  if (series.course != Course::kOverRounds || series.points.empty()) return series.points;
  return {series.points.back()};
}

/// " at ε = 0.5, x = 2", as short as it goes.
std::string at(const Found& line, double x) {
  std::string text = line.panel.title;
  if (line.series.course == Course::kSwept) {
    text += fmt::format("{}x = {:.4g}", text.empty() ? "" : ", ", x);
  }
  return text.empty() ? "" : fmt::format(" at {}", text);
}

/// By which ratio y of one lies above that of another, both at least 0.
Interval ratio(const Point& one, const Point& other) {
  return {one.lo / other.hi, other.lo > 0 ? one.hi / other.lo : kNoLimit};
}

/// The points of a line that a claim speaks of.
std::vector<Point> points_meant(const Claim& claim, const Figure& figure, const Series& series) {
  if (series.points.empty()) return {};
  if (claim.problem && series.problem != *claim.problem) return {};
  if (!claim.epsilon) return compared(series);
  if (!is_over_epsilon(figure.x)) {
    return series.epsilon == claim.epsilon ? compared(series) : std::vector<Point>{};
  }
  const double x = figure.x == Axis::kEpsilon ? *claim.epsilon : 1 / *claim.epsilon;
  const Point* point = point_at(series, x);
  return point != nullptr ? std::vector<Point>{*point} : std::vector<Point>{};
}

/// One line against a rival, wherever both have a value.
void compare(const Figure& figure, const Found& line, const Series& rival, const Claim& claim,
             Findings& findings) {
  const double factor = claim.factor.value_or(1);
  for (const Point& mine : points_meant(claim, figure, line.series)) {
    const Point* other = point_at(rival, mine.x);
    if (other == nullptr) continue;
    if (!has_learnt(mine) && !has_learnt(*other)) {
      findings.add_empty(fmt::format("{:.4g} against {:.4g} of {}{}", mine.y, other->y,
                                     rival.policy, at(line, mine.x)));
      continue;
    }
    const Interval difference{factor * mine.lo - other->hi, factor * mine.hi - other->lo};
    findings.add(claim.alike ? within(ratio(mine, *other), {1 / factor, factor})
                             : within(difference, {-kNoLimit, 0}),
                 fmt::format("{:.4g} against {:.4g} of {}{}", mine.y, other->y, rival.policy,
                             at(line, mine.x)));
  }
}

Judged check_less(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    for (const std::string& other : claim.than) {
      for (const Series* rival : rivals(figure, line, other)) {
        compare(figure, line, *rival, claim, findings);
      }
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "nothing to compare"};
  constexpr std::size_t kMost = 8;
  return findings.in_words(kMost);
}

Judged check_value(const Claim& claim, const Figure& figure) {
  Findings findings;
  const double slack = claim.within * std::abs(*claim.value);
  const Interval band{*claim.value - slack, *claim.value + slack};
  for (const Found& line : lines_meant(claim, figure)) {
    for (const Point& point : points_meant(claim, figure, line.series)) {
      const std::string measured =
          fmt::format("{:.4g} +/- {:.2g}{}", point.y, (point.hi - point.lo) / 2, at(line, point.x));
      if (has_learnt(point)) {
        findings.add(within({point.lo, point.hi}, band), measured);
      } else {
        findings.add_empty(measured);
      }
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "not measured"};
  return findings.all(fmt::format(", where {:.4g} is said", *claim.value));
}

std::string slope_text(const Slope& slope) {
  return fmt::format("{:.2f} +/- {:.2f}", slope.value, slope.half_width);
}
Interval interval_of(const Slope& slope) {
  return {slope.value - slope.half_width, slope.value + slope.half_width};
}

/// The slopes that a claim is about: one of the line itself, or one above every rival.
std::vector<std::optional<Slope>> slopes_meant(const Claim& claim, const Figure& figure,
                                               const Found& line) {
  if (!claim.above) return {line.series.slope};
  std::vector<std::optional<Slope>> all;
  for (const Series* rival : rivals(figure, line, *claim.above)) {
    all.push_back(slope_above(line.series, *rival));
  }
  return all;
}

Judged check_slope(const Claim& claim, const Figure& figure) {
  Findings findings;
  const std::string what = claim.above ? "slope above " + *claim.above : "slope";
  for (const Found& line : lines_meant(claim, figure)) {
    for (const std::optional<Slope>& slope : slopes_meant(claim, figure, line)) {
      if (!slope) continue;
      findings.add(
          within(interval_of(*slope), {*claim.slope - claim.within, *claim.slope + claim.within}),
          fmt::format("{} {}", what, slope_text(*slope)));
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "no slope was fitted"};
  return findings.all(fmt::format(", where {:.2g} is said", *claim.slope));
}

/// How fast the ratio of two lines grows: what both have in common, and what they share by accident, cancels.
std::optional<Slope> slope_of_ratio(const Series& one, const Series& other) {
  std::vector<double> x;
  std::vector<Estimated> ratios;
  for (const Point& point : one.points) {
    const Point* rival = point_at(other, point.x);
    if (rival == nullptr) continue;
    const auto relative = [](const Point& p) { return (p.hi - p.lo) / 2 / p.y; };
    const double ratio = point.y / rival->y;
    x.push_back(point.x);
    ratios.push_back({ratio, ratio * std::hypot(relative(point), relative(*rival))});
  }
  return log_log_slope(x, ratios);
}

Judged check_steeper(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    for (const std::string& other : claim.than) {
      for (const Series* rival : rivals(figure, line, other)) {
        const std::optional<Slope> apart = slope_of_ratio(line.series, *rival);
        if (!apart || !line.series.slope || !rival->slope) continue;
        if (!has_learnt(line.series) && !has_learnt(*rival)) {
          findings.add_empty(fmt::format("slopes {:.2f} and {:.2f}", line.series.slope->value,
                                         rival->slope->value));
          continue;
        }
        findings.add(
            within(interval_of(*apart), {*claim.steeper_by, kNoLimit}),
            fmt::format("slopes {:.2f} and {:.2f}, that of the ratio {}", line.series.slope->value,
                        rival->slope->value, slope_text(*apart)));
      }
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "no slopes were fitted"};
  return findings.all();
}

Judged check_settles(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const auto& [panel, series] : lines_meant(claim, figure)) {
    const Point* early = early_point(series);
    if (early == nullptr) continue;
    const Point& last = series.points.back();
    // Both are of the same runs: no more is known of the difference than that both errors add up.
    const double error = (early->hi - early->lo + last.hi - last.lo) / 2;
    const double moved = std::abs(last.y - early->y);
    const double allowed = *claim.settles * std::abs(last.y);
    const std::string when = series.course == Course::kOverRounds
                                 ? "at a tenth of the rounds"
                                 : fmt::format("at {:.4g}", early->x);
    const std::string measured = fmt::format("{:.4g} {}, {:.4g} at the end{}", early->y, when,
                                             last.y, panel.title.empty() ? "" : ", " + panel.title);
    if (has_learnt(last)) {
      findings.add(within({moved - error, moved + error}, {-kNoLimit, allowed}), measured);
    } else {
      findings.add_empty(measured);
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "not measured"};
  return findings.all();
}

/// Every point is near the line through all of them.
Judged check_linear(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    std::vector<double> x;
    std::vector<double> y;
    for (const Point& point : line.series.points) {
      x.push_back(point.x);
      y.push_back(point.y);
    }
    if (x.size() < 3) continue;
    const StraightLine straight = straight_line(x, y);
    const double allowed = *claim.linear * std::abs(straight.at(x.back()) - straight.at(x.front()));
    Judgement worst = Judgement::kHolds;
    double farthest = 0;
    for (const Point& point : line.series.points) {
      const double expected = straight.at(point.x);
      const Judgement one = within({point.lo - expected, point.hi - expected}, {-allowed, allowed});
      if (one == Judgement::kFails || worst == Judgement::kHolds) worst = one;
      farthest = std::max(farthest, std::abs(point.y - expected));
    }
    findings.add(worst, fmt::format("{:.4g} + {:.4g} x{}, no point farther from it than {:.2g} of "
                                    "the rise",
                                    straight.intercept, straight.slope,
                                    line.panel.title.empty() ? "" : " at " + line.panel.title,
                                    farthest / (allowed / *claim.linear)));
  }
  if (findings.empty()) return {Judgement::kOpen, "fewer than three points"};
  return findings.all();
}

}  // namespace

const char* name_of(Judgement judgement) {
  switch (judgement) {
    case Judgement::kHolds: return "holds";
    case Judgement::kFails: return "does not hold";
    case Judgement::kOpen: return "open";
  }
  return "";
}

Judged judge(const Claim& claim, const Figure& figure) {
  if (claim.value) return check_value(claim, figure);
  if (claim.slope) return check_slope(claim, figure);
  if (claim.steeper_by) return check_steeper(claim, figure);
  if (claim.settles) return check_settles(claim, figure);
  if (claim.linear) return check_linear(claim, figure);
  return check_less(claim, figure);
}

}  // namespace tacit::reports
