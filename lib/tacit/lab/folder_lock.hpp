// One writer a folder: held while this object lives, and let go by the system whatever ends the
// program, or by a child that it forked and that lives on. Readers are not kept out.
#pragma once

#include <filesystem>

namespace tacit::lab {

class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;

  /// False: somebody else holds it.
  bool held() const { return held_; }

 private:
  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace tacit::lab
