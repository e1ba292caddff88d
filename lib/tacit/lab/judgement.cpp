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
std::vector<Point> compared(const Series& series) {
  if (series.marks || series.points.size() <= 2) return series.points;
  return {series.points.back()};
}

/// "regret 12.5 at ε = 0.5, x 2", as short as it goes.
std::string at(const Panel& panel, const Series& series, double x) {
  std::string text = panel.title;
  if (series.marks) text += fmt::format("{}x = {:.4g}", text.empty() ? "" : ", ", x);
  return text.empty() ? "" : fmt::format(" at {}", text);
}

/// The value of a line at x; that of a baseline over epsilon is the same everywhere.
const Point* point_at(const Series& series, double x) {
  for (const Point& point : series.points) {
    if (point.x == x) return &point;
  }
  return series.points.size() == 2 && !series.marks ? &series.points.front() : nullptr;
}

void worsen(Judgement& all, Judgement one) {
  if (one == Judgement::kFails || all == Judgement::kFails) {
    all = Judgement::kFails;
  } else if (one == Judgement::kOpen) {
    all = Judgement::kOpen;
  }
}

Judged compare(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  const double factor = claim.factor.value_or(1);
  int compared_pairs = 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& less : panel.series) {
      if (less.policy != claim.policy || !is_measured(less)) continue;
      for (const Series& more : panel.series) {
        const bool named =
            std::find(claim.than.begin(), claim.than.end(), more.policy) != claim.than.end();
        if (!named || !is_measured(more)) continue;
        for (const Point& low : compared(less)) {
          const Point* high = point_at(more, low.x);
          if (high == nullptr) continue;
          ++compared_pairs;
          const bool apart = factor * low.hi < high->lo;
          const bool reversed = factor * low.lo > high->hi;
          const Judgement one = apart      ? Judgement::kHolds
                                : reversed ? Judgement::kFails
                                           : Judgement::kOpen;
          worsen(all, one);
          measured.push_back(fmt::format("{:.4g} against {:.4g} of {}{}{}", low.y, high->y,
                                         more.policy, at(panel, less, low.x),
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

/// The point that a claim about a value speaks of; null when the line has none.
const Point* point_meant(const Claim& claim, const Figure& figure, const Series& series) {
  if (series.policy != claim.policy || !is_measured(series) || series.points.empty())
    return nullptr;
  if (claim.problem && series.problem != *claim.problem) return nullptr;
  if (!claim.epsilon) return &series.points.back();
  if (figure.x == "epsilon") return point_at(series, *claim.epsilon);
  if (figure.x == "1/epsilon") return point_at(series, 1 / *claim.epsilon);
  return series.epsilon == claim.epsilon ? &series.points.back() : nullptr;
}

Judged check_value(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      const Point* meant = point_meant(claim, figure, series);
      if (meant == nullptr) continue;
      const Point& last = *meant;
      const double slack = claim.within * std::abs(*claim.value);
      worsen(all, std::abs(last.y - *claim.value) <= slack ? Judgement::kHolds : Judgement::kFails);
      measured.push_back(fmt::format("{:.4g} +/- {:.2g}{}", last.y, (last.hi - last.lo) / 2,
                                     at(panel, series, last.x)));
    }
  }
  if (measured.empty()) return {Judgement::kOpen, "not measured"};
  return {all, fmt::format("{}, where {:.4g} is said", fmt::join(measured, "; "), *claim.value)};
}

const Series* sloped(const Panel& panel, const std::string& policy) {
  for (const Series& series : panel.series) {
    if (series.policy == policy && series.slope) return &series;
  }
  return nullptr;
}

std::string slope_text(const Slope& slope) {
  return fmt::format("{:.2f} +/- {:.2f}", slope.value, slope.half_width);
}

Judged check_slope(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    const Series* series = sloped(panel, claim.policy);
    if (series == nullptr) continue;
    worsen(all, std::abs(series->slope->value - *claim.slope) <= claim.within ? Judgement::kHolds
                                                                              : Judgement::kFails);
    measured.push_back(fmt::format("slope {}", slope_text(*series->slope)));
  }
  if (measured.empty()) return {Judgement::kOpen, "no slope was fitted"};
  return {all, fmt::format("{}, where {:.2g} is said", fmt::join(measured, "; "), *claim.slope)};
}

Judged check_steeper(const Claim& claim, const Figure& figure) {
  Judgement all = Judgement::kHolds;
  std::vector<std::string> measured;
  for (const Panel& panel : figure.panels) {
    const Series* steep = sloped(panel, claim.policy);
    const Series* flat = sloped(panel, claim.than.front());
    if (steep == nullptr || flat == nullptr) continue;
    const double difference = steep->slope->value - flat->slope->value;
    worsen(all, difference >= *claim.steeper_by ? Judgement::kHolds : Judgement::kFails);
    measured.push_back(fmt::format("slopes {} and {}: {:.2f} apart", slope_text(*steep->slope),
                                   slope_text(*flat->slope), difference));
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
      const double change = std::abs(last.y - early->y) / std::abs(last.y);
      worsen(all, change <= *claim.settles ? Judgement::kHolds : Judgement::kFails);
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
