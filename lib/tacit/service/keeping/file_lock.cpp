#include "tacit/service/keeping/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "tacit/service/store.hpp"

namespace tacit::service {
namespace {

/// The same for every name that leads to one file.
std::string lock_beside(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
  return (unknown ? path : real.string()) + ".lock";
}

/// Digits, or nothing: it may be about to be written.
std::string written_in(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view all(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return std::string(all.substr(0, all.find_first_not_of("0123456789")));
}

}  // namespace

FileLock::FileLock(const std::string& path)
    : path_(lock_beside(path)), file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (file_.number() < 0) {
    throw StoreFailed(
        fmt::format("{}: cannot be made: {}; the store's folder must be there, and yours to write",
                    path_, std::strerror(errno)));
  }
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) {
      throw StoreFailed(fmt::format("{}: cannot be locked: {}", path_, std::strerror(errno)));
    }
    const std::string holder = written_in(file_.number());
    throw StoreFailed(
        fmt::format("{}: is held by {}, which uses this store; stop it, or give another file",
                    path_, holder.empty() ? "another program" : "process " + holder));
  }
  const std::string number = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file_.number(), 0) != 0 ||
      ::pwrite(file_.number(), number.data(), number.size(), 0) < 0) {
    throw StoreFailed(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }
}

std::optional<int> FileLock::holder(const std::string& path) {
  const storage::UnforkedDescriptor file(::open(lock_beside(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return {};
  if (::flock(file.number(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  const std::string written = written_in(file.number());
  int process = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), process);
  return read.ec == std::errc{} && process > 0 ? std::optional(process) : std::nullopt;
}

}  // namespace tacit::service
