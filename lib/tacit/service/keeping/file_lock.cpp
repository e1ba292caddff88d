#include "tacit/service/keeping/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "tacit/service/store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

std::string lock_beside(const std::string& path) { return real_path(path) + ".lock"; }

/// Digits, or nothing: it may be about to be written.
std::string written_in(int descriptor) {
  std::array<char, 24> text{};
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view all(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  return std::string(all.substr(0, all.find_first_not_of("0123456789")));
}

/// Of a whole descriptor's: other than flock(), and than what one process calls its own.
bool take(int descriptor, short kind, off_t from, off_t size) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + storage::Database::kPatience;
  for (;;) {
    struct flock asked {};
    asked.l_type = kind;
    asked.l_whence = SEEK_SET;
    asked.l_start = from;
    asked.l_len = size;
    if (::fcntl(descriptor, F_OFD_SETLK, &asked) == 0) return true;
    const bool is_held = errno == EAGAIN || errno == EACCES || errno == EINTR;
    if (!is_held || Clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

int opened(const std::string& path, int flags) {
  return ::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC);
}

// SQLite's: whoever has a store open that has a log keeps some of these bytes.
constexpr off_t kSqlitesLocks = 0x40000000;
constexpr off_t kHowMany = 512;

}  // namespace

std::string real_path(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), unknown);
  return unknown ? path : real.string();
}

FileLock::FileLock(const std::string& path)
    : path_(lock_beside(path)),
      file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
  if (file_.number() < 0 && errno == ELOOP) {
    throw StoreFailed(path_ +
                      ": is a symbolic link, and what it leads to would be written over: "
                      "remove it");
  }
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
  was_cut_short_ = !written_in(file_.number()).empty();
  const std::string number = fmt::format("{}\n", ::getpid());
  if (::ftruncate(file_.number(), 0) != 0 ||
      ::pwrite(file_.number(), number.data(), number.size(), 0) < 0) {
    throw StoreFailed(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }
}

void FileLock::end_well() const noexcept {
  // Where it cannot be said, the next one looks more closely than it had to.
  static_cast<void>(::ftruncate(file_.number(), 0) == 0);
}

std::optional<int> FileLock::holder(const std::string& path) {
  const storage::UnforkedDescriptor file(
      ::open(lock_beside(path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (file.number() < 0) return {};
  if (::flock(file.number(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  const std::string written = written_in(file.number());
  int process = 0;
  const auto read = std::from_chars(written.data(), written.data() + written.size(), process);
  return read.ec == std::errc{} && process > 0 ? std::optional(process) : std::nullopt;
}

BesideLock::BesideLock(const std::string& path) : file_(opened(lock_beside(path), O_RDONLY)) {
  if (file_.number() < 0 || take(file_.number(), F_RDLCK, 0, 0)) return;
  throw StoreFailed(path + ": is being put back from a copy: wait for it");
}

AloneLock::AloneLock(const FileLock& lock, const std::string& store)
    : beside_(opened(lock.path(), O_RDWR)), store_(opened(real_path(store), O_RDWR)) {
  const bool is_there = store_.number() >= 0 || errno != ENOENT;
  if (beside_.number() >= 0 && take(beside_.number(), F_WRLCK, 0, 0) &&
      (!is_there || take(store_.number(), F_WRLCK, kSqlitesLocks, kHowMany))) {
    return;
  }
  throw StoreFailed(store +
                    ": another program has it open, or it is not yours to write: end that "
                    "program first");
}

}  // namespace tacit::service
