// Public state as text, written and read by one function a class:
//   template <class Archive> void state(Archive& archive) { archive(sum_, n_, phases_); }
// Doubles are written in hexadecimal, so that what is read back is the same to the last bit.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tacit {

namespace detail {
template <class T, class Archive>
concept HasState = requires(T& value, Archive& archive) {
  value.state(archive);
};
template <class T>
using Widest = std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>;
}  // namespace detail

class StateWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }
  const std::string& text() const noexcept { return text_; }

 private:
  void word(std::string_view text);
  void write(bool value);
  void write(double value);
  void write(std::int64_t value);
  void write(std::uint64_t value);
  /// One word whatever is in it: spaces, line ends and percent signs by their codes.
  void write(const std::string& value);
  template <std::integral T>
  void write(T value) {
    write(static_cast<detail::Widest<T>>(value));
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(values.size());
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
  std::string_view word();
  [[noreturn]] static void refuse(std::string_view found);
  void read(std::string& value);
  void read(bool& value);
  void read(double& value);
  void read(std::int64_t& value);
  void read(std::uint64_t& value);
  template <std::integral T>
  void read(T& value) {
    detail::Widest<T> read_value = 0;
    read(read_value);
    if (!std::in_range<T>(read_value)) refuse(std::to_string(read_value));
    value = static_cast<T>(read_value);
  }
  template <class T>
  void read(std::vector<T>& values) {
    values.resize(list_size());
    for (T& value : values) read(value);
  }
  template <detail::HasState<StateReader> T>
  void read(T& value) {
    value.state(*this);
  }

  /// Not more than there is text for.
  std::size_t list_size();

  std::string_view rest_;
};

}  // namespace tacit
