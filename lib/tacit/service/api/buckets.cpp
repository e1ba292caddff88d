#include "tacit/service/api/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tacit::service::api {

int Buckets::take(std::string_view key, std::size_t kind, Time now) {
  const Rate& rate = rates_[kind];
  if (rate.per_second <= 0) return 0;
  const double full = std::max(1.0, rate.burst);
  const std::lock_guard lock(mutex_);
  auto at = buckets_.find(key);
  if (at == buckets_.end()) at = buckets_.try_emplace(std::string(key)).first;
  Bucket& bucket = at->second[kind];
  if (bucket.is_new) {
    bucket = {.left = full, .at = now, .is_new = false};
  } else {
    const double filled = static_cast<double>(now - bucket.at) / kSecond * rate.per_second;
    bucket.left = std::min(full, bucket.left + filled);
    bucket.at = now;
  }
  if (bucket.left >= 1) {
    bucket.left -= 1;
    return 0;
  }
  return std::max(1, static_cast<int>(std::ceil((1 - bucket.left) / rate.per_second)));
}

}  // namespace tacit::service::api
