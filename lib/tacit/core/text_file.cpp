#include "tacit/core/text_file.hpp"

#include <filesystem>
#include <system_error>

namespace tacit {

bool is_device(const std::string& path) {
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  return type == std::filesystem::file_type::character || type == std::filesystem::file_type::block;
}

std::optional<std::string> foreign_encoding(std::string_view begin) {
  using namespace std::string_view_literals;
  // Marks of the byte order; that of UTF-32 begins like that of UTF-16.
  if (begin.starts_with("\xFF\xFE\0\0"sv) || begin.starts_with("\0\0\xFE\xFF"sv)) {
    return "UTF-32, not UTF-8";
  }
  if (begin.starts_with("\xFF\xFE"sv) || begin.starts_with("\xFE\xFF"sv)) {
    return "UTF-16, not UTF-8";
  }
  // Without a mark: a first character of ASCII beside its zero byte.
  const bool one_is_zero = begin.size() >= 2 && (begin[0] == '\0') != (begin[1] == '\0');
  if (one_is_zero && (begin.size() < 4 || (begin[0] == '\0') == (begin[2] == '\0'))) {
    return "UTF-16, not UTF-8";
  }
  return {};
}

}  // namespace tacit
