#include "tacit/actions/matroid_partition.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>

#include "tacit/core/per_arm.hpp"

namespace tacit::actions {
namespace {

constexpr int kNowhere = -1;
constexpr Arm kNobody = -1;

int quotient_up(std::size_t count, std::size_t by) {
  return static_cast<int>((count + by - 1) / by);
}

class Partitioning {
 public:
  Partitioning(const Matroid& matroid, std::span<const Arm> arms)
      : test_(matroid.empty_set()),
        set_of_(matroid.arms(), kNowhere),
        has_asked_(matroid.arms()),
        makes_room_for_(matroid.arms()) {
    for (const Arm arm : arms) {
      test_->clear();
      if (test_->add(arm)) arms_.push_back(arm);
    }
  }

  Partition find() {
    if (arms_.empty()) return {};
    test_->clear();
    rank_ = static_cast<std::size_t>(
        std::count_if(arms_.begin(), arms_.end(), [this](Arm arm) { return test_->add(arm); }));
    found_.tightest = arms_;
    found_.sets = Indexed<std::vector<Arm>>(quotient_up(arms_.size(), rank_));
    for (const Arm arm : left_after_greedy()) {
      if (make_room(arm)) continue;
      widen();
      make_room(arm);
    }
    return std::move(found_);
  }

 private:
  std::vector<Arm> left_after_greedy() {
    std::vector<Arm> left = arms_;
    for (int set = 0; set < found_.sets.count(); ++set) {
      test_->clear();
      std::vector<Arm> refused;
      for (const Arm arm : left) {
        if (!test_->add(arm)) {
          refused.push_back(arm);
          continue;
        }
        set_of_[arm] = set;
        found_.sets[set].push_back(arm);
      }
      left = std::move(refused);
    }
    return left;
  }

  /// Places the arm, moving others, if there is a way to.
  bool make_room(Arm arm) {
    asking_.clear();
    asked_of_ = Indexed<std::size_t>(found_.sets.count());
    std::fill(has_asked_.begin(), has_asked_.end(), false);
    ask(arm, kNobody);
    for (std::size_t next = 0; next < asking_.size(); ++next) {
      const Arm asks = asking_[next];
      for (int set = 0; set < found_.sets.count(); ++set) {
        if (set != set_of_[asks] && fits(asks, set)) {
          move_along(asks, set);
          return true;
        }
      }
    }
    return false;
  }

  void ask(Arm arm, Arm makes_room_for) {
    asking_.push_back(arm);
    has_asked_[arm] = true;
    if (set_of_[arm] != kNowhere) ++asked_of_[set_of_[arm]];
    makes_room_for_[arm] = makes_room_for;
  }

  /// Whether the arm fits into the set as it is; if not, those who could make room for it ask next.
  bool fits(Arm arm, int set) {
    const std::vector<Arm>& members = found_.sets[set];
    for (;;) {
      if (asked_of_[set] == rank_) return false;  // all of a basis
      test_->clear();
      for (const Arm member : members) {
        if (has_asked_[member]) test_->add(member);
      }
      if (!test_->add(arm)) return false;
      const auto refused = std::find_if(members.begin(), members.end(), [this](Arm member) {
        return !has_asked_[member] && !test_->add(member);
      });
      if (refused == members.end()) return true;
      ask(*refused, arm);
    }
  }

  /// After nobody who asked had room: as many sets as those and all that they span need, one at least.
  void widen() {
    std::vector<Arm> basis;
    test_->clear();
    std::copy_if(asking_.begin(), asking_.end(), std::back_inserter(basis),
                 [this](Arm arm) { return test_->add(arm); });
    const auto spanned = [&](Arm arm) {
      test_->clear();
      for (const Arm member : basis) test_->add(member);
      return !test_->add(arm);
    };
    for (const Arm arm : arms_) {
      if (!has_asked_[arm] && spanned(arm)) asking_.push_back(arm);
    }
    found_.tightest = asking_;
    const auto needed = quotient_up(asking_.size(), basis.size());
    while (found_.sets.count() < needed) found_.sets.push_back({});
  }

  void move_along(Arm arm, int set) {
    while (arm != kNobody) {
      const int left = set_of_[arm];
      if (left != kNowhere) std::erase(found_.sets[left], arm);
      found_.sets[set].push_back(arm);
      set_of_[arm] = set;
      set = left;
      arm = makes_room_for_[arm];
    }
  }

  std::unique_ptr<IndependentSet> test_;
  std::vector<Arm> arms_;  // no loops
  std::size_t rank_ = 0;   // of all of them
  Partition found_;
  PerArm<int> set_of_;
  // Of the arm that is being placed.
  std::vector<Arm> asking_;
  Indexed<std::size_t> asked_of_;  // how many of each set
  PerArm<char> has_asked_;
  PerArm<Arm> makes_room_for_;
};

}  // namespace

Partition fewest_independent_sets(const Matroid& matroid, std::span<const Arm> arms) {
  return Partitioning(matroid, arms).find();
}

}  // namespace tacit::actions
