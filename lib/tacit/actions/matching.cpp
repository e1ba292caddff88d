#include "tacit/actions/matching.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/actions/weight.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit::actions {

/// The graph as a table with a row for each node of the smaller side.
struct BipartiteMatching::Board {
  std::size_t rows;
  std::size_t columns;
  PerArm<std::size_t> cell;
};

class BipartiteMatching::Hungarian final : public Oracle {
 public:
  explicit Hungarian(std::shared_ptr<const Board> board)
      : Oracle(board->cell.arms()),
        board_(std::move(board)),
        weights_(scores_.arms()),
        gain_(board_->rows * board_->columns),
        arm_in_(gain_.size()),
        row_price_(board_->rows),
        column_price_(board_->columns + 1),
        slack_(board_->columns + 1),
        row_of_(board_->columns + 1),
        before_(board_->columns + 1),
        reached_(board_->columns + 1) {}

  ChosenSet choose(Round t, const random::Dice& dice) override {
    weigh(scores_);
    auto draw = dice.ties(t);
    for (Weight& w : weights_) w += tie_break(draw);
    solve();
    return {matching_, !best_by_a_margin(scores_)};
  }

  Skipping skipping() const noexcept override { return Skipping::kByValue; }

  bool still_best(std::span<const double> scores) override {
    return !matching_.empty() && best_by_a_margin(scores);
  }

 private:
  void weigh(std::span<const double> scores) {
    std::transform(scores.begin(), scores.end(), weights_.begin(),
                   [](double score) { return std::max(Weight{0}, weight(score)); });
  }

  bool best_by_a_margin(std::span<const double> scores) {
    weigh(scores);
    Weight expected = 0;
    for (const Arm arm : matching_) expected += weights_[arm] -= kMargin;
    fill_table();
    return assign() == expected;
  }

  void solve() {
    fill_table();
    assign();
    matching_.clear();
    for (std::size_t column = 0; column < board_->columns; ++column) {
      if (row_of_[column] == kNobody) continue;
      const Arm arm = arm_in_[row_of_[column] * board_->columns + column];
      if (arm != kNoArm) matching_.push_back(arm);
    }
    std::sort(matching_.begin(), matching_.end());
  }

  /// The heaviest edge of every pair. A pair without an edge of positive weight is worth 0: to be
  /// assigned there is to stay alone.
  void fill_table() {
    std::fill(gain_.begin(), gain_.end(), Weight{0});
    std::fill(arm_in_.begin(), arm_in_.end(), kNoArm);
    for (Arm arm = 0; arm < weights_.arms(); ++arm) {
      const std::size_t cell = board_->cell[arm];
      if (weights_[arm] <= gain_[cell]) continue;
      gain_[cell] = weights_[arm];
      arm_in_[cell] = arm;
    }
  }

  /// Gives every row a column of its own so that the total gain is largest, and returns it.
  /// Prices keep  row price + column price >= gain, with equality where assigned.  A new row enters
  /// by the cheapest chain of rows that each move on to another column, up to one that is free.
  Weight assign() {
    const std::size_t columns = board_->columns;
    const std::size_t door =
        columns;  // a column outside the table: where a new row stands at first
    std::fill(row_price_.begin(), row_price_.end(), Weight{0});
    std::fill(column_price_.begin(), column_price_.end(), Weight{0});
    std::fill(row_of_.begin(), row_of_.end(), kNobody);
    for (std::size_t row = 0; row < board_->rows; ++row) {
      std::fill(slack_.begin(), slack_.end(), kFar);
      std::fill(reached_.begin(), reached_.end(), false);
      row_of_[door] = row;
      std::size_t here = door;
      while (row_of_[here] != kNobody) {
        reached_[here] = true;
        const std::size_t mover = row_of_[here];
        Weight step = kFar;
        std::size_t next = door;
        for (std::size_t c = 0; c < columns; ++c) {
          if (reached_[c]) continue;
          const Weight loss = row_price_[mover] + column_price_[c] - gain_[mover * columns + c];
          if (loss < slack_[c]) {
            slack_[c] = loss;
            before_[c] = here;
          }
          if (slack_[c] < step) {
            step = slack_[c];
            next = c;
          }
        }
        for (std::size_t c = 0; c <= columns; ++c) {
          if (reached_[c]) {
            row_price_[row_of_[c]] -= step;
            column_price_[c] += step;
          } else {
            slack_[c] -= step;
          }
        }
        here = next;
      }
      while (here != door) {
        row_of_[here] = row_of_[before_[here]];
        here = before_[here];
      }
    }
    Weight total = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      if (row_of_[c] != kNobody) total += gain_[row_of_[c] * columns + c];
    }
    return total;
  }

  static constexpr Arm kNoArm = -1;
  static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

  std::shared_ptr<const Board> board_;
  PerArm<Weight> weights_;
  std::vector<Weight> gain_;
  std::vector<Arm> arm_in_;
  std::vector<Weight> row_price_;
  std::vector<Weight> column_price_;
  std::vector<Weight> slack_;
  std::vector<std::size_t> row_of_;
  std::vector<std::size_t> before_;
  std::vector<bool> reached_;
  std::vector<Arm> matching_;
};

BipartiteMatching::BipartiteMatching(int left, int right, std::vector<Edge> edges)
    : arms_(static_cast<int>(edges.size())) {
  constexpr auto kHere = "BipartiteMatching";
  check_bipartite(kHere, left, right, edges);
  check::within(kHere, "nodes of the smaller side", std::min(left, right), 1, kMostArms);
  name_ = fmt::format("matching({}x{},{},{})", left, right, arms_, digest(edges));

  Board board{at(std::min(left, right)), at(std::max(left, right)), {}};
  for (const Edge& edge : edges) {
    const auto [row, column] =
        left <= right ? std::pair(edge.from, edge.to) : std::pair(edge.to, edge.from);
    board.cell.push_back(at(row) * board.columns + at(column));
  }
  board_ = std::make_shared<const Board>(std::move(board));
  // With equal scores the heaviest matching is the one of most edges.
  Hungarian counter(board_);
  counter.set_scores(std::vector<double>(edges.size(), 1.0));
  size_ = static_cast<int>(counter.choose(1, random::Dice::named("size", name_)).arms.size());
}

std::unique_ptr<Oracle> BipartiteMatching::oracle() const {
  return std::make_unique<Hungarian>(board_);
}

std::vector<std::vector<Arm>> BipartiteMatching::all(std::size_t most) const {
  std::vector<std::vector<Arm>> matchings;
  std::vector<Arm> matching;
  std::vector<bool> row_taken(board_->rows);
  std::vector<bool> column_taken(board_->columns);
  const auto row_of = [&](Arm arm) { return board_->cell[arm] / board_->columns; };
  const auto column_of = [&](Arm arm) { return board_->cell[arm] % board_->columns; };
  const auto fits = [&](Arm arm) {
    return !row_taken[row_of(arm)] && !column_taken[column_of(arm)];
  };
  // An edge that was left out must be kept out by one that comes later: where none can, nothing is to be found.
  const auto can_be_kept_out = [&](Arm out, Arm next) {
    for (Arm arm = next; arm < arms_; ++arm) {
      if (fits(arm) && (row_of(arm) == row_of(out) || column_of(arm) == column_of(out)))
        return true;
    }
    return false;
  };
  // What cannot be completed may still be many times what can: then there is no way to go through them.
  std::size_t steps_left = 100 * (most + 1000);
  const auto extend = [&](const auto& self, Arm arm) -> void {
    if (matchings.size() > most || steps_left == 0) return;
    --steps_left;
    while (arm < arms_ && !fits(arm)) ++arm;
    for (Arm out = 0; out < arm; ++out) {
      if (fits(out) && !can_be_kept_out(out, arm)) return;
    }
    if (arm == arms_) {
      matchings.push_back(matching);
      return;
    }
    matching.push_back(arm);
    row_taken[row_of(arm)] = column_taken[column_of(arm)] = true;
    self(self, arm + 1);
    row_taken[row_of(arm)] = column_taken[column_of(arm)] = false;
    matching.pop_back();
    self(self, arm + 1);
  };
  extend(extend, 0);
  if (matchings.size() > most || steps_left == 0) return {};
  return matchings;
}

}  // namespace tacit::actions
