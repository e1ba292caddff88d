// Who has answered, in secret: one bit for each place of a slot. In an application where only clicks are reported
// that somebody has answered is the answer itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::privacy {

class SecretBits {
 public:
  SecretBits() = default;
  /// Of so many places, none of which has answered.
  explicit SecretBits(Round places)
      : places_(places), words_(static_cast<std::size_t>((places + 63) / 64)) {}

  /// The value the first time that a place comes, nothing at all later. Both are secret, so that nobody learns
  /// which it was.
  template <class T>
  Secret<T> once(Round place, const Secret<T>& value) {
    Secret<std::uint64_t>& word = words_[index(place)];
    const std::uint64_t bit = std::uint64_t{1} << (static_cast<std::uint64_t>(place) & 63U);
    const bool first = (Vault::open(word) & bit) == 0;
    word = Secret<std::uint64_t>(Vault::open(word) | bit);
    return first ? value : Secret<T>();
  }
  /// The value where `counts` is a one that once() let pass, nothing where it is not; as secret as both.
  static Secret<Sum> times(const Secret<Sum>& counts, const Secret<Sum>& value) {
    return Vault::open(counts) == Sum() ? Secret<Sum>() : value;
  }
  /// One more place. How many there are is public.
  void add_place() {
    if (places_++ % 64 == 0) words_.emplace_back();
  }
  Round places() const noexcept { return places_; }

  template <class Archive>
  void state(Archive& archive) {
    archive(places_);
    words_.resize(static_cast<std::size_t>((places_ + 63) / 64));
    for (Secret<std::uint64_t>& word : words_) archive(word);
  }

 private:
  static std::size_t index(Round place) { return static_cast<std::size_t>(place / 64); }

  Round places_ = 0;
  std::vector<Secret<std::uint64_t>> words_;
};

}  // namespace tacit::privacy
