// Public state as text, written and read by one function a class:
//   template <class Archive> void state(Archive& archive) { archive(sum_, n_, phases_); }
// Doubles are written in hexadecimal, so that what is read back is the same to the last bit.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit {

namespace detail {
template <class T, class Archive>
concept HasState = requires(T& value, Archive& archive) {
  value.state(archive);
};
}  // namespace detail

class StateWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  const std::string& text() const noexcept { return text_; }

 private:
  void word(std::string_view text) {
    if (!text_.empty()) text_ += ' ';
    text_ += text;
  }
  template <class T>
  void number(T value) {
    char digits[40];
    std::to_chars_result result{};
    if constexpr (std::floating_point<T>) {
      result = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::hex);
    } else {
      result = std::to_chars(digits, digits + sizeof digits, value);
    }
    word({digits, static_cast<std::size_t>(result.ptr - digits)});
  }
  void write(bool value) { number(value ? 1 : 0); }
  /// One word whatever is in it: spaces, line ends and percent signs by their codes.
  void write(const std::string& value) {
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
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void write(T value) { number(value); }
  template <class T>
  void write(const std::vector<T>& values) {
    number(values.size());
    for (const T& value : values) write(value);
  }
  template <detail::HasState<StateWriter> T>
  void write(const T& value) {
    const_cast<T&>(value).state(
        *this);  // NOLINT: one function reads and writes; this one only reads
  }

  std::string text_;
};

class StateReader {
 public:
  /// The text must outlive the reader.
  explicit StateReader(std::string_view text) : rest_(text) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  std::string_view word() {
    const std::size_t end = rest_.find(' ');
    const std::string_view found = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    return found;
  }
  [[noreturn]] static void refuse(std::string_view found) {
    throw InvalidParameter(Option{"state"}, std::string(found), "is not what a policy saved");
  }
  template <class T>
  void number(T& value) {
    const std::string_view text = word();
    std::from_chars_result result{};
    if constexpr (std::floating_point<T>) {
      result =
          std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
    } else {
      result = std::from_chars(text.data(), text.data() + text.size(), value);
    }
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) {
      refuse(text);
    }
  }
  void read(std::string& value) {
    const std::string_view text = word();
    if (!text.starts_with('\'')) refuse(text);
    value.clear();
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (text[i] != '%') {
        value += text[i];
        continue;
      }
      unsigned code = 0;
      const auto [rest, error] = std::from_chars(
          text.data() + i + 1, text.data() + std::min(i + 3, text.size()), code, 16);
      if (error != std::errc() || rest != text.data() + i + 3) refuse(text);
      value += static_cast<char>(code);
      i += 2;
    }
  }
  void read(bool& value) {
    int bit = 0;
    number(bit);
    if (bit != 0 && bit != 1) refuse(std::to_string(bit));
    value = bit == 1;
  }
  template <class T>
  requires std::integral<T> || std::floating_point<T>
  void read(T& value) { number(value); }
  template <class T>
  void read(std::vector<T>& values) {
    std::size_t size = 0;
    number(size);
    if (size > rest_.size()) refuse("a longer list than there is text");
    values.resize(size);
    for (T& value : values) read(value);
  }
  template <detail::HasState<StateReader> T>
  void read(T& value) {
    value.state(*this);
  }

  std::string_view rest_;
};

}  // namespace tacit
