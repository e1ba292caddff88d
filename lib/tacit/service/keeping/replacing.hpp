// Another file takes the place of a store, log and all, whatever ends the program on the way: the one or the other is there afterwards,
// never some of each. SQLite plays a log, FILE.db-wal, over whatever is called FILE.db: so the old log must not be there with the new
// file; and without its log the old file lacks what was committed last, or is torn. There is no moment at which both can change, and
// so there are three names:
//
//   FILE.db-restoring   the new file, which is being written: of no meaning
//   FILE.db-restored    the new file, whole and synced. From this rename on it is the store, and who opens the store finishes the rest:
//                       the old log is removed, and once that is durable this file is renamed to FILE.db
//
// Both are finished by who holds the store's lock; nobody else opens it meanwhile.
#pragma once

#include <functional>
#include <string>

#include "tacit/service/keeping/file_lock.hpp"

namespace tacit::service {

/// Where the new file is to be written by who holds the lock of the store.
std::string restoring_file(const std::string& store);

/// restoring_file() becomes the store. Throws StoreFailed before anything has changed where somebody else has the store open.
/// `failpoint`, for tests: called between all that changes anything; may end the process.
void replace_store(
    const std::string& store, const FileLock& lock,
    const std::function<void(const char*)>& failpoint = [](const char*) {});

/// What was cut short. To be called before the store is opened.
void finish_replacing(const std::string& store, const FileLock& lock);

/// For those who open a store without its lock: throws StoreFailed where something was cut short, and says who finishes it.
void need_not_replaced(const std::string& store);

}  // namespace tacit::service
