#include "tacit/reports/judgement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tacit::reports {
namespace {

/// What was found in several places; a claim holds where it holds in all of them.
class Findings {
 public:
  void add(Judgement one, std::string measured) {
    if (one == Judgement::kFails || all_ == Judgement::kFails) {
      all_ = Judgement::kFails;
    } else if (one == Judgement::kOpen) {
      all_ = Judgement::kOpen;
    }
    measured_.push_back(std::move(measured));
  }
  void add(bool holds, std::string measured) {
    add(holds ? Judgement::kHolds : Judgement::kFails, std::move(measured));
  }

  bool empty() const { return measured_.empty(); }
  /// Sweeps compare many points; those that speak for themselves are not all spelled out.
  Judged first(std::size_t most) const {
    const std::vector<std::string> some(
        measured_.begin(),
        measured_.begin() + static_cast<std::ptrdiff_t>(std::min(most, measured_.size())));
    const std::size_t more = measured_.size() - some.size();
    return {all_, fmt::format("{}{}", fmt::join(some, "; "),
                              more > 0 ? fmt::format("; and {} more", more) : "")};
  }
  Judged all(const std::string& ending = "") const {
    return {all_, fmt::format("{}{}", fmt::join(measured_, "; "), ending)};
  }

 private:
  Judgement all_ = Judgement::kHolds;
  std::vector<std::string> measured_;
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

/// The value of a line at x.
const Point* point_at(const Series& series, double x) {
  for (const Point& point : series.points) {
    if (point.x == x) return &point;
  }
  const bool everywhere = series.course == Course::kFlat && !series.points.empty();
  return everywhere ? &series.points.front() : nullptr;
}

/// " at ε = 0.5, x = 2", as short as it goes.
std::string at(const Found& line, double x) {
  std::string text = line.panel.title;
  if (line.series.course == Course::kSwept) {
    text += fmt::format("{}x = {:.4g}", text.empty() ? "" : ", ", x);
  }
  return text.empty() ? "" : fmt::format(" at {}", text);
}

/// One line against a rival, wherever both have a value.
void compare(const Found& line, const Series& rival, double factor, Findings& findings) {
  for (const Point& low : compared(line.series)) {
    const Point* high = point_at(rival, low.x);
    if (high == nullptr) continue;
    const bool apart = factor * low.hi < high->lo;
    const bool reversed = factor * low.lo > high->hi;
    const Judgement one = apart      ? Judgement::kHolds
                          : reversed ? Judgement::kFails
                                     : Judgement::kOpen;
    findings.add(one,
                 fmt::format("{:.4g} against {:.4g} of {}{}{}", low.y, high->y, rival.policy,
                             at(line, low.x), one == Judgement::kOpen ? " (not told apart)" : ""));
  }
}

Judged check_less(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    for (const std::string& other : claim.than) {
      for (const Series* rival : rivals(figure, line, other)) {
        compare(line, *rival, claim.factor.value_or(1), findings);
      }
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "nothing to compare"};
  constexpr std::size_t kMost = 8;
  return findings.first(kMost);
}

/// The points that a claim about a value speaks of.
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

Judged check_value(const Claim& claim, const Figure& figure) {
  Findings findings;
  const double slack = claim.within * std::abs(*claim.value);
  for (const Found& line : lines_meant(claim, figure)) {
    for (const Point& point : points_meant(claim, figure, line.series)) {
      findings.add(std::abs(point.y - *claim.value) <= slack,
                   fmt::format("{:.4g} +/- {:.2g}{}", point.y, (point.hi - point.lo) / 2,
                               at(line, point.x)));
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "not measured"};
  return findings.all(fmt::format(", where {:.4g} is said", *claim.value));
}

std::string slope_text(const Slope& slope) {
  return fmt::format("{:.2f} +/- {:.2f}", slope.value, slope.half_width);
}

Judged check_slope(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    const std::optional<Slope>& slope = line.series.slope;
    if (!slope) continue;
    findings.add(std::abs(slope->value - *claim.slope) <= claim.within,
                 fmt::format("slope {}", slope_text(*slope)));
  }
  if (findings.empty()) return {Judgement::kOpen, "no slope was fitted"};
  return findings.all(fmt::format(", where {:.2g} is said", *claim.slope));
}

Judged check_steeper(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const Found& line : lines_meant(claim, figure)) {
    const std::optional<Slope>& steep = line.series.slope;
    if (!steep) continue;
    for (const std::string& other : claim.than) {
      for (const Series* rival : rivals(figure, line, other)) {
        const std::optional<Slope>& flat = rival->slope;
        if (!flat) continue;
        const double difference = steep->value - flat->value;
        findings.add(difference >= *claim.steeper_by,
                     fmt::format("slopes {} and {}: {:.2f} apart", slope_text(*steep),
                                 slope_text(*flat), difference));
      }
    }
  }
  if (findings.empty()) return {Judgement::kOpen, "no slopes were fitted"};
  return findings.all();
}

/// The last point up to a tenth of the rounds.
const Point* early_point(const Series& series) {
  const Point* early = nullptr;
  for (const Point& point : series.points) {
    if (point.x <= series.points.back().x / 10 && std::isfinite(point.y)) early = &point;
  }
  return early;
}

Judged check_settles(const Claim& claim, const Figure& figure) {
  Findings findings;
  for (const auto& [panel, series] : lines_meant(claim, figure)) {
    const Point* early = early_point(series);
    if (early == nullptr) continue;
    const Point& last = series.points.back();
    findings.add(std::abs(last.y - early->y) <= *claim.settles * std::abs(last.y),
                 fmt::format("{:.4g} at a tenth of the rounds, {:.4g} at the end{}", early->y,
                             last.y, panel.title.empty() ? "" : ", " + panel.title));
  }
  if (findings.empty()) return {Judgement::kOpen, "not measured"};
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
  return check_less(claim, figure);
}

}  // namespace tacit::reports
