#include "tacit/service/keeping/copying.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tacit/service/keeping/file_lock.hpp"
#include "tacit/service/keeping/rows.hpp"
#include "tacit/service/keeping/schema.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keeping/syncing.hpp"
#include "tacit/storage/unforked_descriptor.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(fs::symlink_status(path, unknown));
}

void need_no_log(const std::string& copy) {
  for (const char* log : {"-wal", "-journal"}) {
    if (!is_there(copy + log)) continue;
    throw StoreFailed(copy + log +
                      ": is the log of another file of that name, and would be played over the "
                      "copy: give another name");
  }
}

void need_place(const std::string& store, const std::string& copy, Existing existing) {
  if (!is_there(copy)) return need_no_log(copy);
  if (existing == Existing::kRefuse) {
    throw StoreFailed(copy + ": is there already: give another name, or --replace");
  }
  const auto is_its_copy = [&] {
    try {
      std::error_code unknown;
      return fs::is_regular_file(fs::symlink_status(copy, unknown)) &&
             store_number(copy) == store_number(store);
    } catch (const StoreFailed&) {
      return false;
    }
  };
  // What was ever served is no copy, whatever is in it.
  if (is_there(real_path(copy) + ".lock") || !is_its_copy()) {
    throw StoreFailed(copy + ": is there, and is no copy of this store: give another name");
  }
  need_no_log(copy);
}

/// A file that is written before it has its name. Gone with this object, unless it got that.
class Beside {
 public:
  explicit Beside(const std::string& copy)
      : path_(real_path(copy) + "-new"),
        file_(::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)) {
    if (file_.number() < 0) fail("cannot be made");
    struct stat opened {};
    struct stat named {};
    // Of another one that has just got its name, or not yet.
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file_.number(), &opened) != 0 ||
        ::stat(path_.c_str(), &named) != 0 || opened.st_ino != named.st_ino) {
      throw StoreFailed(path_ + ": another copy is being made under this name");
    }
    // One that was cut short is written over.
    if (::ftruncate(file_.number(), 0) != 0 || ::fchmod(file_.number(), 0600) != 0) {
      fail("cannot be written");
    }
    mine_ = true;
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (mine_) ::unlink(path_.c_str());
  }

  const std::string& path() const noexcept { return path_; }
  void take_name(const std::string& name) {
    sync_file(path_);
    if (::rename(path_.c_str(), name.c_str()) != 0) fail("cannot get its name");
    mine_ = false;
    sync_folder(fs::path(name).parent_path());
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw StoreFailed(path_ + ": " + what + ": " + std::strerror(errno));
  }
  std::string path_;
  storage::UnforkedDescriptor file_;
  bool mine_ = false;
};

}  // namespace

void copy_into(const storage::Database& store, const std::string& path) {
  const int made = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (made < 0) throw StoreFailed(path + ": cannot be made: " + std::strerror(errno));
  ::close(made);
  storage::Statement(store, "VACUUM INTO ?").with(std::string_view(path)).run();
}

Tag store_number(const std::string& path) {
  try {
    const storage::Database database(path, storage::Database::Access::kRead);
    need_store_in(database);
    storage::Statement row(database, "SELECT store FROM service");
    return row.step() ? array_of<16>(row.bytes(0)) : Tag{};
  } catch (const storage::StorageError& error) {
    throw StoreFailed(error.what());
  }
}

Verdict back_up(const std::string& store, const std::string& copy, Existing existing, Time now) {
  need_store(store);
  need_place(store, copy, existing);
  Beside beside(copy);
  try {
    const storage::Database database(store, storage::Database::Access::kRead);
    bring_up_to_date(database, Bring::kNothing);
    copy_into(database, beside.path());
  } catch (const storage::StorageError& error) {
    throw StoreFailed(error.what());
  }
  Verdict verdict = check_file(beside.path(), now);
  if (!verdict.complaints.empty()) {
    throw StoreFailed(store + ": " + verdict.complaints.front() + ": no copy was made");
  }
  need_place(store, copy, existing);  // nobody else was faster
  beside.take_name(real_path(copy));
  return verdict;
}

}  // namespace tacit::service
