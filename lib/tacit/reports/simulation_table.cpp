#include "tacit/reports/simulation_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "tacit/accounting/dependence.hpp"
#include "tacit/lab/document.hpp"

namespace tacit::reports {
namespace {

constexpr char kRow[] = "{:<30} {:>10} {:>9} {:>10} {:>10} {:>10}  {}\n";

std::string tenths(double x) { return fmt::format("{:.1f}", x); }

std::string heading(const simulation::Request& r, const std::string& actions) {
  constexpr std::size_t kLongest = 60;  // a problem with thousands of arms lists them all
  std::string problem = r.problem->name();
  if (problem.size() > kLongest) problem = problem.substr(0, kLongest - 3) + "...";
  return fmt::format("{}{}, {} rounds, {} run{}, seed {}\n\n", problem,
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

/// Empty where none was given.
std::string parameters_of(const simulation::Request& request) {
  std::vector<std::string> given;
  for (const policies::ParameterValue& p : request.parameters) {
    given.push_back(fmt::format("{}={}", p.name, p.value));
  }
  if (given.empty()) return "";
  return fmt::format("\n{}: played with {}\n", request.policy, fmt::join(given, ", "));
}

std::string reason_of(const privacy::Guarantee& guarantee) {
  return fmt::format("{}, because {}", lab::guarantee_text(guarantee), guarantee.because);
}

/// Lines "names: what is said of them": policies of which the same is said share one.
class SharedLines {
 public:
  void add(const std::string& name, const std::string& said) {
    const auto same = std::find_if(lines_.begin(), lines_.end(),
                                   [&](const auto& line) { return line.second == said; });
    if (same == lines_.end()) {
      lines_.emplace_back(name, said);
    } else {
      same->first += ", " + name;
    }
  }
  std::string text() const {
    std::string text;
    for (const auto& [names, said] : lines_) text += fmt::format("{}: {}\n", names, said);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

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

}  // namespace

std::string simulation_table(const std::vector<SimulatedPolicy>& policies,
                             const std::string& actions,
                             const std::optional<privacy::Guarantee>& environment) {
  std::string text = heading(policies.front().request, actions);
  for (const SimulatedPolicy& policy : policies) text += row(policy);
  for (const SimulatedPolicy& policy : policies) text += parameters_of(policy.request);
  return text + "\n" + reasons(policies, environment) + remarks_on_learning(policies) +
         remarks_on_regret(policies);
}

}  // namespace tacit::reports
