// Messages repeat what was typed or sent: a line that somebody reads, and nothing that a terminal obeys.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// Whether it has no control characters: of ASCII, of what ends a line in Unicode, and of the direction of text.
bool is_one_line(std::string_view text);

/// Control characters become a space each; what is longer than `longest` bytes is cut, between two characters, and ends in "...".
std::string in_one_line(std::string_view text, std::size_t longest);

/// What was given, in a few words.
std::string in_short(std::string_view given);

}  // namespace tacit
