// One thing for each of 0, 1, 2, ...: a vector that is indexed by int, which is what arms, nodes and positions
// are counted in.
#pragma once

#include <cassert>
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
  // By iterators, which no build but a debugging one checks: these are the inner loops.
  Reference operator[](int index) noexcept {
    assert(has(index));
    return values_.begin()[index];
  }
  ConstReference operator[](int index) const noexcept {
    assert(has(index));
    return values_.begin()[index];
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
  bool has(int index) const noexcept { return index >= 0 && index < count(); }

  std::vector<T> values_;
};

}  // namespace tacit
