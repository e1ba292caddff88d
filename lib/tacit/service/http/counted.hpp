// How many there are of something, counted by those who are.
#pragma once

#include <atomic>
#include <cstddef>

namespace tacit::service::http {

/// One more, for as long as it lives.
struct Counted {
  explicit Counted(std::atomic<std::size_t>& all_) : all(all_), number(++all_) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --all; }

  std::atomic<std::size_t>& all;
  const std::size_t number;
};

}  // namespace tacit::service::http
