#include "tacit/service/api/entity_tag.hpp"

#include <array>

#include <fmt/format.h>
#include <sodium.h>

namespace tacit::service::api {

std::string entity_tag(std::string_view version, std::string_view content) {
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(content.data()),  // NOLINT: its bytes
                     content.size(), nullptr, 0);
  std::string tag = fmt::format("\"{}-", version);
  constexpr std::size_t kShown = 10;
  for (std::size_t i = 0; i < kShown; ++i) tag += fmt::format("{:02x}", hash[i]);
  return tag + '"';
}

bool names_tag(std::string_view if_none_match, std::string_view tag) {
  // Quotation marks are part of the tag, so that it is found whole or not at all; a W/ before it does not matter here.
  return if_none_match == "*" ||
         (!tag.empty() && if_none_match.find(tag) != std::string_view::npos);
}

}  // namespace tacit::service::api
