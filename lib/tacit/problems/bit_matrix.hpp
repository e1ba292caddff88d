// A users x items matrix of bits, one bit an entry, row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit::problems {

class BitMatrix {
 public:
  BitMatrix() = default;
  /// All entries 0; at least one user and one item.
  BitMatrix(int users, int items);

  int users() const noexcept { return users_; }
  int items() const noexcept { return items_; }

  bool at(int user, int item) const noexcept { return bit(row(user), item); }
  void set(int user, int item) noexcept {
    words_[offset(user) + word_of(item)] |= std::uint64_t{1} << shift_of(item);
  }

  /// A user's entries: item i is bit i mod 64 of word i / 64.
  std::span<const std::uint64_t> row(int user) const noexcept {
    return {words_.data() + offset(user), words_a_row_};
  }
  static bool bit(std::span<const std::uint64_t> row, int item) noexcept {
    return ((row[word_of(item)] >> shift_of(item)) & 1U) != 0;
  }

  bool operator==(const BitMatrix&) const = default;

 private:
  static std::size_t word_of(int item) noexcept { return static_cast<std::size_t>(item) / 64; }
  static unsigned shift_of(int item) noexcept { return static_cast<unsigned>(item) % 64; }
  std::size_t offset(int user) const noexcept {
    return static_cast<std::size_t>(user) * words_a_row_;
  }

  int users_ = 0;
  int items_ = 0;
  std::size_t words_a_row_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace tacit::problems
