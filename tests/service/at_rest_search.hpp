// What users send that can be told from everything else, and where it is found afterwards: as text, as the numbers that it becomes,
// in base64 and as hashes that have no key.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tacit::service {

/// Drawn when it is made: it stands in no program, and in no process that was forked before.
class Mark {
 public:
  /// A user's name.
  static Mark unit(const std::string& what);
  /// An outcome.
  static Mark outcome(const std::string& what);

  const std::string& what() const noexcept { return what_; }
  const std::string& text() const noexcept { return text_; }  // as it is sent
  const std::vector<std::string>& traces() const noexcept { return traces_; }

 private:
  Mark(std::string what, std::string text);
  void add_pieces(const std::string& text);

  std::string what_, text_;
  std::vector<std::string> traces_;
};

class Search {
 public:
  void add(const Mark& mark);

  /// What was found: whose, which trace, and where.
  std::set<std::string> in_file(const std::string& path) const;
  /// All that the process can write to. Throws std::runtime_error when the system does not let us look.
  std::set<std::string> in_memory(pid_t process) const;

 private:
  struct Trace {
    std::string bytes;
    std::string name;
  };
  void look(std::string_view bytes, const std::string& where, std::set<std::string>& found) const;

  std::vector<Trace> traces_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_begin_;
  std::vector<bool> begins_ = std::vector<bool>(std::size_t{1} << 16U);
  std::size_t longest_ = 0;
};

}  // namespace tacit::service
