// Action set "cover": probabilistic maximum coverage, such as pages to place an advertisement on.
//
// A bipartite graph of sets (left) and items (right); arms are its edges, and an outcome says
// whether the set covers the item in this round. An action is all edges of `count` chosen sets. Its
// expected reward is the number of items covered by at least one of them,
//
//   r_mu(S) = sum over items of 1 - product over the item's edges in S of (1 - mu_e),
//
// monotone in the means, and B_1 = 1: one edge moves one item's term by at most its own change.
//
// The best choice is NP-hard. The oracle is greedy, O(count edges): it adds the set that covers most
// of what is expected to be left, which is worth at least 1 - 1/e of the best (Nemhauser, Wolsey &
// Fisher 1978). Scores are clipped to [0, 1]; +infinity counts as 1. Gains within 1e-9 of the
// largest are tied, and one of them is drawn uniformly from the round's key.
//
// Setting: Chen, Wang, Yuan & Wang 2016, Journal of Machine Learning Research 17.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"

namespace tacit::actions {

class Cover final : public ActionSet {
 public:
  /// An edge leads from a set 0..left-1 to an item 0..right-1, every edge once; every set has an
  /// edge; count is in 1..left. Throws InvalidParameter otherwise.
  Cover(int left, int right, std::vector<Edge> edges, int count);

  int arms() const noexcept override { return arms_; }
  /// The sum of the `count` largest degrees of sets.
  int size() const noexcept override { return size_; }
  /// cover(left x right, edges, count, digest of the edges).
  std::string name() const override { return name_; }
  /// Its choices are in the order of the arms.
  std::unique_ptr<Oracle> oracle() const override;
  /// alpha = 1 - 1/e, beta = 1.
  Approximation approximation() const override;
  std::int64_t value(std::span<const Arm> action, std::span<const double> means) const override;
  bool linear() const noexcept override { return false; }
  /// gamma_infinity = 1. An item of which x is the chance that one edge alone covers it, y that none does, has the
  /// variance of single arms x y, and x + y <= 1: gamma_g = sqrt(items)/2, of the items that an action can reach.
  GiniSmoothness gini_smoothness() const override;
  /// Found by looking at all choices, if there are at most 100000.
  std::optional<std::int64_t> best_value(std::span<const double> means) const override;
  std::vector<std::vector<Arm>> all(std::size_t most) const override;

  /// All edges of these sets, in the order of the arms.
  std::vector<Arm> action(std::span<const int> sets) const;

 private:
  struct Family;
  class Greedy;

  int arms_;
  int size_ = 0;
  std::string name_;
  std::shared_ptr<const Family> family_;
};

}  // namespace tacit::actions
