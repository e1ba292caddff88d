// One writer a folder: held while this object lives, and let go by the system whatever ends the program; a child that it forked
// and that lives on does not hold it. Readers are not kept out.
#pragma once

#include <filesystem>

#include "tacit/storage/unforked_descriptor.hpp"

namespace tacit::lab {

class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

  /// False: somebody else holds it.
  bool held() const { return held_; }

 private:
  storage::UnforkedDescriptor folder_;
  bool held_ = false;
};

}  // namespace tacit::lab
