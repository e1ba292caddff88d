#include "tacit/service/api_keys.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sodium.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/random/base64.hpp"
#include "tacit/random/sodium.hpp"

namespace tacit::service {
namespace {

constexpr std::string_view kMark = "tacit_";
constexpr std::size_t kIdBytes = 4;
constexpr std::size_t kIdLetters = 2 * kIdBytes;
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kSecretLetters = 43;  // base64 without padding
constexpr std::size_t kLongestNote = 200;

using Hash = std::array<unsigned char, 32>;

Hash hash_of(std::string_view secret) {
  Hash hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(secret.data()), secret.size(), nullptr,
                     0);
  return hash;
}

std::string fresh_id() {
  std::array<unsigned char, kIdBytes> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace

NewApiKey new_api_key(const std::string& role, const std::string& note, Time now) {
  const std::vector<std::string> roles(kRoles.begin(), kRoles.end());
  if (std::find(roles.begin(), roles.end(), role) == roles.end()) {
    throw InvalidParameter(Option{"role"}, role,
                           fmt::format("must be one of {}; did you mean {}?",
                                       fmt::join(roles, ", "), nearest_name(role, roles)));
  }
  if (note.size() > kLongestNote || !is_one_line(note)) {
    throw InvalidParameter(
        Option{"note"}, in_short(note),
        fmt::format("must be one line of at most {} bytes, without control characters",
                    kLongestNote));
  }
  random::need_sodium();
  std::array<unsigned char, kSecretBytes> bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  const std::string secret = random::to_base64(bytes);
  sodium_memzero(bytes.data(), bytes.size());
  NewApiKey key{.row = {.id = fresh_id(),
                        .role = role,
                        .note = note,
                        .hash = hash_of(secret),
                        .created = now,
                        .revoked = 0},
                .text = {}};
  key.text = fmt::format("{}{}_{}_{}", kMark, role, key.row.id, secret);
  return key;
}

std::optional<PresentedKey> parse_api_key(std::string_view text) {
  if (!text.starts_with(kMark)) return {};
  text.remove_prefix(kMark.size());
  PresentedKey key;
  const std::size_t end = text.find('_');
  if (end == std::string_view::npos) return {};
  key.role = text.substr(0, end);
  if (std::find(kRoles.begin(), kRoles.end(), key.role) == kRoles.end()) return {};
  text.remove_prefix(end + 1);
  if (text.size() != kIdLetters + 1 + kSecretLetters || text[kIdLetters] != '_') return {};
  key.id = text.substr(0, kIdLetters);
  key.secret = text.substr(kIdLetters + 1);
  return key;
}

bool opens(const PresentedKey& key, const ApiKeyRow& row) {
  const Hash hash = hash_of(key.secret);
  return sodium_memcmp(hash.data(), row.hash.data(), hash.size()) == 0 && row.revoked == 0 &&
         key.role == row.role;
}

}  // namespace tacit::service
