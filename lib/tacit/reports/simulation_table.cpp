#include "tacit/reports/simulation_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tacit/accounting/dependence.hpp"
#include "tacit/lab/document.hpp"
#include "tacit/reports/shared_lines.hpp"

namespace tacit::reports {
namespace {

constexpr char kRow[] = "{:<30} {:>10} {:>9} {:>10} {:>10} {:>10}  {}\n";

std::string tenths(double x) { return fmt::format("{:.1f}", x); }

std::string heading(const simulation::Request& r, const std::string& actions) {
  return fmt::format("{}{}, {} rounds, {} run{}, seed {}\n\n", short_name(*r.problem),
                     r.actions ? ", " + actions : "", r.horizon, r.runs, r.runs == 1 ? "" : "s",
                     r.seed) +
         fmt::format(kRow, "policy", "regret", "+/- 95%", "median", "95% of", "CPU ms",
                     "guarantee") +
         fmt::format(kRow, "", "mean", "", "", "runs", "a run", "(epsilon)");
}

std::string row(const SimulatedPolicy& policy) {
  const simulation::Summary& s = policy.summary;
  const double half = s.curve.back().half_width95();
  const double cpu = 1e3 * s.cpu_seconds / static_cast<double>(policy.request.runs);
  return fmt::format(kRow, policy.request.policy, tenths(s.curve.back().mean()),
                     std::isfinite(half) ? tenths(half) : "-",
                     tenths(simulation::sorted_quantile(s.final_regrets, 0.5)),
                     tenths(simulation::sorted_quantile(s.final_regrets, 0.95)),
                     fmt::format("{:.4g}", cpu), lab::guarantee_text(s.guarantee));
}

std::string reasons(const std::vector<SimulatedPolicy>& policies,
                    const std::optional<privacy::Guarantee>& environment) {
  SharedLines lines;
  for (const auto& [request, summary] : policies) {
    lines.add(request.policy, reason_of(summary.guarantee));
  }
  if (environment) lines.add("the problem", reason_of(*environment));
  return lines.text();
}

/// Whether there is more than one thing to play.
bool has_a_choice(const simulation::Request& request) {
  return request.actions ? request.actions->all(1).empty() : request.problem->arms() > 1;
}

/// Policies so private that their plays are more likely than not those on no data. Where rounds are fewer than arms, or
/// there is nothing to learn, that is nobody's fault.
std::string remarks_on_learning(const std::vector<SimulatedPolicy>& policies) {
  SharedLines lines;
  for (const auto& [request, summary] : policies) {
    const privacy::Guarantee& g = summary.guarantee;
    if (request.horizon < request.problem->arms()) continue;
    const double most =
        accounting::most_dependence({g.notion, g.epsilon, g.delta}, request.horizon);
    if (most >= 0.5 || !has_a_choice(request)) continue;
    lines.add(request.policy,
              fmt::format("too private to learn in {} rounds: in {:.0f}% of runs or more the "
                          "outcomes make no difference, and what is played is what would be "
                          "played if all of them were 0",
                          request.horizon, std::floor(100 * (1 - most))));
  }
  return lines.text();
}

/// What regret is against, where it is not the best that there is.
std::string remarks_on_regret(const std::vector<SimulatedPolicy>& policies) {
  const simulation::Request& r = policies.front().request;
  const bool proven =
      std::all_of(policies.begin(), policies.end(),
                  [](const SimulatedPolicy& policy) { return policy.summary.benchmark_is_proven; });
  const actions::Approximation oracle =
      r.actions ? r.actions->approximation() : actions::Approximation{};
  const double promised = oracle.alpha * oracle.beta;
  const bool to_the_best = promised == 1 || r.against == simulation::Against::kBest;
  if (!proven && to_the_best) {
    const bool ranked = !r.actions || r.actions->structure() == actions::Structure::kAnyK;
    return fmt::format(
        "regret: against the best {} that a search found; below 0 where a policy found a better "
        "one\n",
        ranked ? "list" : "set");
  }
  if (promised == 1) return "";
  if (to_the_best) {
    return fmt::format(
        "regret: against the best value, of which the search for sets promises {:.4g} times\n",
        promised);
  }
  if (!proven) {
    return fmt::format(
        "regret: against {:.4g} times the best that the search found, as the best itself is not "
        "known: too small rather than too large, and below 0 where a policy does better\n",
        promised);
  }
  return fmt::format(
      "regret: against {:.4g} times the best value, which is what the search for sets promises; "
      "below 0 where it does better (--against best measures against the best)\n",
      promised);
}

/// How wide intervals are at the end, and how often they missed the truth at any time.
std::string remarks_on_intervals(const std::vector<SimulatedPolicy>& policies) {
  if (!policies.front().summary.intervals) return "";
  const double alpha = policies.front().summary.intervals->alpha;
  std::string text = fmt::format(
      "\nintervals that hold at any time, each with probability {:g}\n"
      "{:<30} {:>12} {:>16} {:>22}\n{:<30} {:>12} {:>16} {:>22}\n",
      1 - alpha, "policy", "mean width", "ever missed by", "ever missed by the", "", "at the end",
      "the worst arm", "worst difference");
  for (const auto& [request, summary] : policies) {
    const simulation::IntervalSummary& intervals = *summary.intervals;
    text += fmt::format("{:<30} {:>12.4f} {:>15.3g}% {:>22}\n", request.policy,
                        intervals.mean_width(), 100 * intervals.most_missed(),
                        intervals.difference_missed.empty()
                            ? "-"
                            : fmt::format("{:.3g}%", 100 * intervals.most_differences_missed()));
  }
  return text + "(of runs)\n";
}

}  // namespace

std::string simulation_table(const std::vector<SimulatedPolicy>& policies,
                             const std::string& actions,
                             const std::optional<privacy::Guarantee>& environment) {
  std::string text = heading(policies.front().request, actions);
  for (const SimulatedPolicy& policy : policies) text += row(policy);
  for (const SimulatedPolicy& policy : policies) text += given_parameters(policy.request);
  return text + "\n" + reasons(policies, environment) + remarks_on_learning(policies) +
         remarks_on_regret(policies) + remarks_on_intervals(policies);
}

}  // namespace tacit::reports
