// Text that a page may contain: whatever is in it, the page stays whole.
#pragma once

#include <string>
#include <string_view>

namespace tacit::reports::page {

/// For text, and for what stands between double quotes in a tag.
std::string escaped(std::string_view text);

/// What an element can be linked to by: other names have other ids.
std::string id_of(std::string_view kind, std::string_view name);

/// A JSON document that stands in a page: nothing in it ends the element.
std::string json_in_page(const std::string& json);

}  // namespace tacit::reports::page
