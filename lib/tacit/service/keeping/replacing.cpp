#include "tacit/service/keeping/replacing.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "tacit/service/keeping/syncing.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {
namespace {

using Failpoint = std::function<void(const char*)>;

std::string restored_file(const std::string& store) { return real_path(store) + "-restored"; }

bool is_there(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(std::filesystem::symlink_status(path, unknown));
}

void remove(const std::string& path) {
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return;
  throw StoreFailed(path + ": cannot be removed: " + std::strerror(errno));
}

void rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return;
  throw StoreFailed(to + ": cannot be put in its place: " + std::strerror(errno));
}

/// By who is alone.
void put_in_place(const std::string& store, const Failpoint& failpoint) {
  const std::string real = real_path(store);
  const std::filesystem::path folder = std::filesystem::path(real).parent_path();
  sync_folder(folder);
  failpoint("decided");
  for (const char* log : {"-wal", "-shm", "-journal"}) {
    remove(real + log);
    failpoint("log removed");
  }
  sync_folder(folder);
  failpoint("without a log");
  rename(restored_file(store), real);
  failpoint("in place");
  sync_folder(folder);
}

}  // namespace

std::string restoring_file(const std::string& store) { return real_path(store) + "-restoring"; }

void replace_store(const std::string& store, const FileLock& lock, const Failpoint& failpoint) {
  const AloneLock alone(lock, store);
  failpoint("alone");
  sync_file(restoring_file(store));
  failpoint("synced");
  rename(restoring_file(store), restored_file(store));
  failpoint("renamed");
  put_in_place(store, failpoint);
}

void finish_replacing(const std::string& store, const FileLock& lock) {
  remove(restoring_file(store));  // of a copy that was never whole
  if (!is_there(restored_file(store))) return;
  const AloneLock alone(lock, store);
  put_in_place(store, [](const char*) {});
}

void need_not_replaced(const std::string& store) {
  if (!is_there(restored_file(store))) return;
  throw StoreFailed(
      store +
      ": is half put back from a copy: `tacit serve` and `tacit serve restore` finish "
      "that");
}

}  // namespace tacit::service
