#include "tacit/actions/matroid.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "tacit/actions/choices.hpp"
#include "tacit/actions/edmonds_start.hpp"
#include "tacit/actions/matroid_partition.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions {
namespace {

class Greedy final : public Oracle {
 public:
  /// With Edmonds' start if a partition of all arms is given.
  Greedy(std::shared_ptr<const Matroid> matroid, int rank,
         std::shared_ptr<const Partition> partition)
      : Oracle(matroid->arms()),
        matroid_(std::move(matroid)),
        set_(matroid_->empty_set()),
        rank_(at(rank)),
        inside_(matroid_->arms()),
        was_inside_(matroid_->arms()),
        guards_(matroid_->arms()),
        guards_of_(matroid_->arms()) {
    if (partition) start_.emplace(matroid_, std::move(partition));
    order_.reserve(at(matroid_->arms()));
    for (Arm arm = 0; arm < scores_.arms(); ++arm) order_.push_back({0, arm});
    arms_.reserve(rank_);
  }

  ChosenSet choose(Round t, const random::Dice& dice) override {
    sort();
    set_->clear();
    std::fill(inside_.begin(), inside_.end(), false);
    split_.clear();
    std::optional<random::KeyedDraw> draw;
    std::size_t found = 0;
    for (std::size_t begin = 0; found < rank_ && begin < order_.size();) {
      std::size_t end = begin + 1;
      while (end < order_.size() && order_[end].score == order_[begin].score) ++end;
      const std::size_t found_before = found;
      const std::size_t placed = place_unobserved(begin, end);
      for (std::size_t i = begin; i < end && found < rank_; ++i) {
        // A shuffle that goes no further than the search does.
        if (i >= placed && end - i > 1) {
          if (!draw) draw = dice.ties(t);
          const int ahead = random::uniform_index(*draw, static_cast<int>(end - i));
          std::swap(order_[i], order_[i + at(ahead)]);
        }
        if (set_->add(order_[i].arm)) {
          inside_[order_[i].arm] = true;
          ++found;
        }
      }
      const std::size_t accepted = found - found_before;
      if (accepted > 0 && accepted < end - begin) split_.push_back({begin, end});
      begin = end;
    }
    if (inside_ != was_inside_) {
      was_inside_ = inside_;
      ++basis_;
      arms_.clear();
      for (Arm arm = 0; arm < inside_.arms(); ++arm) {
        if (inside_[arm]) arms_.push_back(arm);
      }
    }
    return {arms_, tied()};
  }

  Skipping skipping() const noexcept override { return Skipping::kByOrder; }

  std::span<const Arm> guards(Arm outside) override {
    if (basis_ == 0 || inside_[outside]) return {};
    auto& members = guards_[outside];
    if (guards_of_[outside] != basis_) {
      members.clear();
      set_->circuit(outside, members);
      guards_of_[outside] = basis_;
    }
    return members;
  }

 private:
  struct Scored {
    double score;
    Arm arm;
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  /// By decreasing score, then by arm: the shuffle of ties must start from the same order whatever
  /// was chosen before.
  static bool before(const Scored& a, const Scored& b) noexcept {
    return a.score > b.score || (a.score == b.score && a.arm < b.arm);
  }

  /// Scores rarely change much from one choice to the next, so the last order is mended first; when
  /// that takes too many moves it is sorted anew.
  void sort() {
    for (Scored& entry : order_) entry.score = scores_[entry.arm];
    std::size_t moves_left = 4 * order_.size();
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const Scored entry = order_[i];
      std::size_t j = i;
      for (; j > 0 && before(entry, order_[j - 1]); --j) order_[j] = order_[j - 1];
      order_[j] = entry;
      if (i - j > moves_left) {
        std::sort(order_.begin(), order_.end(), before);
        return;
      }
      moves_left -= i - j;
    }
  }

  /// Edmonds' start, if these arms were never observed: puts a set of the fewest first and says where it ends.
  std::size_t place_unobserved(std::size_t begin, std::size_t end) {
    if (!start_ || order_[begin].score != std::numeric_limits<double>::infinity()) return begin;
    std::vector<Arm> unobserved;
    for (std::size_t i = begin; i < end; ++i) {
      if (!start_->is_loop(order_[i].arm)) unobserved.push_back(order_[i].arm);
    }
    if (unobserved.empty()) return begin;
    const std::span<const Arm> next = start_->next(unobserved);
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto placed = std::partition(
        first, first + static_cast<std::ptrdiff_t>(end - begin), [next](const Scored& entry) {
          return std::find(next.begin(), next.end(), entry.arm) != next.end();
        });
    return static_cast<std::size_t>(placed - order_.begin());
  }

  /// Another basis is as good exactly when an arm outside scores the same as a member of its
  /// circuit. Such a pair is a run of equal scores that was split between inside and outside, so
  /// without one there is nothing to look at.
  bool tied() {
    for (const Range& run : split_) {
      const double score = order_[run.begin].score;
      for (std::size_t i = run.begin; i < run.end; ++i) {
        if (inside_[order_[i].arm]) continue;
        for (const Arm member : guards(order_[i].arm)) {
          if (scores_[member] == score) return true;
        }
      }
    }
    return false;
  }

  std::shared_ptr<const Matroid> matroid_;
  std::unique_ptr<IndependentSet> set_;
  std::size_t rank_;
  std::optional<EdmondsStart> start_;
  std::vector<Scored> order_;
  std::vector<Range> split_;
  PerArm<char> inside_;
  PerArm<char> was_inside_;
  // By arm, not by score: the same basis is the same action, however it was found.
  std::vector<Arm> arms_;
  std::int64_t basis_ = 0;  // how often the basis changed; 0: none yet
  PerArm<std::vector<Arm>> guards_;
  PerArm<std::int64_t> guards_of_;  // the value of basis_ that guards_ belong to
};

}  // namespace

MatroidBases::MatroidBases(std::shared_ptr<const Matroid> matroid, std::string name)
    : matroid_(std::move(matroid)), name_(std::move(name)) {
  const auto set = matroid_->empty_set();
  for (Arm arm = 0; arm < matroid_->arms(); ++arm) rank_ += set->add(arm) ? 1 : 0;
  if (rank_ == 0) {
    throw InvalidParameter("MatroidBases", "rank", "0",
                           "a matroid of rank 0 has no arm that may be played");
  }
}

std::unique_ptr<Oracle> MatroidBases::oracle() const {
  return std::make_unique<Greedy>(matroid_, rank_, nullptr);
}

std::unique_ptr<Oracle> MatroidBases::oracle_by_edmonds() const {
  std::call_once(partitioned_, [this] {
    std::vector<Arm> all(at(arms()));
    std::iota(all.begin(), all.end(), 0);
    partition_ = std::make_shared<const Partition>(fewest_independent_sets(*matroid_, all));
  });
  return std::make_unique<Greedy>(matroid_, rank_, partition_);
}

std::vector<std::vector<Arm>> MatroidBases::all(std::size_t most) const {
  std::vector<std::vector<Arm>> bases;
  if (choices(arms(), rank_) > static_cast<double>(most)) return bases;
  const auto independent = matroid_->empty_set();
  for_each_choice(arms(), rank_, [&](std::span<const int> chosen) {
    independent->clear();
    if (std::all_of(chosen.begin(), chosen.end(), [&](Arm arm) { return independent->add(arm); }))
      bases.emplace_back(chosen.begin(), chosen.end());
  });
  return bases;
}

}  // namespace tacit::actions
