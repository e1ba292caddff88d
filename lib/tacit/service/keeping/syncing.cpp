#include "tacit/service/keeping/syncing.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tacit/service/store.hpp"

namespace tacit::service {
namespace {

void sync(const std::filesystem::path& path, int flags) {
  const auto fail = [&](const char* what, int error) {
    throw StoreFailed(path.string() + ": " + what + ": " + std::strerror(error));
  };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | flags);
  if (descriptor < 0) fail("cannot be opened", errno);
  const int error = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (error != 0) fail("does not reach the disk", error);
}

}  // namespace

void sync_file(const std::filesystem::path& file) { sync(file, O_NOFOLLOW); }
void sync_folder(const std::filesystem::path& folder) { sync(folder, O_DIRECTORY); }

}  // namespace tacit::service
