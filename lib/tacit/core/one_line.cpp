#include "tacit/core/one_line.hpp"

#include <algorithm>

namespace tacit {
namespace {

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

/// Beyond ASCII, in UTF-8: what ends a line or is a terminal's to obey (C1, U+2028, U+2029), and Unicode's Bidi_Control, which shows
/// what follows in another order than it is read.
bool is_wide_control(std::string_view character) {
  const auto between = [&](std::string_view first, std::string_view last) {
    return character >= first && character <= last;
  };
  return between("\u0080", "\u009f") || character == "\u061c" || between("\u200e", "\u200f") ||
         between("\u2028", "\u202e") || between("\u2066", "\u2069");
}

/// How many bytes of the control character that the text begins with; 0: it begins with none.
std::size_t control_in_front_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7f) return 1;
  for (const std::size_t size : {std::size_t{2}, std::size_t{3}}) {
    if (text.size() >= size && is_wide_control(text.substr(0, size))) return size;
  }
  return 0;
}

}  // namespace

bool is_one_line(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (control_in_front_of(text) > 0) return false;
  }
  return true;
}

std::string in_one_line(std::string_view text, std::size_t longest) {
  std::size_t kept = std::min(text.size(), longest);
  if (kept < text.size()) {
    while (kept > 0 && continues_a_character(text[kept])) --kept;
  }
  std::string line;
  line.reserve(kept);
  for (std::string_view left = text.substr(0, kept); !left.empty();) {
    const std::size_t control = control_in_front_of(left);
    line += control > 0 ? ' ' : left.front();
    left.remove_prefix(std::max<std::size_t>(control, 1));
  }
  if (kept < text.size()) line += "...";
  return line;
}

std::string in_short(std::string_view given) {
  constexpr std::size_t kMost = 60;
  return in_one_line(given, kMost);
}

}  // namespace tacit
