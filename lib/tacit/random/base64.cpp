#include "tacit/random/base64.hpp"

#include <algorithm>

#include <sodium.h>

namespace tacit::random {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

/// libsodium takes some bytes beyond ASCII for letters.
bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_';
}

}  // namespace

std::string to_base64(std::span<const unsigned char> bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kVariant);
  text.pop_back();  // the 0 at its end
  return text;
}

std::optional<std::vector<unsigned char>> from_base64(std::string_view text) {
  if (text.empty()) return std::vector<unsigned char>{};  // libsodium takes no null
  std::vector<unsigned char> bytes(text.size());
  std::size_t size = 0;
  const char* end = nullptr;
  if (!std::all_of(text.begin(), text.end(), is_letter) ||
      sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size, &end,
                        kVariant) != 0 ||
      end != text.data() + text.size()) {
    return std::nullopt;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace tacit::random
