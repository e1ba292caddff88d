// Who has reported, of 4096 decisions: public, since reports are. The first report of a decision counts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::service {

class ReportPage {
 public:
  static constexpr Round kPlaces = 4096;

  ReportPage() : words_(kPlaces / 64) {}

  Round open_place() noexcept { return places_++; }
  Round places() const noexcept { return places_; }
  bool full() const noexcept { return places_ == kPlaces; }

  /// Whether this is the place's first report; none of a place that there is not.
  bool first(Round place) {
    if (place < 0 || place >= places_) return false;
    std::uint64_t& word = words_[static_cast<std::size_t>(place / 64)];
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(place % 64);
    const bool is_first = (word & bit) == 0;
    word |= bit;
    return is_first;
  }

  std::string bytes() const {
    return {reinterpret_cast<const char*>(words_.data()),  // NOLINT: its bytes
            words_.size() * sizeof(std::uint64_t)};
  }
  /// What bytes() gave, of so many places.
  void set(Round places, std::string_view bytes) {
    places_ = places;
    bytes.copy(reinterpret_cast<char*>(words_.data()),  // NOLINT
               words_.size() * sizeof(std::uint64_t));
  }

 private:
  Round places_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace tacit::service
