#include "tacit/theory/cascade_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tacit/core/check.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/theory/instance.hpp"

namespace tacit::theory {

PairedRegret paired_regret(std::span<const double> means, std::span<const Arm> list) {
  const char* function = "paired_regret";
  check_means(function, means);
  check::within(function, "size of the list", static_cast<double>(list.size()), 1,
                static_cast<double>(means.size()));
  const auto has = [](std::span<const Arm> items, Arm item) {
    return std::find(items.begin(), items.end(), item) != items.end();
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    check::within(function, "item", list[i], 0, static_cast<double>(means.size()) - 1);
    if (has(list.first(i), list[i])) {
      throw InvalidParameter(function, "item", std::to_string(list[i]),
                             "is on the list twice; items must be distinct");
    }
  }
  const auto mean = [&](Arm item) { return means[static_cast<std::size_t>(item)]; };
  std::vector<Arm> best(means.size());
  std::iota(best.begin(), best.end(), 0);
  std::stable_sort(best.begin(), best.end(), [&](Arm a, Arm b) { return mean(a) > mean(b); });
  best.resize(list.size());
  std::vector<Arm> left;  // best items that are not shown
  std::copy_if(best.begin(), best.end(), std::back_inserter(left),
               [&](Arm item) { return !has(list, item); });
  PairedRegret found{
      .regret = 0, .pairs = 0, .alpha = std::pow(1 - mean(best.front()), std::ssize(list) - 1)};
  double reached = 1;
  auto next = left.begin();
  for (Arm item : list) {
    if (!has(best, item)) found.pairs += reached * (mean(*next++) - mean(item));
    reached *= 1 - mean(item);
  }
  double missed = 1;
  for (Arm item : best) missed *= 1 - mean(item);
  found.regret = reached - missed;
  return found;
}

double cascade_kl_upper(std::span<const double> means, int size, Round horizon) {
  const char* function = "cascade_kl_upper";
  check_means(function, means);
  check::within(function, "size", size, 1, static_cast<double>(means.size()));
  const Ranking items = ranked(means, size);
  double sum = 0;
  for (double item : items.others) {
    double before = 0;  // 1/kl to the item before, which is better
    for (double better : items.best) {
      if (better <= item) break;
      const double told = 1 / indices::kl(item, better);
      sum += (better - item) * (told - before);
      before = told;
    }
  }
  return sum * log_of(check::horizon(function, horizon));
}

}  // namespace tacit::theory
