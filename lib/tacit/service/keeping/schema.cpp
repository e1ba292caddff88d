#include "tacit/service/keeping/schema.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/service/keeping/rows.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {
namespace {

constexpr std::int64_t kApplication = 0x74616373;  // "tacs"

// Never changed once it is out: what comes later is one more step.
constexpr std::array<const char*, 1> kSteps{
    R"sql(
CREATE TABLE service (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  store BLOB NOT NULL,
  clock INTEGER NOT NULL,
  releases INTEGER NOT NULL,
  debits INTEGER NOT NULL
) STRICT;
CREATE TRIGGER marks_never_fall BEFORE UPDATE ON service
  WHEN new.releases < old.releases OR new.debits < old.debits OR new.store <> old.store
  BEGIN SELECT raise(ABORT, 'a mark never falls'); END;
CREATE TRIGGER service_stays BEFORE DELETE ON service
  BEGIN SELECT raise(ABORT, 'a mark never falls'); END;

CREATE TABLE experiments (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  spec TEXT NOT NULL,
  population INTEGER NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),  -- running, paused, stopped, archived
  why TEXT NOT NULL,
  generation INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE TABLE progress (
  experiment INTEGER PRIMARY KEY,
  decisions INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  version INTEGER NOT NULL,
  learned TEXT NOT NULL
) STRICT;

-- What is not released yet. What is sealed is cut off from its slot's row, which changes more often.
CREATE TABLE slots (
  experiment INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  n INTEGER NOT NULL,
  state INTEGER NOT NULL CHECK (state BETWEEN 0 AND 1),  -- filling, full
  opened INTEGER NOT NULL,
  ripe INTEGER NOT NULL,
  PRIMARY KEY (experiment, arm, phase)
) STRICT, WITHOUT ROWID;
CREATE TABLE sealed (
  experiment INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  block INTEGER NOT NULL,  -- -1: the sums
  key INTEGER NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (experiment, arm, phase, block)
) STRICT, WITHOUT ROWID;

CREATE TABLE releases (
  experiment INTEGER NOT NULL,
  version INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  n INTEGER NOT NULL,
  noises INTEGER NOT NULL,
  released BLOB NOT NULL,  -- doubles
  at INTEGER NOT NULL,
  PRIMARY KEY (experiment, version),
  UNIQUE (experiment, generation, arm, phase)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER releases_stay_as_they_are BEFORE UPDATE ON releases
  BEGIN SELECT raise(ABORT, 'a release is never changed'); END;
CREATE TRIGGER releases_stay BEFORE DELETE ON releases
  BEGIN SELECT raise(ABORT, 'a release is never deleted'); END;

CREATE TABLE populations (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  epsilon REAL NOT NULL,
  user_level INTEGER NOT NULL CHECK (user_level BETWEEN 0 AND 1)
) STRICT;
CREATE TABLE debits (
  seq INTEGER PRIMARY KEY,
  population INTEGER NOT NULL,
  experiment INTEGER NOT NULL,
  epsilon REAL NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER debits_stay_as_they_are BEFORE UPDATE ON debits
  BEGIN SELECT raise(ABORT, 'a debit is never changed'); END;
CREATE TRIGGER debits_stay BEFORE DELETE ON debits
  BEGIN SELECT raise(ABORT, 'a debit is never deleted'); END;

CREATE TABLE units (
  experiment INTEGER NOT NULL,
  tag BLOB NOT NULL,
  used INTEGER NOT NULL,
  sticky TEXT NOT NULL,
  expires INTEGER NOT NULL,  -- 0: never
  sticky_until INTEGER NOT NULL,
  PRIMARY KEY (experiment, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX units_that_expire ON units (expires) WHERE expires > 0;
CREATE TABLE replies (
  tag BLOB PRIMARY KEY,
  request BLOB NOT NULL,
  answer BLOB NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX replies_that_expire ON replies (expires);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  role TEXT NOT NULL,
  note TEXT NOT NULL,
  hash BLOB NOT NULL,
  created INTEGER NOT NULL,
  revoked INTEGER NOT NULL  -- 0: not
) STRICT, WITHOUT ROWID;
CREATE TABLE operations (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  key TEXT NOT NULL,
  what TEXT NOT NULL
) STRICT;
CREATE TRIGGER operations_stay_as_they_are BEFORE UPDATE ON operations
  BEGIN SELECT raise(ABORT, 'an operation is never changed'); END;
CREATE TRIGGER operations_stay BEFORE DELETE ON operations
  BEGIN SELECT raise(ABORT, 'an operation is never deleted'); END;

CREATE TABLE traffic (
  experiment INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  decisions INTEGER NOT NULL,
  PRIMARY KEY (experiment, hour, arm)
) STRICT, WITHOUT ROWID;
-- Of all hours: a start need not read years of them.
CREATE TABLE traffic_ever (
  experiment INTEGER NOT NULL,
  arm INTEGER NOT NULL,
  decisions INTEGER NOT NULL,
  PRIMARY KEY (experiment, arm)
) STRICT, WITHOUT ROWID;
CREATE TABLE incarnations (
  incarnation INTEGER PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT;
)sql"};

/// Throws unless the file is empty or one of ours that we understand.
std::int64_t schema_of(const storage::Database& database) {
  const std::string& path = database.path();
  const bool empty = database.number("SELECT count(*) FROM sqlite_master") == 0;
  if (!empty && database.number("PRAGMA application_id") != kApplication) {
    throw StoreFailed(path +
                      ": is a database of another program: nothing was changed; give another file");
  }
  const std::int64_t schema = empty ? 0 : database.number("PRAGMA user_version");
  if (schema > newest_schema()) {
    throw StoreFailed(
        fmt::format("{}: has schema {}, of a newer tacit, and this one knows schemas up to {}: use "
                    "the newer one",
                    path, schema, newest_schema()));
  }
  return schema;
}

}  // namespace

int newest_schema() noexcept { return static_cast<int>(kSteps.size()); }

void need_store_in(const storage::Database& database) {
  if (schema_of(database) > 0) return;
  throw StoreFailed(database.path() + ": is empty: `tacit serve` makes a store of it");
}

void bring_up_to_date(const storage::Database& database, Bring may) {
  const std::int64_t found = schema_of(database);
  if (found == newest_schema()) return;
  if (may == Bring::kNothing) need_store_in(database);
  if (may != Bring::kAny && found > 0) {
    throw StoreFailed(
        fmt::format("{}: has schema {}, of an older tacit, and this one needs schema {}: start "
                    "`tacit serve` on it once",
                    database.path(), found, newest_schema()));
  }
  storage::Transaction transaction(database);
  // Once more: somebody else may have been faster.
  const std::int64_t schema = schema_of(database);
  for (auto step = static_cast<std::size_t>(schema); step < kSteps.size(); ++step) {
    database.execute(kSteps.at(step));
  }
  if (schema == 0) {
    Tag number;  // NOLINT: written before it is read
    randombytes_buf(number.data(), number.size());
    storage::Statement(database, "INSERT INTO service VALUES (1, ?, 0, 0, 0)")
        .with(bytes_of(number))
        .run();
  }
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication,
                               newest_schema()));
  transaction.commit();
}

}  // namespace tacit::service
