// What a held policy tells of its arms, from releases alone: means, differences, and who is best.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/live/inside.hpp"
#include "tacit/live/showing.hpp"

namespace tacit::live {
namespace {

using Between = std::pair<double, double>;

Between between(const evidence::Interval& interval) { return {interval.low, interval.high}; }

/// What may fail. Of a tiny coverage it is nearly all, and not all.
double alpha_of(const std::string& call, double coverage) {
  check::strictly_within(call, "coverage", coverage, 0, 1);
  return std::min(1 - coverage, std::nextafter(1.0, 0.0));
}

double mean_of(const policies::View& known) {
  return known.n > 0 ? known.sum / known.n : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

ArmView view_of(const policies::View& known, const std::optional<policies::ReleaseLog>& log,
                Arm arm, double alpha) {
  ArmView view{.mean = mean_of(known),
               .n = known.n,
               .under_way = known.under_way,
               .interval = std::nullopt};
  if (!log) return view;
  // The learner may have forgotten some of it.
  const evidence::Readout& readout = log->readout();
  const evidence::Record& all = readout.of(arm);
  view.mean =
      all.empty() ? std::numeric_limits<double>::quiet_NaN() : readout.mixture().mean(all);
  view.n = all.n;
  view.interval = between(readout.interval(arm, alpha));
  return view;
}

std::vector<ArmView> Policy::show(double coverage) const {
  const Inside& in = *inside_;
  const double alpha = alpha_of(in.name_of_call("show"), coverage);
  in.check_kept("show");
  std::vector<ArmView> views;
  for (Arm arm = 0; arm < in.setup.arms; ++arm) {
    views.push_back(view_of(in.learner->show(arm), in.log, arm, alpha));
  }
  return views;
}

std::optional<Between> Policy::difference(Arm a, Arm b, double coverage) const {
  const Inside& in = *inside_;
  const double alpha = alpha_of(in.name_of_call("difference"), coverage);
  in.check_arm(a, "difference", "a");
  in.check_arm(b, "difference", "b");
  if (a == b) {
    throw InvalidParameter(in.name_of_call("difference"), "b", fmt::format("{}", b),
                           "must be another arm than a");
  }
  in.check_kept("difference");
  if (!in.log) return std::nullopt;
  return between(in.log->readout().difference(a, b, alpha));
}

std::vector<Arm> Policy::verdict() const {
  inside_->check_kept("verdict");
  const auto found = inside_->learner->verdict();
  return {found.begin(), found.end()};
}

std::vector<Arm> Policy::best(int top, double error) const {
  const Inside& in = *inside_;
  if (top < 1 || top >= in.setup.arms) {
    throw InvalidParameter(
        in.name_of_call("best"), "top", fmt::format("{}", top),
        fmt::format("must be at least 1, and less than the number of arms, {}", in.setup.arms));
  }
  check::strictly_within(in.name_of_call("best"), "error", error, 0, 1);
  in.check_kept("best");
  if (!in.log) return {};
  return in.log->readout().best(top, error);
}

}  // namespace tacit::live
