// ETags: who has an answer already is told so, without it (RFC 9110, 13.1.2).
#pragma once

#include <string>
#include <string_view>

namespace tacit::service::api {

/// In quotation marks: `version`, which a reader may look at, and a hash of everything that the answer says.
std::string entity_tag(std::string_view version, std::string_view content);

/// Whether the header If-None-Match names this tag, or any.
bool names_tag(std::string_view if_none_match, std::string_view tag);

}  // namespace tacit::service::api
