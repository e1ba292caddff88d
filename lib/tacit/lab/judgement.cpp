#include "tacit/lab/judgement.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tacit::lab {
namespace {

bool is_measured(const Series& series) {
  return series.stroke == Stroke::kPrivate || series.stroke == Stroke::kNotPrivate;
}

/// Where a comparison is made: the last point of a curve over rounds, every point of a sweep.
std::vector<Point> compared(const Figure& figure, const Series& series) {
  if (figure.x != "t" || series.points.empty()) return series.points;
  return {series.points.back()};
}

/// "regret 12.5 at ε = 0.5, x 2", as short as it goes.
std::string at(const Panel& panel, const Series& series, double x) {
  std::string text = panel.title;
  if (series.marks) text += fmt::format("{}x = {:.4g}", text.empty() ? "" : ", ", x);
  return text.empty() ? "" : fmt::format(" at {}", text);
}

/// The value of a line at x; that of a baseline over epsilon is the same everywhere.
const Point* point_at(const Figure& figure, const Series& series, double x) {
  for (const Point& point : series.points) {
    if (point.x == x) return &point;
  }
  const bool baseline = figure.x != "t" && !series.marks && !series.points.empty();
  return baseline ? &series.points.front() : nullptr;
}

void worsen(Judgement& all, Judgement one) {
  if (one == Judgement::kFails || all == Judgement::kFails) {
    all = Judgement::kFails;
  } else if (one == Judgement::kOpen) {
    all = Judgement::kOpen;
  }
}

/// The lines of a policy that another line is to be compared with: those on the same problems at the same epsilon;
/// where there is none of them, all.
std::vector<const Series*> rivals(const Figure& figure, const Panel& panel, const Series& series,
                                  const std::string& policy) {
  const bool over_epsilon = is_over_epsilon(figure.x);
  std::vector<const Series*> all;
  std::vector<const Series*> alike;
  for (const Series& other : panel.series) {
    if (other.policy != policy || !is_measured(other)) continue;
    all.push_back(&other);
    const bool same_epsilon =
        over_epsilon || !series.epsilon || !other.epsilon || series.epsilon == other.epsilon;
    if (other.setting == series.setting && same_epsilon) alike.push_back(&other);
  }
  return alike.empty() ? all : alike;
}

Judged compare(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  const double factor = claim.factor.value_or(1);
  int compared_pairs = 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& less : panel.series) {
      if (less.policy != claim.policy || !is_measured(less)) continue;
      std::vector<const Series*> others;
      for (const std::string& other : claim.than) {
        for (const Series* each : rivals(figure, panel, less, other)) others.push_back(each);
      }
      for (const Series* more : others) {
        for (const Point& low : compared(figure, less)) {
          const Point* high = point_at(figure, *more, low.x);
          if (high == nullptr) continue;
          ++compared_pairs;
          const bool apart = factor * low.hi < high->lo;
          const bool reversed = factor * low.lo > high->hi;
          const Judgement one = apart      ? Judgement::kHolds
                                : reversed ? Judgement::kFails
                                           : Judgement::kOpen;
          worsen(all, one);
          measured.push_back(fmt::format("{:.4g} against {:.4g} of {}{}{}", low.y, high->y,
                                         more->policy, at(panel, less, low.x),
                                         one == Judgement::kOpen ? " (not told apart)" : ""));
        }
      }
    }
  }
  if (compared_pairs == 0) return {Judgement::kOpen, "nothing to compare"};
  // Sweeps compare many points; those that speak for themselves are not all spelled out.
  constexpr std::size_t kMost = 8;
  const std::size_t more = measured.size() > kMost ? measured.size() - kMost : 0;
  measured.resize(std::min(measured.size(), kMost));
  return {all, fmt::format("{}{}", fmt::join(measured, "; "),
                           more > 0 ? fmt::format("; and {} more", more) : "")};
}

/// The points that a claim about a value speaks of.
std::vector<Point> points_meant(const Claim& claim, const Figure& figure, const Series& series) {
  if (series.policy != claim.policy || !is_measured(series) || series.points.empty()) return {};
  if (claim.problem && series.problem != *claim.problem) return {};
  if (!claim.epsilon) return compared(figure, series);
  if (!is_over_epsilon(figure.x)) {
    return series.epsilon == claim.epsilon ? compared(figure, series) : std::vector<Point>{};
  }
  const double x = figure.x == "epsilon" ? *claim.epsilon : 1 / *claim.epsilon;
  const Point* point = point_at(figure, series, x);
  return point != nullptr ? std::vector<Point>{*point} : std::vector<Point>{};
}

Judged check_value(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      for (const Point& point : points_meant(claim, figure, series)) {
        const double slack = claim.within * std::abs(*claim.value);
        const bool near = std::abs(point.y - *claim.value) <= slack;
        worsen(all, near ? Judgement::kHolds : Judgement::kFails);
        measured.push_back(fmt::format("{:.4g} +/- {:.2g}{}", point.y, (point.hi - point.lo) / 2,
                                       at(panel, series, point.x)));
      }
    }
  }
  if (measured.empty()) return {Judgement::kOpen, "not measured"};
  return {all, fmt::format("{}, where {:.4g} is said", fmt::join(measured, "; "), *claim.value)};
}

std::string slope_text(const Slope& slope) {
  return fmt::format("{:.2f} +/- {:.2f}", slope.value, slope.half_width);
}

Judged check_slope(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.policy != claim.policy || !series.slope) continue;
      const double off = std::abs(series.slope->value - *claim.slope);
      worsen(all, off <= claim.within ? Judgement::kHolds : Judgement::kFails);
      measured.push_back(fmt::format("slope {}", slope_text(*series.slope)));
    }
  }
  if (measured.empty()) return {Judgement::kOpen, "no slope was fitted"};
  return {all, fmt::format("{}, where {:.2g} is said", fmt::join(measured, "; "), *claim.slope)};
}

Judged check_steeper(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    for (const Series& steep : panel.series) {
      if (steep.policy != claim.policy || !steep.slope) continue;
      for (const std::string& other : claim.than) {
        for (const Series* flat : rivals(figure, panel, steep, other)) {
          if (!flat->slope) continue;
          const double difference = steep.slope->value - flat->slope->value;
          worsen(all, difference >= *claim.steeper_by ? Judgement::kHolds : Judgement::kFails);
          measured.push_back(fmt::format("slopes {} and {}: {:.2f} apart", slope_text(*steep.slope),
                                         slope_text(*flat->slope), difference));
        }
      }
    }
  }
  if (measured.empty()) return {Judgement::kOpen, "no slopes were fitted"};
  return {all, fmt::format("{}", fmt::join(measured, "; "))};
}

Judged check_settles(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.policy != claim.policy || !is_measured(series) || series.points.empty()) continue;
      const Point& last = series.points.back();
      const Point* early = nullptr;
      for (const Point& point : series.points) {
        if (point.x <= last.x / 10 && std::isfinite(point.y)) early = &point;
      }
      if (early == nullptr) continue;
      const double change = std::abs(last.y - early->y);
      worsen(all,
             change <= *claim.settles * std::abs(last.y) ? Judgement::kHolds : Judgement::kFails);
      measured.push_back(fmt::format("{:.4g} at a tenth of the rounds, {:.4g} at the end{}",
                                     early->y, last.y,
                                     panel.title.empty() ? "" : ", " + panel.title));
    }
  }
  if (measured.empty()) return {Judgement::kOpen, "not measured"};
  return {all, fmt::format("{}", fmt::join(measured, "; "))};
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
  return compare(claim, figure);
}

}  // namespace tacit::lab
