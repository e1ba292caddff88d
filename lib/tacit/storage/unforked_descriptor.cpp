#include "tacit/storage/unforked_descriptor.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace tacit::storage {
namespace {

class Descriptors {
 public:
  static Descriptors& of_this_process() {
    static Descriptors all;
    return all;
  }
  void add(int number) {
    const std::lock_guard lock(mutex_);
    open_.push_back(number);
  }
  void close_one(int number) {
    const std::lock_guard lock(mutex_);
    // In a child it is closed already, and its number may be another file's.
    const auto found = std::find(open_.begin(), open_.end(), number);
    if (found == open_.end()) return;
    open_.erase(found);
    ::close(number);
  }

 private:
  Descriptors() {
    pthread_atfork([] { of_this_process().mutex_.lock(); },
                   [] { of_this_process().mutex_.unlock(); },
                   [] {
                     Descriptors& all = of_this_process();
                     for (const int number : all.open_) ::close(number);
                     all.open_.clear();
                     all.mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::vector<int> open_;
};

}  // namespace

UnforkedDescriptor::UnforkedDescriptor(int number) : number_(number) {
  if (number_ >= 0) Descriptors::of_this_process().add(number_);
}

UnforkedDescriptor::~UnforkedDescriptor() {
  if (number_ >= 0) Descriptors::of_this_process().close_one(number_);
}

UnforkedDescriptor::UnforkedDescriptor(UnforkedDescriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {}

UnforkedDescriptor& UnforkedDescriptor::operator=(UnforkedDescriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

}  // namespace tacit::storage
