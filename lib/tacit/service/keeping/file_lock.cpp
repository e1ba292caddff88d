#include "tacit/service/keeping/file_lock.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tacit/service/store.hpp"

namespace tacit::service {
namespace {

/// Of all locks of this process. A child that is forked would hold them too, and may outlive who forked it.
class Descriptors {
 public:
  static Descriptors& of_this_process() {
    static Descriptors all;
    return all;
  }
  void add(int descriptor) {
    const std::lock_guard lock(mutex_);
    open_.push_back(descriptor);
  }
  void close_one(int descriptor) {
    const std::lock_guard lock(mutex_);
    // In a child it is closed already, and its number may be another file's.
    const auto found = std::find(open_.begin(), open_.end(), descriptor);
    if (found == open_.end()) return;
    open_.erase(found);
    ::close(descriptor);
  }

 private:
  Descriptors() {
    pthread_atfork([] { of_this_process().mutex_.lock(); },
                   [] { of_this_process().mutex_.unlock(); },
                   [] {
                     Descriptors& all = of_this_process();
                     for (const int descriptor : all.open_) ::close(descriptor);
                     all.open_.clear();
                     all.mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::vector<int> open_;
};

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
    : path_(lock_beside(path)),
      descriptor_(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
  if (descriptor_ < 0) {
    throw StoreFailed(
        fmt::format("{}: cannot be made: {}; the store's folder must be there, and yours to write",
                    path_, std::strerror(errno)));
  }
  Descriptors::of_this_process().add(descriptor_);
  const auto refuse = [this](const std::string& why) {
    Descriptors::of_this_process().close_one(descriptor_);
    throw StoreFailed(path_ + ": " + why);
  };
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) refuse(fmt::format("cannot be locked: {}", std::strerror(errno)));
    const std::string holder = written_in(descriptor_);
    refuse(fmt::format("is held by {}, which uses this store; stop it, or give another file",
                       holder.empty() ? "another program" : "process " + holder));
  }
  const std::string number = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, number.data(), number.size(), 0) < 0) {
    refuse(fmt::format("cannot be written: {}", std::strerror(errno)));
  }
}

FileLock::~FileLock() { Descriptors::of_this_process().close_one(descriptor_); }

}  // namespace tacit::service
