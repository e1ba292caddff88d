// One thing an arm: a vector that is indexed by Arm.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit {

template <class T>
class PerArm {
 public:
  PerArm() = default;
  explicit PerArm(int arms) : values_(static_cast<std::size_t>(arms)) {}
  PerArm(int arms, const T& value) : values_(static_cast<std::size_t>(arms), value) {}

  int arms() const noexcept { return static_cast<int>(values_.size()); }
  T& operator[](Arm arm) noexcept { return values_[static_cast<std::size_t>(arm)]; }
  const T& operator[](Arm arm) const noexcept { return values_[static_cast<std::size_t>(arm)]; }
  void push_back(T value) { values_.push_back(std::move(value)); }

  auto begin() noexcept { return values_.begin(); }
  auto end() noexcept { return values_.end(); }
  auto begin() const noexcept { return values_.begin(); }
  auto end() const noexcept { return values_.end(); }

  template <class Archive>
  void state(Archive& archive) {
    archive(values_);
  }

 private:
  std::vector<T> values_;
};

}  // namespace tacit
