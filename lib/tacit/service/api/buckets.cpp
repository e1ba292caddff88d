#include "tacit/service/api/buckets.hpp"

#include <arpa/inet.h>
#include <sodium.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "tacit/random/sodium.hpp"

namespace tacit::service::api {

int Bucket::take(const Rate& rate, double amount, Time now) {
  if (rate.per_second <= 0) return 0;
  const double full = std::max(1.0, rate.burst);
  amount = std::min(amount, full);
  const double filled = static_cast<double>(now - at_) / kSecond * rate.per_second;
  left_ = is_new_ ? full : std::min(full, left_ + filled);
  is_new_ = false;
  at_ = now;
  if (left_ >= amount) {
    left_ -= amount;
    return 0;
  }
  return std::max(1, static_cast<int>(std::ceil((amount - left_) / rate.per_second)));
}

int Buckets::take(std::string_view key, Time now, double amount) {
  const std::lock_guard lock(mutex_);
  auto at = buckets_.find(key);
  if (at == buckets_.end()) at = buckets_.try_emplace(std::string(key)).first;
  return at->second.take(rate_, amount, now);
}

AddressBuckets::AddressBuckets(const Rate& rate)
    : rate_(rate), buckets_(std::make_unique<std::array<Bucket, kBuckets>>()) {
  random::need_sodium();
  static_assert(crypto_shorthash_KEYBYTES == std::tuple_size_v<decltype(key_)>);
  crypto_shorthash_keygen(key_.data());
}

int AddressBuckets::take(std::string_view address, Time now) {
  const std::string text(address);
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  std::string_view hashed = text;
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) {
    hashed = {reinterpret_cast<const char*>(bytes.data()), bytes.size() / 2};  // NOLINT: its bytes
  }
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(hashed.data()),  // NOLINT: its bytes
                   hashed.size(), key_.data());
  const std::lock_guard lock(mutex_);
  return (*buckets_)[hash % kBuckets].take(rate_, 1, now);
}

}  // namespace tacit::service::api
