#include "tacit/live/store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tacit::live {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

/// Closes what it opened, also when something throws.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : path_(path), descriptor_(::open(path.c_str(), flags, 0600)) {
    if (descriptor_ < 0) fail(path, "cannot be opened");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  void write(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = ::write(descriptor_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) fail(path_, "cannot be written");
      done += static_cast<std::size_t>(wrote);
    }
  }
  std::string read() const {
    std::string text;
    std::array<char, 65536> some;  // NOLINT: written before it is read
    for (;;) {
      const ssize_t got = ::read(descriptor_, some.data(), some.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(path_, "cannot be read");
      if (got == 0) return text;
      text.append(some.data(), static_cast<std::size_t>(got));
    }
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) fail(path_, "does not reach the disk");
  }
  bool lock() const { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }
  /// For somebody else to close.
  int take() noexcept { return std::exchange(descriptor_, -1); }

 private:
  std::string path_;
  int descriptor_;
};

void replace(const std::string& path, const std::string& text) {
  const std::string beside = path + ".new";
  {
    const Descriptor file(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    file.write(text);
    file.sync();
  }
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail(path, "cannot be replaced");
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  Descriptor(folder.string(), O_RDONLY | O_DIRECTORY | O_CLOEXEC).sync();
}

/// Nothing only where nothing is: a file that cannot be read is not one that was never written.
std::optional<std::string> read(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
  return Descriptor(path, O_RDONLY | O_CLOEXEC).read();
}

int locked(const std::string& path) {
  if (path.empty()) throw std::runtime_error("a state's file has no name: a path must be given");
  const std::string beside = path + ".lock";
  Descriptor file(beside, O_RDWR | O_CREAT | O_CLOEXEC);
  if (!file.lock()) {
    if (errno != EWOULDBLOCK) fail(beside, "cannot be locked");
    throw std::runtime_error(path +
                             ": is held by another store, here or in another program; two would "
                             "release one sum twice");
  }
  return file.take();
}

}  // namespace

FileStore::FileStore(std::string path) : path_(std::move(path)), lock_(locked(path_)) {}
FileStore::~FileStore() { ::close(lock_); }

void FileStore::keep(const std::string& state, const Mark& mark) {
  const auto write = [&](const Mark& m) {
    replace(mark_path(), fmt::format("{} {}\n", m.releases, m.policy));
  };
  const auto known = this->mark();
  if (known && known->policy != mark.policy) {
    throw std::runtime_error(mark_path() + ": is another policy's: nothing was written over it");
  }
  if (known && known->releases > mark.releases) {
    throw std::runtime_error(fmt::format(
        "{}: {} releases were made, and this policy knows of {}: nothing was written over it",
        mark_path(), known->releases, mark.releases));
  }
  // The state before its mark: a crash between them leaves one that is newer than it need be. But whose it is stands
  // there before the first.
  if (!known) write({mark.policy, 0});
  replace(path_, state);
  if (mark.releases > (known ? known->releases : 0)) write(mark);
}

std::optional<std::string> FileStore::state() const { return read(path_); }

std::optional<Mark> FileStore::mark() const {
  const auto text = read(mark_path());
  if (!text) {
    if (!read(path_)) return std::nullopt;
    throw std::runtime_error(mark_path() + ": is missing beside " + path_ +
                             ": nobody can tell whether that is from before the last release");
  }
  Mark mark;
  const char* end = text->data() + text->size();
  const auto releases = std::from_chars(text->data(), end, mark.releases);
  if (releases.ec == std::errc() && releases.ptr != end && *releases.ptr == ' ') {
    const auto policy = std::from_chars(releases.ptr + 1, end, mark.policy);
    if (policy.ec == std::errc() && std::string_view(policy.ptr, end) == "\n") return mark;
  }
  throw std::runtime_error(
      mark_path() + ": must hold two numbers, of the releases that were made and of their policy");
}

}  // namespace tacit::live
