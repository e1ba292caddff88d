// How much of the disk the requests of a key may fill with what is kept for themselves: answers, for who repeats a request, and
// units of `client` keys, which everybody has. Both are decided by what is asked for alone, and so are the counts, which /metrics
// tells; how large the file is, is not said there, since the store may need a page more for what a report writes anew.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tacit/service/api/buckets.hpp"

namespace tacit::service::api {

/// Thread safety: all of it.
class Quotas {
 public:
  struct Settings {
    Time idempotency_for = kDay;
    double answer_bytes = 1e9;       // of a key, within idempotency_for
    double units_a_day = 1'000'000;  // of a client key
  };
  explicit Quotas(const Settings& settings);

  /// How long an answer is kept.
  Time idempotency_for() const noexcept { return settings_.idempotency_for; }
  /// Before an answer of at most so many bytes is made that is to be kept. Throws Problem (429).
  void take_answer(std::string_view key, std::size_t bytes, Time now);
  /// Before a unit is kept that was not there. Throws Problem (429).
  void take_unit(std::string_view key, Time now);

  // Since the start.
  std::uint64_t answers() const noexcept { return answers_; }
  std::uint64_t answer_bytes() const noexcept { return answer_bytes_; }
  /// Those of `client` keys.
  std::uint64_t units() const noexcept { return units_; }

 private:
  Settings settings_;
  Buckets of_answers_;
  Buckets of_units_;
  std::atomic<std::uint64_t> answers_{0}, answer_bytes_{0}, units_{0};
};

}  // namespace tacit::service::api
