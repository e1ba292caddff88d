// What tests of a store on disk share: a folder for it, a transaction, and what is said of a failure.
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "tacit/service/store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

/// Gone with all that is in it when it goes.
class Folder {
 public:
  explicit Folder(const std::filesystem::path& in = std::filesystem::temp_directory_path()) {
    std::string name = (in / "tacit-store-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name = "shop.db") const { return (path_ / name).string(); }
  /// What somebody else may do to the file.
  storage::Database database() const {
    return storage::Database(file(), storage::Database::Access::kWrite);
  }

 private:
  std::filesystem::path path_;
};

inline Tag tag(int number) {
  Tag tag{};
  tag[0] = static_cast<unsigned char>(number);
  tag[15] = 7;
  return tag;
}

template <class Do>
void commit(Store& store, Do what) {
  store.begin();
  what();
  store.commit();
}

template <class Do>
std::string failure_of(Do what) {
  try {
    what();
  } catch (const StoreFailed& failure) {
    return failure.what();
  }
  return "nothing failed";
}

inline void expect_one_line(const std::string& text, const std::string& with) {
  EXPECT_NE(text.find(with), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

}  // namespace tacit::service
