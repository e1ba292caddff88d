// What a mechanism lets out. The half of secret.hpp that learners may see: here no Secret is named.
#pragma once

#include <type_traits>
#include <utility>

namespace tacit::privacy {

class Vault;

/// Public from here on. Only mechanisms make one.
template <class T>
class Released {
 public:
  /// A released bit or number is a released double.
  template <class From>
  requires(!std::is_same_v<From, T> && std::is_arithmetic_v<From> && std::is_same_v<T, double>)
      Released(const Released<From>& other)  // NOLINT(google-explicit-constructor): it stays public
      : value_(static_cast<double>(other.value())) {}

  const T& value() const noexcept { return value_; }

 private:
  friend class Vault;
  explicit Released(T value) : value_(std::move(value)) {}
  T value_;
};

}  // namespace tacit::privacy
