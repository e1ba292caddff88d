#include "tacit/simulation/best_list.hpp"

#include <algorithm>
#include <numeric>

#include "tacit/actions/choices.hpp"

namespace tacit::simulation {
namespace {

/// How many outcomes may be looked at in search of the best list: about a second.
constexpr double kMostLooks = 3e8;

class Search {
 public:
  Search(const problems::Problem& problem, int size)
      : problem_(problem), size_(static_cast<std::size_t>(size)) {}

  std::vector<Arm> largest_means() const {
    std::vector<Arm> items(static_cast<std::size_t>(problem_.arms()));
    std::iota(items.begin(), items.end(), 0);
    const std::vector<double>& means = problem_.means();
    std::stable_sort(items.begin(), items.end(), [&](Arm a, Arm b) {
      return means[static_cast<std::size_t>(a)] > means[static_cast<std::size_t>(b)];
    });
    items.resize(size_);
    return items;
  }

  void try_list(std::span<const Arm> items) {
    const double chance = problem_.click_chance(items);
    if (chance <= best.chance) return;
    best.chance = chance;
    best.items.assign(items.begin(), items.end());
  }

  /// One item after the other, each the one that adds most.
  void try_greedy() {
    std::vector<Arm> items;
    while (items.size() < size_) {
      items.push_back(0);
      Arm most = 0;
      double largest = -1;
      for (Arm arm = 0; arm < problem_.arms(); ++arm) {
        if (std::find(items.begin(), items.end() - 1, arm) != items.end() - 1) continue;
        items.back() = arm;
        const double chance = problem_.click_chance(items);
        if (chance <= largest) continue;
        largest = chance;
        most = arm;
      }
      items.back() = most;
    }
    try_list(items);
  }

  /// Exchanges one item for another while that helps, for a few passes.
  void improve() {
    constexpr int kPasses = 4;
    for (int pass = 0; pass < kPasses; ++pass) {
      const double before = best.chance;
      for (std::size_t place = 0; place < size_; ++place) {
        for (Arm arm = 0; arm < problem_.arms(); ++arm) {
          std::vector<Arm> changed = best.items;
          if (std::find(changed.begin(), changed.end(), arm) != changed.end()) continue;
          changed[place] = arm;
          try_list(changed);
        }
      }
      if (best.chance == before) return;
    }
  }

  BestList best;

 private:
  const problems::Problem& problem_;
  std::size_t size_;
};

}  // namespace

BestList best_list(const problems::Problem& problem, int size) {
  Search search(problem, size);
  search.best.items = search.largest_means();
  search.best.chance = problem.click_chance(search.best.items);
  if (problem.dependence() == problems::Dependence::kIndependent) return search.best;
  const auto looks = static_cast<double>(problem.looks_of_a_click_chance());
  if (actions::choices(problem.arms(), size) * looks * size <= kMostLooks) {
    actions::for_each_choice(problem.arms(), size,
                             [&](std::span<const int> list) { search.try_list(list); });
    return search.best;
  }
  search.best.proven = false;
  search.try_greedy();
  search.improve();
  return search.best;
}

}  // namespace tacit::simulation
