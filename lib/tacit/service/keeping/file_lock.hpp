// One service a store: FILE.lock beside it is held while this object lives, and let go by the system whatever ends the program.
// It holds the number of the process, for whoever is refused, until that says that it has ended well. It is never deleted: who then
// made a new one would hold another.
#pragma once

#include <optional>
#include <string>

#include "tacit/storage/unforked_descriptor.hpp"

namespace tacit::service {

/// The same for every name that leads to one file.
std::string real_path(const std::string& path);

class FileLock {
 public:
  /// Throws StoreFailed in one line that names the lock and who holds it, or why there is none.
  explicit FileLock(const std::string& path);
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  const std::string& path() const noexcept { return path_; }
  /// Who held it before has not said that it ended well.
  bool was_cut_short() const noexcept { return was_cut_short_; }
  void end_well() const noexcept;
  /// The process that holds the lock of this store, if there is one.
  static std::optional<int> holder(const std::string& path);

 private:
  std::string path_;
  storage::UnforkedDescriptor file_;
  bool was_cut_short_ = false;
};

/// Of a program that opens a store which it does not serve: while it is there, no other file is put in the store's place. SQLite closes
/// a log by its name, which would then be another store's.
class BesideLock {
 public:
  /// Waits for one that is being put there. A store without FILE.lock was never served, and needs none.
  explicit BesideLock(const std::string& path);

 private:
  storage::UnforkedDescriptor file_;
};

/// Of who puts another file in the place of a store, whose FileLock he holds: nobody has the store open beside him, tacit or any other
/// program that uses SQLite, and nobody can. To be made while this process has it not open either.
class AloneLock {
 public:
  /// Throws StoreFailed after some seconds.
  AloneLock(const FileLock& lock, const std::string& store);

 private:
  storage::UnforkedDescriptor beside_;
  storage::UnforkedDescriptor store_;
};

}  // namespace tacit::service
