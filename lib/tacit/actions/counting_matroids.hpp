// Matroids that only count: an arm may be added while no set that contains it is full.
//   uniform    at most k arms
//   partition  at most c_b arms of block b
//   laminar    at most c_S arms of each set S of a family, any two of which are nested or disjoint
// Cost of a test: O(1), laminar O(depth of the family). Of a circuit: O(rank), times the depth.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tacit/actions/matroid.hpp"

namespace tacit::actions {

class UniformMatroid final : public Matroid {
 public:
  /// The sets of at most `size` of the arms, size in 1..arms.
  UniformMatroid(int arms, int size);

  int arms() const noexcept override { return arms_; }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  int arms_;
  int size_;
};

class PartitionMatroid final : public Matroid {
 public:
  /// Blocks are numbered from 0; capacities are at least 0, and an arm of a block of capacity 0 is
  /// never played.
  PartitionMatroid(std::vector<int> block_of_arm, std::vector<int> capacity_of_block);

  int arms() const noexcept override { return static_cast<int>(block_of_arm_.size()); }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  std::vector<int> block_of_arm_;
  std::vector<int> capacity_of_block_;
};

struct LaminarSet {
  std::vector<Arm> members;  // distinct
  int capacity = 0;          // at least 0
};

class LaminarMatroid final : public Matroid {
 public:
  /// Arms in no set are always played.
  LaminarMatroid(int arms, const std::vector<LaminarSet>& sets);

  int arms() const noexcept override { return static_cast<int>(smallest_.size()); }
  std::unique_ptr<IndependentSet> empty_set() const override;

 private:
  class Set;
  static constexpr int kNone = -1;

  std::vector<int> smallest_;  // by arm: the smallest set that contains it
  std::vector<int> parent_;    // by set: the smallest set around it
  std::vector<int> capacity_;
};

}  // namespace tacit::actions
