// JSON, read where it lies: of a request's body no copy is made, so that what it says of people is gone once the body is wiped.
// (A parser that keeps tokens of its own leaves outcomes and names on the heap.) Nothing is allocated; texts are unescaped in the
// body itself.
//
// What is asked for next is read next; whoever asks for something else than what is there gets BadJson. Strict RFC 8259 in UTF-8,
// without a byte order mark, at most kDeepest levels of objects and arrays. Numbers become doubles, the nearest ones.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

namespace tacit::service::api {

/// Says at which byte, from 0, and what was expected there; never what was found.
class BadJson : public std::runtime_error {
 public:
  BadJson(std::size_t position, const char* expected);
  std::size_t position() const noexcept { return position_; }

 private:
  std::size_t position_;
};

class JsonInPlace {
 public:
  static constexpr std::size_t kDeepest = 8;
  enum class Kind { kObject, kArray, kText, kNumber, kBoolean, kNull };

  explicit JsonInPlace(std::span<char> text) : text_(text) {}

  /// Of the value that comes next.
  Kind kind();

  void begin_object();
  /// None: the object has ended. Its value is to be read before the next one.
  std::optional<std::string_view> key() { return next_key(true); }
  void begin_array();
  /// False: the array has ended. Otherwise the item is to be read before the next one.
  bool item();

  /// Valid as long as the body is.
  std::string_view text();
  double number();
  bool boolean();
  void null();
  /// Checks a value and passes over it: it can be read later, by a reader of its own.
  JsonInPlace skip();
  /// There is nothing more.
  void end();
  /// Overwrites all that this reader was given to read, also what was unescaped.
  void wipe() noexcept;

 private:
  struct Level {
    bool is_object = false;
    bool is_empty = true;
  };

  bool at_end() const noexcept { return at_ == text_.size(); }
  char here() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void expected(const char* what) const;
  void space() noexcept;
  void open(char bracket, const char* what);
  void close() noexcept { --depth_; }
  std::optional<std::string_view> next_key(bool unescape);
  /// Moves past a text; writes it unescaped over itself if so asked, and returns its length then.
  std::size_t scan_text(bool unescape);
  unsigned hex4();
  unsigned escaped_unit();
  void check_utf8();
  std::span<const char> scan_number();
  void digits();
  void word(std::string_view word, const char* what);
  void pass_value();

  std::span<char> text_;
  std::size_t at_ = 0;
  std::size_t base_ = 0;  // of the text in the body
  std::array<Level, kDeepest> levels_{};
  std::size_t depth_ = 0;
};

}  // namespace tacit::service::api
