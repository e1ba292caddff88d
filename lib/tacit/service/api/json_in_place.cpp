#include "tacit/service/api/json_in_place.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include <fmt/format.h>
#include <sodium.h>

namespace tacit::service::api {
namespace {

using Byte = unsigned char;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Whether a number that is beyond doubles is too large, and not too small: from_chars tells only that it is one of them.
bool is_huge(std::span<const char> number) {
  std::int64_t whole_digits =
      0;  // that count; negative: zeros behind the point before the first that does
  bool significant = false;
  bool behind_point = false;
  std::size_t i = 0;
  for (; i < number.size() && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] == '.') behind_point = true;
    if (!is_digit(number[i])) continue;
    if (!significant && number[i] == '0') {
      if (behind_point) --whole_digits;
      continue;
    }
    significant = true;
    if (!behind_point) ++whole_digits;
  }
  constexpr std::int64_t kFar = std::int64_t{1} << 40;
  std::int64_t exponent = 0;
  bool negative = false;
  for (++i; i < number.size(); ++i) {
    if (number[i] == '-') negative = true;
    if (is_digit(number[i])) exponent = std::min(kFar, exponent * 10 + (number[i] - '0'));
  }
  return whole_digits + (negative ? -exponent : exponent) > 0;
}

char* put_utf8(char* out, unsigned point) noexcept {
  const auto put = [&](unsigned byte) { *out++ = static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xc0U | point >> 6U);
    put(0x80U | (point & 0x3fU));
  } else if (point < 0x10000) {
    put(0xe0U | point >> 12U);
    put(0x80U | (point >> 6U & 0x3fU));
    put(0x80U | (point & 0x3fU));
  } else {
    put(0xf0U | point >> 18U);
    put(0x80U | (point >> 12U & 0x3fU));
    put(0x80U | (point >> 6U & 0x3fU));
    put(0x80U | (point & 0x3fU));
  }
  return out;
}

}  // namespace

BadJson::BadJson(std::size_t position, const char* expected)
    : std::runtime_error(fmt::format("byte {}: expected {}", position, expected)),
      position_(position) {}

void JsonInPlace::expected(const char* what) const { throw BadJson(base_ + at_, what); }

void JsonInPlace::space() noexcept {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
  }
}

JsonInPlace::Kind JsonInPlace::kind() {
  space();
  if (at_end()) expected("a value");
  const char c = here();
  if (c == '{') return Kind::kObject;
  if (c == '[') return Kind::kArray;
  if (c == '"') return Kind::kText;
  if (c == '-' || is_digit(c)) return Kind::kNumber;
  if (c == 't' || c == 'f') return Kind::kBoolean;
  if (c == 'n') return Kind::kNull;
  expected("a value");
}

void JsonInPlace::open(char bracket, const char* what) {
  space();
  if (here() != bracket) expected(what);
  if (depth_ == kDeepest) expected("at most 8 levels");
  levels_[depth_++] = {.is_object = bracket == '{', .is_empty = true};
  ++at_;
}

void JsonInPlace::begin_object() { open('{', "an object"); }
void JsonInPlace::begin_array() { open('[', "an array"); }

std::optional<std::string_view> JsonInPlace::next_key(bool unescape) {
  Level& level = levels_[depth_ - 1];
  space();
  if (here() == '}') {
    ++at_;
    close();
    return std::nullopt;
  }
  if (!level.is_empty) {
    if (here() != ',') expected("',' or '}'");
    ++at_;
    space();
  }
  level.is_empty = false;
  if (here() != '"') expected("a key in quotation marks");
  const std::size_t start = at_ + 1;
  const std::size_t size = scan_text(unescape);
  space();
  if (here() != ':') expected("':'");
  ++at_;
  return std::string_view(text_.data() + start, size);
}

bool JsonInPlace::item() {
  Level& level = levels_[depth_ - 1];
  space();
  if (here() == ']') {
    ++at_;
    close();
    return false;
  }
  if (!level.is_empty) {
    if (here() != ',') expected("',' or ']'");
    ++at_;
  }
  level.is_empty = false;
  return true;
}

std::string_view JsonInPlace::text() {
  space();
  if (here() != '"') expected("a text");
  const std::size_t start = at_ + 1;
  const std::size_t size = scan_text(true);
  return {text_.data() + start, size};
}

unsigned JsonInPlace::hex4() {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = here();
    unsigned digit = 0;
    if (is_digit(c)) {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      expected("four hexadecimal digits");
    }
    value = value << 4U | digit;
  }
  return value;
}

unsigned JsonInPlace::escaped_unit() {
  ++at_;  // 'u'
  const unsigned first = hex4();
  if (first < 0xd800 || first > 0xdfff) return first;
  if (first > 0xdbff) expected("the first half of a pair of surrogates before its second");
  if (at_ + 1 >= text_.size() || text_[at_] != '\\' || text_[at_ + 1] != 'u') {
    expected("the second half of a pair of surrogates");
  }
  at_ += 2;
  const unsigned second = hex4();
  if (second < 0xdc00 || second > 0xdfff) expected("the second half of a pair of surrogates");
  return 0x10000 + ((first - 0xd800) << 10U) + (second - 0xdc00);
}

/// One character of more than one byte (RFC 3629, section 4).
void JsonInPlace::check_utf8() {
  const auto lead = static_cast<Byte>(text_[at_]);
  std::size_t more = 0;
  Byte low = 0x80;
  Byte high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    more = 1;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    more = 2;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    more = 3;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  } else {
    expected("UTF-8");
  }
  ++at_;
  for (; more > 0; --more, ++at_) {
    if (at_end()) expected("UTF-8");
    const auto byte = static_cast<Byte>(text_[at_]);
    if (byte < low || byte > high) expected("UTF-8");
    low = 0x80;
    high = 0xbf;
  }
}

std::size_t JsonInPlace::scan_text(bool unescape) {
  ++at_;  // the quotation mark
  char* const begin = text_.data() + at_;
  char* out = begin;
  const auto keep = [&](std::size_t from) {
    if (unescape) out = std::copy(text_.data() + from, text_.data() + at_, out);
  };
  for (;;) {
    const std::size_t from = at_;
    while (!at_end()) {
      const auto byte = static_cast<Byte>(text_[at_]);
      if (byte < 0x20 || byte == '"' || byte == '\\') break;
      if (byte < 0x80) {
        ++at_;
      } else {
        check_utf8();
      }
    }
    if (out == text_.data() + from) {
      out = text_.data() + at_;  // nothing was escaped so far: it is where it belongs
    } else {
      keep(from);
    }
    if (at_end()) expected("the end of a text");
    if (here() == '"') break;
    if (here() != '\\') expected("no control character in a text");
    ++at_;
    unsigned point = 0;
    switch (here()) {
      case '"':
      case '\\':
      case '/': point = static_cast<Byte>(here()); break;
      case 'b': point = '\b'; break;
      case 'f': point = '\f'; break;
      case 'n': point = '\n'; break;
      case 'r': point = '\r'; break;
      case 't': point = '\t'; break;
      case 'u':
        point = escaped_unit();
        --at_;  // its last digit
        break;
      default: expected("one of \" \\ / b f n r t u");
    }
    ++at_;
    if (unescape) out = put_utf8(out, point);
  }
  ++at_;
  return static_cast<std::size_t>(out - begin);
}

void JsonInPlace::digits() {
  if (!is_digit(here())) expected("a digit");
  while (is_digit(here())) ++at_;
}

std::span<const char> JsonInPlace::scan_number() {
  const std::size_t start = at_;
  if (here() == '-') ++at_;
  if (here() == '0') {
    ++at_;
  } else {
    digits();
  }
  if (here() == '.') {
    ++at_;
    digits();
  }
  if (here() == 'e' || here() == 'E') {
    ++at_;
    if (here() == '+' || here() == '-') ++at_;
    digits();
  }
  return text_.subspan(start, at_ - start);
}

double JsonInPlace::number() {
  space();
  if (here() != '-' && !is_digit(here())) expected("a number");
  const std::size_t start = at_;
  const std::span<const char> number = scan_number();
  double value = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool beyond = read.ec == std::errc::result_out_of_range;
  if (std::isinf(value) || (beyond && is_huge(number))) {
    at_ = start;
    expected("a number that a double can hold");
  }
  return beyond ? 0 : value;
}

void JsonInPlace::word(std::string_view word, const char* what) {
  if (!std::string_view(text_.data() + at_, text_.size() - at_).starts_with(word)) expected(what);
  at_ += word.size();
}

bool JsonInPlace::boolean() {
  space();
  const bool value = here() == 't';
  word(value ? "true" : "false", "true or false");
  return value;
}

void JsonInPlace::null() {
  space();
  word("null", "null");
}

void JsonInPlace::pass_value() {
  switch (kind()) {
    case Kind::kObject:
      begin_object();
      while (next_key(false)) pass_value();
      break;
    case Kind::kArray:
      begin_array();
      while (item()) pass_value();
      break;
    case Kind::kText: scan_text(false); break;
    case Kind::kNumber: number(); break;
    case Kind::kBoolean: boolean(); break;
    case Kind::kNull: null(); break;
  }
}

JsonInPlace JsonInPlace::skip() {
  space();
  const std::size_t start = at_;
  const std::size_t depth = depth_;
  pass_value();
  JsonInPlace later(text_.subspan(start, at_ - start));
  later.base_ = base_ + start;
  later.depth_ = depth;
  return later;
}

void JsonInPlace::wipe() noexcept { sodium_memzero(text_.data(), text_.size()); }

void JsonInPlace::end() {
  space();
  if (!at_end()) expected("the end of the body");
}

}  // namespace tacit::service::api
