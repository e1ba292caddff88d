#include "tacit/theory/matroid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/theory/hu.hpp"

namespace tacit::theory {

Number lazy_basis_upper(const Instance& instance) {
  const char* function = "lazy_basis_upper";
  check_instance(function, instance);
  if (auto refused = unless_bases(function, instance)) return *std::move(refused);
  const double log_term = instance.log_horizon() + std::log(instance.size);
  const double rounds = static_cast<double>(instance.horizon);
  const double share = instance.epsilon.value() / instance.size;
  double sum = 0.2 * instance.arms();
  for (Arm arm = 0; arm < instance.arms(); ++arm) {
    const auto& basis = instance.best_basis;
    if (std::find(basis.begin(), basis.end(), arm) != basis.end()) continue;
    // Equal to the best, or in no basis at all.
    if (std::isinf(instance.sets->smallest[arm])) continue;
    std::vector<double> gaps;
    for (Arm better : basis) {
      const double gap = instance.mean(better) - instance.mean(arm);
      if (gap > 0) gaps.push_back(gap);
    }
    std::sort(gaps.begin(), gaps.end(), std::greater<>());
    double played = 0;
    for (double gap : gaps) {
      // No arm is played more often than there are rounds.
      const double until = std::min(rounds, 2 * epoch_that_tells(gap, share, log_term) - 1);
      sum += gap * (until - played);
      played = until;
    }
  }
  return std::min(sum, rounds * instance.sets->largest);
}

}  // namespace tacit::theory
