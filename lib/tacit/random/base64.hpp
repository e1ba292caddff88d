// Bytes as letters that fit into a link or a line of a file: base64 with - and _, without padding.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::random {

std::string to_base64(std::span<const unsigned char> bytes);
/// None for what to_base64 did not write: no bytes have two texts.
std::optional<std::vector<unsigned char>> from_base64(std::string_view text);

}  // namespace tacit::random
