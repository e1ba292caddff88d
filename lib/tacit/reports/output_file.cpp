#include "tacit/reports/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::reports {
namespace {

/// Next to the file, so that the last step is a rename; a name of its own. What is not a plain file (a pipe, a
/// device, a link) is written to as it is: renaming would replace it.
std::string unfinished(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::symlink_status(path, none);
  const bool plain = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  return plain ? fmt::format("{}.{}.part", path, getpid()) : path;
}

}  // namespace

void check_writable(const std::string& option, const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw InvalidParameter(Option{option}, path, "is a folder; must be a file to write");
  }
  errno = 0;
  const std::string name = unfinished(path);
  std::ofstream file(name, std::ios::app);
  if (!file) {
    throw InvalidParameter(Option{option}, path,
                           fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  file.close();
  if (name != path) std::filesystem::remove(name);
}

void write_file(const std::string& option, const std::string& path, const std::string& text) {
  errno = 0;
  const std::string name = unfinished(path);
  std::ofstream file(name, std::ios::binary);
  file << text;
  file.close();
  std::error_code failed;
  if (file && name != path) std::filesystem::rename(name, path, failed);
  if (!file || failed) {
    const std::string why = failed ? failed.message() : std::strerror(errno);
    if (name != path) std::filesystem::remove(name, failed);
    throw InvalidParameter(Option{option}, path, fmt::format("cannot be written: {}", why));
  }
}

}  // namespace tacit::reports
