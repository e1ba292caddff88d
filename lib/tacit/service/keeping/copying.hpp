// Copies of stores that are complete in one file, without a log, and hold nothing that was deleted.
#pragma once

#include <string>

#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/time.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

/// As of one moment, into a file that is not there yet. Only its owner may read it; it is not synced.
void copy_into(const storage::Database& store, const std::string& path);

/// The number of the store in this file. Throws StoreFailed for what is no store.
Tag store_number(const std::string& path);

enum class Existing { kRefuse, kReplace };

/// A copy of a store, which may be served meanwhile: under its name once it is whole, checked and durable. What is there already
/// stays, or is replaced where it is a copy of the same store. The key file is not in it: an old pair of both would release the same
/// sums twice. Throws StoreFailed in one line, and leaves nothing behind, also for a store that has something wrong with it: from its
/// copy it could not be restored.
Verdict back_up(const std::string& store, const std::string& copy, Existing existing, Time now);

}  // namespace tacit::service
