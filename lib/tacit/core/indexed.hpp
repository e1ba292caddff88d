// One thing for each of 0, 1, 2, ...: a vector that is indexed by int, which is what arms, nodes and positions
// are counted in.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace tacit {

template <class T>
class Indexed {
 public:
  using Reference = typename std::vector<T>::reference;  // to a bool it is not a bool&
  using ConstReference = typename std::vector<T>::const_reference;

  Indexed() = default;
  explicit Indexed(int count) : values_(static_cast<std::size_t>(count)) {}
  Indexed(int count, const T& value) : values_(static_cast<std::size_t>(count), value) {}

  int count() const noexcept { return static_cast<int>(values_.size()); }
  Reference operator[](int index) noexcept { return values_[static_cast<std::size_t>(index)]; }
  ConstReference operator[](int index) const noexcept {
    return values_[static_cast<std::size_t>(index)];
  }
  void push_back(T value) { values_.push_back(std::move(value)); }

  auto begin() noexcept { return values_.begin(); }
  auto end() noexcept { return values_.end(); }
  auto begin() const noexcept { return values_.begin(); }
  auto end() const noexcept { return values_.end(); }

  bool operator==(const Indexed&) const = default;

  template <class Archive>
  void state(Archive& archive) {
    archive(values_);
  }

 private:
  std::vector<T> values_;
};

}  // namespace tacit
