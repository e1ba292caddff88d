#include "tacit/core/one_line.hpp"

#include <algorithm>

namespace tacit {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

}  // namespace

bool is_one_line(std::string_view text) {
  return std::none_of(text.begin(), text.end(), is_control);
}

std::string in_one_line(std::string_view text, std::size_t longest) {
  std::size_t kept = std::min(text.size(), longest);
  if (kept < text.size()) {
    while (kept > 0 && continues_a_character(text[kept])) --kept;
  }
  std::string line(text.substr(0, kept));
  std::replace_if(line.begin(), line.end(), is_control, ' ');
  if (kept < text.size()) line += "...";
  return line;
}

std::string in_short(std::string_view given) {
  constexpr std::size_t kMost = 60;
  return in_one_line(given, kMost);
}

}  // namespace tacit
