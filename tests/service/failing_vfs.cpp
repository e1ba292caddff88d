#include "service/failing_vfs.hpp"

#include <signal.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include <sqlite3.h>

namespace tacit::tests {
namespace {

struct State {
  FailingVfs::Failure failure = FailingVfs::Failure::kNone;
  std::int64_t first = 0;
  std::int64_t times = 0;
  std::int64_t operations = 0;
  bool failed = false;
  std::function<void()> then = {};

  /// Counts one more.
  bool fails_now() {
    ++operations;
    const bool now =
        failure != FailingVfs::Failure::kNone && operations >= first && operations < first + times;
    failed = failed || now;
    if (now && failure == FailingVfs::Failure::kKill) kill(getpid(), SIGKILL);
    return now;
  }
  /// What the operation says that has failed now.
  int code(int io_error) {
    if (then) std::exchange(then, {})();
    return failure == FailingVfs::Failure::kIoError ? io_error : SQLITE_FULL;
  }
};
State state;

sqlite3_vfs* real = nullptr;

/// What SQLite gives us the memory for: followed by the real file.
struct File {
  sqlite3_file base;

  static sqlite3_file* of(sqlite3_file* file) {
    return reinterpret_cast<sqlite3_file*>(reinterpret_cast<File*>(file) + 1);  // NOLINT
  }
};
static_assert(sizeof(File) % alignof(std::int64_t) == 0);

/// A method of the real file, called with the same arguments.
template <auto kMethod, class... Arguments>
int pass(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* behind = File::of(file);
  return (behind->pMethods->*kMethod)(behind, arguments...);
}

int close(sqlite3_file* file) {
  const int code = pass<&sqlite3_io_methods::xClose>(file);
  file->pMethods = nullptr;
  return code;
}
int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 at) {
  if (state.fails_now()) {
    if (state.failure == FailingVfs::Failure::kShortWrite) {
      pass<&sqlite3_io_methods::xWrite>(file, bytes, size / 2, at);
    }
    return state.code(SQLITE_IOERR_WRITE);
  }
  return pass<&sqlite3_io_methods::xWrite>(file, bytes, size, at);
}
int truncate(sqlite3_file* file, sqlite3_int64 size) {
  if (state.fails_now()) return state.code(SQLITE_IOERR_TRUNCATE);
  return pass<&sqlite3_io_methods::xTruncate>(file, size);
}
int sync(sqlite3_file* /*file*/, int /*flags*/) {
  return state.fails_now() ? state.code(SQLITE_IOERR_FSYNC) : SQLITE_OK;
}
/// The memory that connections share is a file too, which grows.
int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** to) {
  if (extend != 0 && state.fails_now()) return state.code(SQLITE_IOERR_SHMSIZE);
  return pass<&sqlite3_io_methods::xShmMap>(file, region, size, extend, to);
}
void barrier(sqlite3_file* file) {
  sqlite3_file* behind = File::of(file);
  behind->pMethods->xShmBarrier(behind);
}

constexpr sqlite3_io_methods kMethods{
    .iVersion = 2,
    .xClose = close,
    .xRead = pass<&sqlite3_io_methods::xRead>,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = pass<&sqlite3_io_methods::xFileSize>,
    .xLock = pass<&sqlite3_io_methods::xLock>,
    .xUnlock = pass<&sqlite3_io_methods::xUnlock>,
    .xCheckReservedLock = pass<&sqlite3_io_methods::xCheckReservedLock>,
    .xFileControl = pass<&sqlite3_io_methods::xFileControl>,
    .xSectorSize = pass<&sqlite3_io_methods::xSectorSize>,
    .xDeviceCharacteristics = pass<&sqlite3_io_methods::xDeviceCharacteristics>,
    .xShmMap = map_shared,
    .xShmLock = pass<&sqlite3_io_methods::xShmLock>,
    .xShmBarrier = barrier,
    .xShmUnmap = pass<&sqlite3_io_methods::xShmUnmap>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* given) {
  file->pMethods = nullptr;
  const int code = real->xOpen(real, name, File::of(file), flags, given);
  if (File::of(file)->pMethods != nullptr) file->pMethods = &kMethods;
  return code;
}

int remove(sqlite3_vfs* /*vfs*/, const char* name, int /*sync_folder*/) {
  return real->xDelete(real, name, 0);
}

sqlite3_vfs ours;

}  // namespace

FailingVfs::FailingVfs() {
  real = sqlite3_vfs_find(nullptr);
  if (real == nullptr || real == &ours) throw std::logic_error("there is one at a time");
  ours = *real;
  ours.szOsFile = static_cast<int>(sizeof(File)) + real->szOsFile;
  ours.zName = "failing";
  ours.pNext = nullptr;
  ours.xOpen = open;
  ours.xDelete = remove;
  state = {};
  if (sqlite3_vfs_register(&ours, 1) != SQLITE_OK) throw std::logic_error("cannot be registered");
}

FailingVfs::~FailingVfs() {
  sqlite3_vfs_unregister(&ours);
  sqlite3_vfs_register(real, 1);
}

void FailingVfs::fail(Failure failure, std::int64_t first, std::int64_t times,
                      std::function<void()> then) {
  state = {.failure = failure, .first = first, .times = times, .then = std::move(then)};
}
std::int64_t FailingVfs::operations() const { return state.operations; }
bool FailingVfs::has_failed() const { return state.failed; }

}  // namespace tacit::tests
