#include "tacit/lab/folder_lock.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>
#include <vector>

namespace tacit::lab {
namespace {

/// Of all locks of this process. A child that is forked would hold them too, and outlive who forked it: a pool's workers do.
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
    close(descriptor);
  }

 private:
  Descriptors() {
    pthread_atfork([] { of_this_process().mutex_.lock(); },
                   [] { of_this_process().mutex_.unlock(); },
                   [] {
                     Descriptors& all = of_this_process();
                     for (const int descriptor : all.open_) close(descriptor);
                     all.open_.clear();
                     all.mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::vector<int> open_;
};

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ >= 0) Descriptors::of_this_process().add(descriptor_);
  // Where a file system knows no locks, SQLite's own have to do.
  held_ = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) Descriptors::of_this_process().close_one(descriptor_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), held_(other.held_) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(held_, other.held_);
  return *this;
}

}  // namespace tacit::lab
