// What fuzzers share: how a property is required, and what may be said to whoever sent the input.
//
// A fuzzer is one function, LLVMFuzzerTestOneInput. libFuzzer calls it with inputs of its own making; seeds.cpp calls it with those
// that are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tacit::fuzz {

/// Ends the program as a crash does, which is what a fuzzer looks for.
inline void require(bool holds, const char* property, std::string_view about = {}) {
  if (holds) return;
  const std::string text =
      std::string("does not hold: ") + property + ": " + std::string(about) + "\n";
  std::fputs(text.c_str(), stderr);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};  // NOLINT: its bytes
}

/// Whatever was given: a line, of a length that somebody reads, that does nothing to a terminal.
inline void require_one_line(std::string_view message) {
  constexpr std::size_t kLongest = 1000;
  require(!message.empty() && message.size() <= kLongest, "a message is a line", message);
  for (const char c : message) {
    const auto byte = static_cast<unsigned char>(c);
    require(byte >= 0x20 && byte != 0x7f, "a message has no control characters", message);
  }
}

/// What must not be said, not even a part of it.
class Unsaid {
 public:
  void add(std::string_view secret) {
    for (std::size_t at = 0; at + kPart <= secret.size(); ++at) {
      parts_.emplace(secret.substr(at, kPart));
    }
  }
  void require_not_in(std::string_view message) const {
    for (std::size_t at = 0; at + kPart <= message.size(); ++at) {
      require(!parts_.contains(std::string(message.substr(at, kPart))),
              "a message repeats nothing that is secret", message);
    }
  }

 private:
  static constexpr std::size_t kPart = 6;
  std::unordered_set<std::string> parts_;
};

/// What a fuzzer takes off the front of its input to choose with.
class Choices {
 public:
  explicit Choices(std::string_view input) : left_(input) {}

  unsigned char byte() {
    if (left_.empty()) return 0;
    const auto first = static_cast<unsigned char>(left_[0]);
    left_.remove_prefix(1);
    return first;
  }
  std::uint64_t number() {
    std::uint64_t all = 0;
    for (int i = 0; i < 8; ++i) all = all << 8U | byte();
    return all;
  }
  /// Up to the next line's end, or to the input's.
  std::string_view line() {
    const std::string_view all = left_.substr(0, left_.find('\n'));
    left_.remove_prefix(all.size() < left_.size() ? all.size() + 1 : left_.size());
    return all;
  }
  std::string_view rest() const { return left_; }
  bool empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

}  // namespace tacit::fuzz
