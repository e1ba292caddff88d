#include "tacit/actions/cover.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/indexed.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {

struct Cover::Family {
  PerArm<int> item;                   // where an edge leads
  Indexed<std::vector<Arm>> arms_of;  // a set's edges, increasing
  int items;
  int count;

  std::vector<Arm> action(std::span<const int> sets) const {
    std::vector<Arm> arms;
    for (const int set : sets) {
      const auto& own = arms_of[set];
      arms.insert(arms.end(), own.begin(), own.end());
    }
    std::sort(arms.begin(), arms.end());
    return arms;
  }
};

class Cover::Greedy final : public Oracle {
 public:
  explicit Greedy(std::shared_ptr<const Family> family)
      : Oracle(family->item.arms()), family_(std::move(family)) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    constexpr double kSame = 1e-9;
    auto draw = dice.ties(t);
    bool tied = false;
    Indexed<double> uncovered(family_->items, 1.0);
    std::vector<int> left(at(family_->arms_of.count()));
    std::iota(left.begin(), left.end(), 0);
    std::vector<int> chosen;
    std::vector<double> gains;
    for (int i = 0; i < family_->count; ++i) {
      gains.clear();
      for (const int set : left) gains.push_back(gain(set, uncovered));
      const double best = *std::max_element(gains.begin(), gains.end());
      const auto as_good = [&](double g) { return g >= best - kSame; };
      const auto rivals = static_cast<int>(std::count_if(gains.begin(), gains.end(), as_good));
      // When no more sets are left than are wanted, their order is all that is drawn.
      tied = tied || (rivals > 1 && std::ssize(left) > family_->count - i);
      int skip = rivals > 1 ? random::uniform_index(draw, rivals) : 0;
      std::size_t taken = 0;
      while (!as_good(gains[taken]) || skip-- > 0) ++taken;
      for (const Arm arm : family_->arms_of[left[taken]]) {
        uncovered[family_->item[arm]] *= 1 - probability(arm);
      }
      chosen.push_back(left[taken]);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    action_ = family_->action(chosen);
    return {action_, tied};
  }

 private:
  double probability(Arm arm) const { return std::clamp(scores_[arm], 0.0, 1.0); }
  double gain(int set, const Indexed<double>& uncovered) const {
    double sum = 0;
    for (const Arm arm : family_->arms_of[set]) {
      sum += uncovered[family_->item[arm]] * probability(arm);
    }
    return sum;
  }

  std::shared_ptr<const Family> family_;
  std::vector<Arm> action_;
};

Cover::Cover(int left, int right, std::vector<Edge> edges, int count)
    : arms_(static_cast<int>(edges.size())) {
  constexpr auto kHere = "Cover";
  check_bipartite(kHere, left, right, edges);
  check::within(kHere, "count", count, 1, left);
  name_ = fmt::format("cover({}x{},{},{},{})", left, right, arms_, count, digest(edges));

  Family family{{}, Indexed<std::vector<Arm>>(left), right, count};
  std::set<std::pair<int, int>> seen;
  for (const auto& [from, to] : edges) {
    if (!seen.emplace(from, to).second) {
      throw InvalidParameter(kHere, "edge", fmt::format("({}, {})", from, to),
                             "must be listed once");
    }
    family.arms_of[from].push_back(family.item.arms());
    family.item.push_back(to);
  }
  std::vector<int> degrees;
  for (const auto& own : family.arms_of) degrees.push_back(static_cast<int>(own.size()));
  std::sort(degrees.begin(), degrees.end(), std::greater<>());
  if (degrees.back() == 0) {
    throw InvalidParameter(kHere, "sets without an edge",
                           fmt::format("{}", std::count(degrees.begin(), degrees.end(), 0)),
                           "every set must have an edge");
  }
  size_ = std::accumulate(degrees.begin(), degrees.begin() + count, 0);
  family_ = std::make_shared<const Family>(std::move(family));
}

std::unique_ptr<Oracle> Cover::oracle() const { return std::make_unique<Greedy>(family_); }

Approximation Cover::approximation() const { return {1 - 1 / std::numbers::e, 1}; }

std::vector<Arm> Cover::action(std::span<const int> sets) const { return family_->action(sets); }

std::int64_t Cover::value(std::span<const Arm> action, std::span<const double> means) const {
  // In a fixed order: products of the same factors in another order may differ in the last bit.
  std::vector<Arm> arms(action.begin(), action.end());
  std::sort(arms.begin(), arms.end());
  Indexed<double> uncovered(family_->items, 1.0);
  for (const Arm arm : arms) uncovered[family_->item[arm]] *= 1 - means[at(arm)];
  std::int64_t covered = 0;
  for (const double u : uncovered) covered += units(1 - u);
  return covered;
}

GiniSmoothness Cover::gini_smoothness() const {
  const std::set<int> items(family_->item.begin(), family_->item.end());
  return {1, std::sqrt(std::min<double>(size_, static_cast<double>(items.size()))) / 2};
}

std::optional<std::int64_t> Cover::best_value(std::span<const double> means) const {
  constexpr double kMostChoices = 100000;
  const int sets = family_->arms_of.count();
  if (choices(sets, family_->count) > kMostChoices) return std::nullopt;
  std::int64_t best = 0;
  for_each_choice(sets, family_->count, [&](std::span<const int> chosen) {
    best = std::max(best, value(action(chosen), means));
  });
  return best;
}

std::vector<std::vector<Arm>> Cover::all(std::size_t most) const {
  std::vector<std::vector<Arm>> actions;
  const int sets = family_->arms_of.count();
  if (choices(sets, family_->count) > static_cast<double>(most)) return actions;
  for_each_choice(sets, family_->count,
                  [&](std::span<const int> chosen) { actions.push_back(action(chosen)); });
  return actions;
}

}  // namespace tacit::actions
