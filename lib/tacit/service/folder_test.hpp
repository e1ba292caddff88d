// A folder of a test's own.
#pragma once

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace tacit::service {

/// Gone with all that is in it when it goes.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string name = (in / "tacit-service-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::filesystem::filesystem_error("no folder", name,
                                              std::error_code(errno, std::generic_category()));
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name = "shop.db") const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace tacit::service
