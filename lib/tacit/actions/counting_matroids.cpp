#include "tacit/actions/counting_matroids.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/position.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

class FewArms final : public IndependentSet {
 public:
  explicit FewArms(int size) : size_(at(size)) { members_.reserve(size_); }

  void clear() noexcept override { members_.clear(); }

  bool add(Arm arm) override {
    if (members_.size() == size_) return false;
    members_.push_back(arm);
    return true;
  }

  void circuit(Arm, std::vector<Arm>& members) override {
    members.insert(members.end(), members_.begin(), members_.end());
  }

 private:
  std::size_t size_;
  std::vector<Arm> members_;
};

class FewOfEachBlock final : public IndependentSet {
 public:
  FewOfEachBlock(const std::vector<int>& block_of_arm, const std::vector<int>& capacity_of_block)
      : block_of_arm_(block_of_arm), members_(capacity_of_block.size()) {
    for (const int capacity : capacity_of_block) capacity_.push_back(at(capacity));
  }

  void clear() noexcept override {
    for (auto& members : members_) members.clear();
  }

  bool add(Arm arm) override {
    const std::size_t block = at(block_of_arm_[at(arm)]);
    if (members_[block].size() == capacity_[block]) return false;
    members_[block].push_back(arm);
    return true;
  }

  void circuit(Arm outside, std::vector<Arm>& members) override {
    const auto& block = members_[at(block_of_arm_[at(outside)])];
    members.insert(members.end(), block.begin(), block.end());
  }

 private:
  const std::vector<int>& block_of_arm_;
  std::vector<std::size_t> capacity_;
  std::vector<std::vector<Arm>> members_;  // by block
};

}  // namespace

class LaminarMatroid::Set final : public IndependentSet {
 public:
  explicit Set(const LaminarMatroid& matroid)
      : matroid_(matroid), count_(matroid.capacity_.size()) {}

  void clear() noexcept override {
    std::fill(count_.begin(), count_.end(), 0);
    members_.clear();
  }

  bool add(Arm arm) override {
    if (smallest_full(arm) != kNone) return false;
    for (int set = matroid_.smallest_[at(arm)]; set != kNone; set = matroid_.parent_[at(set)]) {
      ++count_[at(set)];
    }
    members_.push_back(arm);
    return true;
  }

  /// The full sets around `outside` are nested: a member of the smallest is in all of them, so it
  /// makes room in all of them, and no other member does.
  void circuit(Arm outside, std::vector<Arm>& members) override {
    const int full = smallest_full(outside);
    if (full == kNone) return;
    for (const Arm member : members_) {
      int set = matroid_.smallest_[at(member)];
      while (set != kNone && set != full) set = matroid_.parent_[at(set)];
      if (set == full) members.push_back(member);
    }
  }

 private:
  int smallest_full(Arm arm) const {
    int set = matroid_.smallest_[at(arm)];
    while (set != kNone && count_[at(set)] < matroid_.capacity_[at(set)]) {
      set = matroid_.parent_[at(set)];
    }
    return set;
  }

  const LaminarMatroid& matroid_;
  std::vector<int> count_;  // of members, by set
  std::vector<Arm> members_;
};

UniformMatroid::UniformMatroid(int arms, int size) : arms_(arms), size_(size) {
  if (size < 1 || size > arms) {
    throw InvalidParameter(
        "UniformMatroid", "size", fmt::format("{}", size),
        fmt::format("must be an integer from 1 to the number of arms, {}", arms));
  }
}

std::unique_ptr<IndependentSet> UniformMatroid::empty_set() const {
  return std::make_unique<FewArms>(size_);
}

PartitionMatroid::PartitionMatroid(std::vector<int> block_of_arm,
                                   std::vector<int> capacity_of_block)
    : block_of_arm_(std::move(block_of_arm)), capacity_of_block_(std::move(capacity_of_block)) {
  for (const int capacity : capacity_of_block_) {
    check::at_least("PartitionMatroid", "capacity", capacity, 0);
  }
  for (std::size_t arm = 0; arm < block_of_arm_.size(); ++arm) {
    const int block = block_of_arm_[arm];
    if (block < 0 || at(block) >= capacity_of_block_.size()) {
      throw InvalidParameter(
          "PartitionMatroid", fmt::format("block of arm {}", arm), fmt::format("{}", block),
          fmt::format("must be one of the {} blocks, numbered from 0", capacity_of_block_.size()));
    }
  }
}

std::unique_ptr<IndependentSet> PartitionMatroid::empty_set() const {
  return std::make_unique<FewOfEachBlock>(block_of_arm_, capacity_of_block_);
}

LaminarMatroid::LaminarMatroid(int arms, const std::vector<LaminarSet>& sets)
    : smallest_(at(static_cast<int>(check::at_least("LaminarMatroid", "arms", arms, 1))), kNone),
      parent_(sets.size(), kNone) {
  for (std::size_t set = 0; set < sets.size(); ++set) {
    capacity_.push_back(
        static_cast<int>(check::at_least("LaminarMatroid", "capacity", sets[set].capacity, 0)));
    std::vector<Arm> members = sets[set].members;
    std::sort(members.begin(), members.end());
    if (!members.empty() && (members.front() < 0 || members.back() >= arms)) {
      throw InvalidParameter(
          "LaminarMatroid", fmt::format("arm of set {}", set),
          fmt::format("{}", members.front() < 0 ? members.front() : members.back()),
          fmt::format("must be one of the {} arms, numbered from 0", arms));
    }
    const auto twice = std::adjacent_find(members.begin(), members.end());
    if (twice != members.end()) {
      throw InvalidParameter("LaminarMatroid", fmt::format("arm of set {}", set),
                             fmt::format("{}", *twice), "must not be in one set twice");
    }
  }

  // From the largest set to the smallest: in a laminar family all members of a set have so far the
  // same smallest set around them, its parent.
  std::vector<int> by_size(sets.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(), [&sets](int a, int b) {
    return sets[at(a)].members.size() > sets[at(b)].members.size();
  });
  for (const int set : by_size) {
    const auto& members = sets[at(set)].members;
    if (members.empty()) continue;
    const int around = smallest_[at(members.front())];
    for (const Arm arm : members) {
      const int other = smallest_[at(arm)];
      if (other != around) {
        // One of the two lacks one of the two arms, and is no smaller than this set: they cross.
        const bool contains =
            around != kNone &&
            std::count(sets[at(around)].members.begin(), sets[at(around)].members.end(), arm) > 0;
        const int crossing = around == kNone || contains ? other : around;
        throw InvalidParameter(
            "LaminarMatroid", "sets",
            fmt::format("{} and {}", std::min(set, crossing), std::max(set, crossing)),
            "must be nested or disjoint");
      }
    }
    for (const Arm arm : members) smallest_[at(arm)] = set;
    parent_[at(set)] = around;
  }
}

std::unique_ptr<IndependentSet> LaminarMatroid::empty_set() const {
  return std::make_unique<Set>(*this);
}

}  // namespace tacit::actions
