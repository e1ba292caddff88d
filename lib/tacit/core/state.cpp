#include "tacit/core/state.hpp"

#include <algorithm>
#include <charconv>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit {
namespace {

// Doubles are read and written in hexadecimal.
template <class T, class... Format>
std::string_view digits_of(T value, char (&digits)[40], Format... format) {
  const auto result = std::to_chars(digits, digits + sizeof digits, value, format...);
  return {digits, static_cast<std::size_t>(result.ptr - digits)};
}

template <class T, class... Format>
bool is_read(std::string_view text, T& value, Format... format) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, format...);
  return !text.empty() && result.ec == std::errc() && result.ptr == end;
}

}  // namespace

void StateWriter::word(std::string_view text) {
  if (!text_.empty()) text_ += ' ';
  text_ += text;
}

void StateWriter::write(bool value) { word(value ? "1" : "0"); }

void StateWriter::write(double value) {
  char digits[40];
  word(digits_of(value, digits, std::chars_format::hex));
}

void StateWriter::write(std::int64_t value) {
  char digits[40];
  word(digits_of(value, digits));
}

void StateWriter::write(std::uint64_t value) {
  char digits[40];
  word(digits_of(value, digits));
}

void StateWriter::write(const std::string& value) {
  std::string escaped = "'";
  for (const char c : value) {
    if (c > ' ' && c != '%') {
      escaped += c;
    } else {
      constexpr char kHex[] = "0123456789abcdef";
      const auto code = static_cast<unsigned char>(c);
      escaped += {'%', kHex[code >> 4U], kHex[code & 15U]};
    }
  }
  word(escaped);
}

std::string_view StateReader::word() {
  const std::size_t end = rest_.find(' ');
  const std::string_view found = rest_.substr(0, end);
  rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
  return found;
}

void StateReader::refuse(std::string_view found) {
  throw InvalidParameter(Option{"state"}, std::string(found), "is not what a policy saved");
}

void StateReader::read(std::string& value) {
  const std::string_view text = word();
  if (!text.starts_with('\'')) refuse(text);
  value.clear();
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '%') {
      value += text[i];
      continue;
    }
    unsigned code = 0;
    const auto [rest, error] =
        std::from_chars(text.data() + i + 1, text.data() + std::min(i + 3, text.size()), code, 16);
    if (error != std::errc() || rest != text.data() + i + 3) refuse(text);
    value += static_cast<char>(code);
    i += 2;
  }
}

void StateReader::read(bool& value) {
  const std::string_view text = word();
  if (text != "0" && text != "1") refuse(text);
  value = text == "1";
}

void StateReader::read(double& value) {
  const std::string_view text = word();
  if (!is_read(text, value, std::chars_format::hex)) refuse(text);
}

void StateReader::read(std::int64_t& value) {
  const std::string_view text = word();
  if (!is_read(text, value)) refuse(text);
}

void StateReader::read(std::uint64_t& value) {
  const std::string_view text = word();
  if (!is_read(text, value)) refuse(text);
}

std::size_t StateReader::list_size() {
  std::size_t size = 0;
  read(size);
  if (size > rest_.size()) refuse("a longer list than there is text");
  return size;
}

}  // namespace tacit
