#include "tacit/reports/arms_table.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "tacit/simulation/best_list.hpp"

namespace tacit::reports {
namespace {

/// What is best for the true means; where several actions are, one of them.
std::vector<Arm> best_action(const simulation::Request& request) {
  const problems::Problem& problem = *request.problem;
  if (!request.actions) {
    const auto& means = problem.means();
    return {static_cast<Arm>(std::max_element(means.begin(), means.end()) - means.begin())};
  }
  const bool ranks =
      simulation::entry_of(request).card.feedback == feedback::Kind::kCascade;
  return ranks ? simulation::best_list(problem, request.actions->size()).items
               : request.actions->best_for(problem.means());
}

}  // namespace

std::string arms_table(const std::vector<SimulatedPolicy>& policies,
                       const std::vector<std::string>& names) {
  const simulation::Request& played = policies.front().request;
  const bool drawn = played.problem->prior() != nullptr;
  const std::vector<Arm> best = drawn ? std::vector<Arm>{} : best_action(played);
  std::vector<Arm> order(static_cast<std::size_t>(played.problem->arms()));
  std::iota(order.begin(), order.end(), 0);
  const std::vector<double>& first = policies.front().summary.mean_pulls;
  std::stable_sort(order.begin(), order.end(), [&](Arm a, Arm b) {
    return first[static_cast<std::size_t>(a)] > first[static_cast<std::size_t>(b)];
  });

  std::string text = "   arm    mean";
  for (const SimulatedPolicy& policy : policies) {
    text += fmt::format("  {:>7}", policy.request.policy);
  }
  text += names.empty() ? "\n" : "  name\n";
  for (const Arm arm : order) {
    const auto at = static_cast<std::size_t>(arm);
    const bool in_best = std::find(best.begin(), best.end(), arm) != best.end();
    text += fmt::format("{} {:>4}  {:>6}", in_best ? '*' : ' ', arm + 1,
                        drawn ? "drawn" : fmt::format("{:.4f}", played.problem->mean(arm)));
    for (const SimulatedPolicy& policy : policies) {
      const double share =
          policy.summary.mean_pulls[at] / static_cast<double>(policy.request.horizon);
      const int width = std::max(7, static_cast<int>(policy.request.policy.size()));
      text += fmt::format("  {:>{}}", fmt::format("{:.2f}%", 100 * share), width);
    }
    text += names.empty() ? "\n" : fmt::format("  {}\n", names[at]);
  }
  return text + "shares of all rounds" + (drawn ? "\n" : "; * is in the best action\n");
}

}  // namespace tacit::reports
