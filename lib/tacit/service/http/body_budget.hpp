// How much memory the bodies of requests may take together, so that no number of clients can take all there is.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace tacit::service::http {

/// Thread safety: all of it.
class BodyBudget {
 public:
  explicit BodyBudget(std::size_t bytes) : left_(bytes) {}

  /// All or none of them.
  bool take(std::size_t bytes) noexcept {
    std::size_t left = left_.load(std::memory_order_relaxed);
    do {
      if (left < bytes) return false;
    } while (!left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(std::size_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> left_;
};

/// What one request has taken, for as long as it lives.
class TakenOfBudget {
 public:
  TakenOfBudget() = default;
  TakenOfBudget(TakenOfBudget&& other) noexcept
      : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
  TakenOfBudget& operator=(TakenOfBudget&& other) noexcept {
    give_back();
    budget_ = std::move(other.budget_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~TakenOfBudget() { give_back(); }

  /// So many in all, of this budget, before what it had is given back: they lie beside each other while they are moved. False: there
  /// is not so much left, and all is as it was.
  bool grow(const std::shared_ptr<BodyBudget>& budget, std::size_t bytes) {
    if (!budget->take(bytes)) return false;
    give_back();
    budget_ = budget;
    bytes_ = bytes;
    return true;
  }
  void shrink(std::size_t bytes) noexcept {
    if (bytes < bytes_) budget_->give_back(std::exchange(bytes_, bytes) - bytes);
  }

 private:
  void give_back() noexcept { shrink(0); }

  std::shared_ptr<BodyBudget> budget_;
  std::size_t bytes_ = 0;
};

}  // namespace tacit::service::http
