#include "tacit/reports/identification_table.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tacit/lab/bounds_of.hpp"
#include "tacit/reports/shared_lines.hpp"

namespace tacit::reports {
namespace {

constexpr char kRow[] = "{:<24} {:>12} {:>10} {:>12} {:>12} {:>12} {:>12} {:>9}  {}\n";

/// With four digits at least, and no more than it has.
std::string count(double x) {
  if (!std::isfinite(x)) return "-";
  return x < 1e12 ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x);
}

std::string heading(const simulation::Request& r) {
  const simulation::Goal& goal = *r.goal;
  std::string asked = goal.budget ? fmt::format("{} rounds", r.horizon)
                                  : fmt::format("wrong in at most {:g}% of runs", 100 * goal.error);
  if (!goal.budget && r.horizon < kLastRound)
    asked += fmt::format(", at most {} samples", r.horizon);
  return fmt::format("{}: the {} of {} arms, {}; {} run{}, seed {}\n\n", short_name(*r.problem),
                     goal.top == 1 ? "best" : fmt::format("best {}", goal.top), r.problem->arms(),
                     asked, r.runs, r.runs == 1 ? "" : "s", r.seed) +
         fmt::format(kRow, "policy", "samples", "+/- 95%", "median", "95% of", "at least", "wrong",
                     "CPU ms", "guarantee") +
         fmt::format(kRow, "", "mean", "", "", "runs", "by theory", "", "a run", "(epsilon)");
}

std::string row(const SimulatedPolicy& policy) {
  const simulation::Summary& s = policy.summary;
  const auto fewest = lab::fewest_samples(policy.request, s.guarantee);
  const auto runs = static_cast<double>(policy.request.runs);
  return fmt::format(
      kRow, policy.request.policy, count(s.curve.back().mean()),
      count(s.curve.back().half_width95()),
      count(simulation::sorted_quantile(s.final_regrets, 0.5)),
      count(simulation::sorted_quantile(s.final_regrets, 0.95)), fewest ? count(*fewest) : "-",
      fmt::format("{:.3g}%", 100 * static_cast<double>(s.goal->wrong) / runs),
      fmt::format("{:.4g}", 1e3 * s.cpu_seconds / runs), lab::guarantee_text(s.guarantee));
}

}  // namespace

std::string identification_table(const std::vector<SimulatedPolicy>& policies) {
  std::string text = heading(policies.front().request);
  for (const SimulatedPolicy& policy : policies) text += row(policy);
  for (const SimulatedPolicy& policy : policies) text += given_parameters(policy.request);
  SharedLines lines;
  for (const auto& [request, summary] : policies) {
    lines.add(request.policy, reason_of(summary.guarantee));
  }
  SharedLines unfinished;
  for (const auto& [request, summary] : policies) {
    if (request.goal->budget) {
      if (summary.goal->silent == 0) continue;
      unfinished.add(
          request.policy,
          fmt::format(
              "{} of {} runs have nothing released to recommend an arm by, and count as wrong",
              summary.goal->silent, request.runs));
      continue;
    }
    const std::int64_t left = request.runs - summary.goal->stopped;
    if (left == 0) continue;
    unfinished.add(request.policy,
                   fmt::format("{} of {} runs gave up after {} samples, and recommend nothing",
                               left, request.runs, request.horizon));
  }
  return text + "\n" + lines.text() + unfinished.text();
}

}  // namespace tacit::reports
