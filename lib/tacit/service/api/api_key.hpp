// The text that a caller shows: tacit_<role>_<id>_<secret>. Kept is a hash of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tacit/service/directory.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service::api {

struct FreshApiKey {
  ApiKeyRow row;
  std::string text;  // shown once, to whoever asked for it
};

/// Throws Problem (422) for a role that there is not.
FreshApiKey fresh_api_key(const std::string& role, const std::string& note, Time now);

/// The key that this is the text of; null: there is none, or it is revoked. Takes the same time for any two texts of one key.
const ApiKeyRow* find_api_key(const Directory& directory, std::string_view text);

}  // namespace tacit::service::api
