// What is to be known of a file before it is read as a text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tacit {

/// Whether it is a device, like /dev/zero, which need not end. A pipe is none: what another program writes may be read.
bool is_device(const std::string& path);

/// What a text that begins with these bytes is instead of UTF-8: "UTF-16, not UTF-8". Nothing where that does not show.
std::optional<std::string> foreign_encoding(std::string_view begin);

}  // namespace tacit
