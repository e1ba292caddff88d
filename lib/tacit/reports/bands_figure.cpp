#include "tacit/reports/bands_figure.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "tacit/lab/document.hpp"

namespace tacit::reports {
namespace {

constexpr std::size_t kMostArms = 10;  // as there are colours

std::vector<std::size_t> shown_arms(const std::vector<double>& means) {
  std::vector<std::size_t> arms(means.size());
  std::iota(arms.begin(), arms.end(), std::size_t{0});
  if (arms.size() <= kMostArms) return arms;
  std::stable_sort(arms.begin(), arms.end(),
                   [&](std::size_t a, std::size_t b) { return means[a] > means[b]; });
  arms.resize(kMostArms);
  std::sort(arms.begin(), arms.end());
  return arms;
}

/// The first checkpoint at which something is known of an arm.
std::optional<double> first_known(const std::vector<SimulatedPolicy>& policies) {
  std::optional<double> first;
  for (const auto& [request, summary] : policies) {
    for (std::size_t c = 0; c < request.checkpoints.size(); ++c) {
      const auto& bands = summary.intervals->at[c];
      const bool known =
          std::any_of(bands.low.begin(), bands.low.end(), [](double low) { return low > 0; }) ||
          std::any_of(bands.high.begin(), bands.high.end(), [](double high) { return high < 1; });
      if (!known) continue;
      const auto t = static_cast<double>(request.checkpoints[c]);
      first = std::min(first.value_or(t), t);
      break;
    }
  }
  return first;
}

Series band_of(const SimulatedPolicy& policy, std::size_t arm, const std::string& label,
               const Ink& ink) {
  Series series;
  series.label = label;
  series.policy = label;
  series.look = {.colour = ink.colour, .mark = ink.mark};
  const auto& checkpoints = policy.request.checkpoints;
  const auto& at = policy.summary.intervals->at;
  for (std::size_t c = 0; c < checkpoints.size(); ++c) {
    const double low = at[c].low[arm];
    const double high = at[c].high[arm];
    series.points.push_back(
        {.x = static_cast<double>(checkpoints[c]), .y = 0.5 * (low + high), .lo = low, .hi = high});
  }
  return series;
}

Series truth_of(const SimulatedPolicy& policy, std::size_t arm, const Ink& ink) {
  Series series;
  series.label = "true means";
  series.origin = Origin::kBound;
  series.bound_kind = theory::Kind::kReference;
  series.look = {.colour = ink.colour, .mark = {}, .dashes = "(3,4)", .width = 1.6};
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double mean = policy.request.problem->means()[arm];
  for (const Round t : policy.request.checkpoints) {
    series.points.push_back({.x = static_cast<double>(t), .y = mean, .lo = kNone, .hi = kNone});
  }
  return series;
}

}  // namespace

Figure bands_figure(const std::vector<SimulatedPolicy>& policies,
                    const std::vector<std::string>& arm_names) {
  const SimulatedPolicy& first = policies.front();
  Figure figure;
  figure.name = "bands";
  figure.title = fmt::format("Intervals that hold at any time, each with probability {:g}",
                             1 - first.summary.intervals->alpha);
  figure.x_label = "round";
  figure.y_label = first.request.runs == 1 ? "mean, in its interval"
                                           : "mean, in its interval (averages over runs)";
  figure.scales.log_x = true;
  figure.whole_intervals = true;
  figure.from = first_known(policies);
  const std::vector<std::size_t> arms = shown_arms(first.request.problem->means());
  const std::size_t all = first.request.problem->means().size();
  if (arms.size() < all) figure.title += fmt::format(" ({} best of {} arms)", arms.size(), all);
  for (const SimulatedPolicy& policy : policies) {
    Panel panel;
    panel.title = fmt::format("{} ({})", policy.request.policy,
                              lab::guarantee_text(policy.summary.guarantee));
    for (std::size_t i = 0; i < arms.size(); ++i) {
      const std::size_t arm = arms[i];
      const std::string name =
          arm < arm_names.size() ? arm_names[arm] : fmt::format("arm {}", arm + 1);
      panel.series.push_back(band_of(policy, arm, name, ink_number(static_cast<int>(i))));
    }
    if (policy.request.problem->prior() == nullptr) {
      for (std::size_t i = 0; i < arms.size(); ++i) {
        panel.series.push_back(truth_of(policy, arms[i], ink_number(static_cast<int>(i))));
      }
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace tacit::reports
