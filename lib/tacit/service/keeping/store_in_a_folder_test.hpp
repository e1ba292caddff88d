// What tests of a store on disk share: what others do to it, a transaction, and what is said of a failure.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tacit/service/folder_test.hpp"
#include "tacit/service/store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

/// What somebody else may do to the file.
inline storage::Database database_in(const Folder& folder) {
  return storage::Database(folder.file(), storage::Database::Access::kWrite);
}

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
