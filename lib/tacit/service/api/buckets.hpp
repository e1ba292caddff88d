// How much a key may ask for: a bucket a key, which fills with time and from which each request takes. Nothing but what was taken
// shows in what is left.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>

#include "tacit/service/directory.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service::api {

struct Rate {
  double per_second = 0;  // 0: as many as come
  double burst = 0;       // at once, after a rest; at least 1
};

/// Thread safety: none.
class Bucket {
 public:
  /// Takes `amount` out of it, or all that a full one has; 0. If there is not so much: after how many seconds there will be. `now` in
  /// milliseconds that never fall.
  int take(const Rate& rate, double amount, Time now);

 private:
  double left_ = 0;
  Time at_ = 0;
  bool is_new_ = true;
};

/// A bucket a key. Thread safety: all of it.
class Buckets {
 public:
  explicit Buckets(const Rate& rate) : rate_(rate) {}
  int take(std::string_view key, Time now, double amount = 1);

 private:
  Rate rate_;
  std::mutex mutex_;
  ByText<Bucket> buckets_;
};

/// A bucket an address, of which nothing is kept: a hash under a key of this process picks one of a fixed number, which strangers from
/// many addresses cannot make more. Two addresses rarely share one. Thread safety: all of it.
class AddressBuckets {
 public:
  explicit AddressBuckets(const Rate& rate);
  /// As inet_ntop writes it; of an IPv6 address the first half, which is one customer's. Others are taken as they are.
  int take(std::string_view address, Time now);

 private:
  static constexpr std::size_t kBuckets = 65536;
  Rate rate_;
  std::array<unsigned char, 16> key_{};
  std::mutex mutex_;
  std::unique_ptr<std::array<Bucket, kBuckets>> buckets_;
};

}  // namespace tacit::service::api
