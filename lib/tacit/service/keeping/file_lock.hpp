// One service a store: FILE.lock beside it is held while this object lives, and let go by the system whatever ends the program.
// It holds the number of the process, for whoever is refused. It is never deleted: who then made a new one would hold another.
#pragma once

#include <optional>
#include <string>

#include "tacit/storage/unforked_descriptor.hpp"

namespace tacit::service {

class FileLock {
 public:
  /// Throws StoreFailed in one line that names the lock and who holds it, or why there is none.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// The process that holds the lock of this store, if there is one.
  static std::optional<int> holder(const std::string& path);

 private:
  std::string path_;
  storage::UnforkedDescriptor file_;
};

}  // namespace tacit::service
