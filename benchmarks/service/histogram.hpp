// Times of many requests, in buckets that are never wider than 1/64 of what they hold: enough for a p99 and no memory that
// grows with the run.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tacit::benchmarks {

class Histogram {
 public:
  void add(std::int64_t nanoseconds) {
    ++counts_[bucket(static_cast<std::uint64_t>(std::max<std::int64_t>(0, nanoseconds)))];
    ++total_;
  }
  std::uint64_t total() const noexcept { return total_; }

  /// Seconds that a share of all took at most, e.g. 0.99; 0 when there are none. The upper end of its bucket, so that no
  /// time is told smaller than it was.
  double quantile(double share) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(total_)));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      below += counts_[i];
      if (counts_[i] > 0 && below >= rank) return upper_end(i) * 1e-9;
    }
    return 0;
  }

 private:
  static constexpr int kBits = 6;
  static constexpr std::size_t kParts = std::size_t{1} << kBits;

  // Exact below 2 * kParts nanoseconds; then kParts buckets for each power of two.
  static std::size_t bucket(std::uint64_t value) {
    if (value < 2 * kParts) return value;
    const auto shift = static_cast<std::size_t>(std::bit_width(value) - 1 - kBits);
    return shift * kParts + (value >> shift);
  }
  static double upper_end(std::size_t bucket) {
    if (bucket < 2 * kParts) return static_cast<double>(bucket);
    const std::size_t shift = bucket / kParts - 1;
    return std::ldexp(static_cast<double>(bucket - shift * kParts + 1), static_cast<int>(shift));
  }

  std::array<std::uint64_t, 64 * kParts> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace tacit::benchmarks
