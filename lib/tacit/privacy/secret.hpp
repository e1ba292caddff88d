// Privacy is a type: what a user's round contains is a Secret, what a mechanism lets out is
// Released.
//
// Anyone may seal a value into a Secret; only the mechanisms that Vault names as friends can open
// one or make a Released. Everything after a mechanism (indices, action sets, traces) reads
// Released values only, so post-processing is not a claim but what compiles. Proof:
// tests/compile_fail.
//
// A Secret can be added to another, taken from it, and wiped. It has no comparison, no formatter and no map(): a
// lambda could copy the value out through a capture.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tacit/privacy/released.hpp"

namespace tacit::privacy {

/// Overwrites a value so that the compiler cannot drop the store as dead.
template <class T>
void wipe(T& value) noexcept {
  value = T{};
  asm volatile("" : "+m"(value));
}

/// Calls wipe by its full name: a `wipe` beside the type of the value would otherwise be handed the value.
template <class T>
class Secret {
 public:
  Secret() = default;
  explicit Secret(T value) : value_(value) {}
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { privacy::wipe(value_); }

  Secret& operator+=(const Secret& other) noexcept {
    value_ += other.value_;
    return *this;
  }
  Secret& operator-=(const Secret& other) noexcept {
    value_ -= other.value_;
    return *this;
  }
  void clear() noexcept { privacy::wipe(value_); }

 private:
  friend class Vault;
  T value_{};
};

/// A fixed number of secrets. The length is public and never depends on data.
template <class T>
class SecretVector {
 public:
  explicit SecretVector(std::size_t size) : values_(size) {}

  std::size_t size() const noexcept { return values_.size(); }
  const Secret<T>& operator[](std::size_t i) const noexcept { return values_[i]; }
  void set(std::size_t i, const Secret<T>& value) noexcept { values_[i] = value; }
  void add_at(std::size_t i, const Secret<T>& value) noexcept { values_[i] += value; }
  SecretVector& operator+=(const SecretVector& other) noexcept {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += other.values_[i];
    return *this;
  }
  void clear() noexcept {
    for (Secret<T>& value : values_) value.clear();
  }

 private:
  std::vector<Secret<T>> values_;
};

/// The closed list of those who may open a Secret. To add a mechanism, add its name here: that line
/// is the one that a privacy review looks at.
class Vault {
  template <class T>
  static const T& open(const Secret<T>& secret) noexcept {
    return secret.value_;
  }
  template <class T>
  static Released<T> release(T value) {
    return Released<T>(std::move(value));
  }

  friend class Laplace;             // laplace.hpp
  friend class Gaussian;            // gaussian.hpp
  friend class RandomizedResponse;  // randomized_response.hpp
  friend class RandomizedRounding;  // randomized_response.hpp: secret to secret
  friend class StopResponse;        // stop_response.hpp
  friend class NoisyMax;            // noisy_max.hpp
  friend class ToeplitzSum;         // toeplitz.hpp: a running sum
  friend class Exact;               // exact.hpp: infinite epsilon
  friend class Published;           // published.hpp: what was released before is released again
  friend class SecretBits;          // secret_bits.hpp: secret to secret
  friend class SealingWriter;       // sealing.hpp: secret to ciphertext
  friend class SealingReader;       // sealing.hpp: ciphertext to secret
};

}  // namespace tacit::privacy
