#include "tacit/accounting/ledger.hpp"

#include <functional>

namespace tacit::accounting {

double Ledger::worst_epsilon() const {
  // For every arm, what its most expensive observation has paid: a sweep over the ends of stretches.
  std::map<Arm, std::map<Round, double>> changes;
  for (const LedgerEntry& entry : entries_) {
    changes[entry.arm][entry.first] += entry.cost.epsilon;
    changes[entry.arm][entry.last + 1] -= entry.cost.epsilon;
  }
  std::vector<double> worst_of_arms;
  double for_all_arms = 0;
  for (const auto& [arm, of_arm] : changes) {
    double paid = 0;
    double worst = 0;
    for (const auto& [at, change] : of_arm) {
      paid += change;
      worst = std::max(worst, paid);
    }
    if (arm == kAllArms) {
      for_all_arms = worst;
    } else {
      worst_of_arms.push_back(worst);
    }
  }
  std::sort(worst_of_arms.begin(), worst_of_arms.end(), std::greater<>());
  double total = for_all_arms;
  for (std::size_t i = 0; i < worst_of_arms.size() && i < static_cast<std::size_t>(most_arms_);
       ++i) {
    total += worst_of_arms[i];
  }
  for (const auto& [name, kind] : reports_) total += kind.most_in_a_round * kind.cost.epsilon;
  return total;
}

}  // namespace tacit::accounting
