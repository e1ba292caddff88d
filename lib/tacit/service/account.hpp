// Everything secret of one slot: the sums of its outcomes, and who has answered.
//
// An answer x is added as x - missing, once a place, and n times `missing` when the slot of n choices is released: nobody need
// know, even in secret, how many have answered. What is stored has a length that only choices decide: the sums, and a block of
// bits for every 4096 places, so that neither a file nor its growth tells how many answers came.
//
// Thread safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/sealing.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/privacy/secret_bits.hpp"

namespace tacit::service {

class Account {
 public:
  static constexpr Round kPlacesOfABlock = 4096;

  /// Of so many arms' outcomes at once: one, or all.
  Account(std::size_t entries, double missing)
      : sums_(entries), missing_(Outcome::nearest(missing)) {}

  /// One more choice has this slot: its place, counted from 0.
  Round open_place();
  Round places() const noexcept { return places_; }

  /// The answer of a place, an outcome in [0, 1] an entry. Counts the first time, and is dropped later; also for a place that
  /// there is not.
  void add(Round place, std::span<const privacy::Secret<Sum>> outcomes);

  /// Of the place of a choice that is not in the sum: is written as if it had been answered.
  void touch(Round place);

  /// What all choices came to, those without an answer counted as missing.
  privacy::SecretVector<Sum> total() const;

  // How it is stored. `belongs_to` names the row: what is sealed for one does not open in another.

  Round blocks() const noexcept { return static_cast<Round>(answered_.size()); }
  /// Those that changed since they were asked for last.
  std::set<Round> take_changed_blocks() { return std::exchange(changed_, {}); }
  std::string sealed_sums(const privacy::SealingKey& key, std::string_view belongs_to) const;
  std::string sealed_block(Round block, const privacy::SealingKey& key,
                           std::string_view belongs_to) const;
  /// Throw InvalidParameter for what does not open.
  void open_sums(std::string_view sealed, const privacy::SealingKey& key,
                 std::string_view belongs_to);
  void open_block(Round block, std::string_view sealed, const privacy::SealingKey& key,
                  std::string_view belongs_to);
  /// Before its blocks are opened.
  void set_places(Round places);

 private:
  privacy::SecretVector<Sum> sums_;
  Outcome missing_;
  Round places_ = 0;
  std::vector<privacy::SecretBits> answered_;  // block by block, each as long as a full one
  std::set<Round> changed_;
};

}  // namespace tacit::service
