// Keys of the API: tacit_<role>_<id>_<secret>. The store has a hash of the secret, which is 256 random bits: nothing slower is
// needed to keep it from being guessed. The role in the text is for people; what counts is the one that is stored.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/service/store.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service {

/// app asks and answers, client answers and evaluates flags (browsers), viewer reads, operator reads and changes, and asks for
/// nothing.
inline constexpr std::array<std::string_view, 4> kRoles{"app", "client", "viewer", "operator"};

struct NewApiKey {
  ApiKeyRow row;
  std::string text;  // seen this once
};
/// Throws InvalidParameter for a role that there is not, or a note of more than a line.
NewApiKey new_api_key(const std::string& role, const std::string& note, Time now);

/// A key as it was sent, cut into its parts.
struct PresentedKey {
  std::string_view role, id, secret;
};
/// None for what is no key, without a look at any.
std::optional<PresentedKey> parse_api_key(std::string_view text);
/// In a time that does not depend on where they differ.
bool opens(const PresentedKey& key, const ApiKeyRow& row);

}  // namespace tacit::service
