// How many requests a key may send: a bucket a key and kind of request, which fills with time and from which each request takes
// one. Requests of one kind do not show in what is left for another, and nothing but their number does.
//
// Thread safety: all of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "tacit/service/directory.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service::api {

struct Rate {
  double per_second = 0;  // 0: as many as come
  double burst = 0;       // at once, after a rest; at least 1
};

class Buckets {
 public:
  static constexpr std::size_t kKinds = 3;

  explicit Buckets(const std::array<Rate, kKinds>& rates) : rates_(rates) {}

  /// Takes one out of the bucket; 0. If there is none: after how many seconds there will be. `now` in milliseconds that never fall.
  int take(std::string_view key, std::size_t kind, Time now);

 private:
  struct Bucket {
    double left = 0;
    Time at = 0;
    bool is_new = true;
  };
  std::array<Rate, kKinds> rates_;
  std::mutex mutex_;
  ByText<std::array<Bucket, kKinds>> buckets_;
};

}  // namespace tacit::service::api
