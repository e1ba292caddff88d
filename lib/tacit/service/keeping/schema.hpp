// The tables of a store, and the steps from every older form of them to this one.
#pragma once

#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

/// The file's form is the number of steps that it has taken.
int newest_schema() noexcept;

/// Who may begin a new file, or bring an older one up to date.
enum class Bring { kNothing, kNew, kAny };

/// Makes a database that was just opened one that this program can use. Throws StoreFailed, and leaves the file as it was, for one of
/// another program, of a newer form, or of an older one that may not be changed.
void bring_up_to_date(const storage::Database& database, Bring may);

/// Throws StoreFailed for a database that is empty, of another program, or of a newer form.
void need_store_in(const storage::Database& database);

}  // namespace tacit::service
