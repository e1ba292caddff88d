#include "tacit/lab/results.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "tacit/core/version.hpp"
#include "tacit/lab/host.hpp"

namespace tacit::lab {
namespace {

namespace fs = std::filesystem;

constexpr int kApplication = 0x74616369;  // "taci", in the file's header

constexpr const char* kTables = R"(
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE configuration (
  fingerprint TEXT PRIMARY KEY,
  position INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  document TEXT NOT NULL,
  benchmark REAL,
  benchmark_proven INTEGER
) WITHOUT ROWID;
CREATE TABLE block (
  configuration TEXT NOT NULL REFERENCES configuration (fingerprint),
  first_run INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  regrets BLOB NOT NULL,
  pulls BLOB NOT NULL,
  decisions INTEGER NOT NULL,
  cpu_seconds REAL NOT NULL,
  PRIMARY KEY (configuration, first_run, runs)
);
CREATE TABLE sitting (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL,
  ended TEXT,
  command TEXT NOT NULL,
  threads INTEGER NOT NULL,
  blocks INTEGER,
  host TEXT NOT NULL
);
)";

std::string now() {
  const std::time_t seconds =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

fs::path file_in(const fs::path& folder) { return folder / Results::kFile; }

std::string manifest(const storage::Database& database, const std::string& key) {
  storage::Statement select(database, "SELECT value FROM manifest WHERE key = ?");
  select.bind(1, key);
  return select.step() ? select.text(0) : std::string();
}

void set_manifest(const storage::Database& database, const std::string& key,
                  const std::string& value) {
  storage::Statement(database, "INSERT OR REPLACE INTO manifest VALUES (?, ?)")
      .bind(1, key)
      .bind(2, value)
      .run();
}

/// Throws unless the file is one of ours, of a schema that we know.
void check_format(const storage::Database& database) {
  if (database.number("PRAGMA application_id") != kApplication) {
    throw UnusableResults(fmt::format("{}: is no results file of tacit", database.path()));
  }
  const std::int64_t schema = database.number("PRAGMA user_version");
  if (schema != Results::kSchema) {
    throw UnusableResults(fmt::format(
        "{}: has schema {}, this tacit ({}) reads schema {}; use the tacit "
        "that wrote it ({})",
        database.path(), schema, kVersion, Results::kSchema, manifest(database, "tacit")));
  }
}

/// Runs of two versions are never mixed: not in one file, and not by merging.
void check_version(const storage::Database& database) {
  const std::string version = manifest(database, "tacit");
  if (version == kVersion) return;
  throw UnusableResults(
      fmt::format("{}: was made by tacit {}, this is {}; runs of two versions are not mixed, give "
                  "another folder",
                  database.path(), version, kVersion));
}

Document document_in(const storage::Database& database, const std::string& json) {
  try {
    return read_document(json);
  } catch (const std::exception& error) {
    throw storage::StorageError(fmt::format(
        "{}: what it says of a configuration cannot be read: {}", database.path(), error.what()));
  }
}

/// What is wrong with the file when it is opened is the user's to mend.
template <class Open>
auto opened(Open open) {
  try {
    return open();
  } catch (const UnusableResults&) {
    throw;
  } catch (const storage::StorageError& error) {
    throw UnusableResults(error.what());
  }
}

void close_reader(storage::Database* database) { delete database; }

void close_writer(storage::Database* database) {
  try {  // one file when nobody is writing, which can be read from a folder that cannot be written
    database->execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
  } catch (const storage::StorageError&) {  // nothing is lost: the log beside the file holds it
  }
  delete database;
}

}  // namespace

Results Results::write(const fs::path& folder, const Contents& contents) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    throw UnusableResults(fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
  }
  FolderLock lock(folder);
  if (!lock.held()) {
    throw UnusableResults(fmt::format(
        "{}: another tacit is writing there; wait for it, or give another folder with -o",
        folder.string()));
  }
  return opened([&] {
    Results results(
        Handle(new storage::Database(file_in(folder).string(), storage::Database::Access::kCreate),
               close_reader),
        std::move(lock));
    const storage::Database& database = *results.database_;
    // What is refused stays as it is, to the last byte.
    if (database.number("SELECT count(*) FROM sqlite_master") > 0) {
      check_format(database);
      results.check(contents);
    }
    results.database_.get_deleter() = close_writer;
    // Safe against any end of the program; after a power cut the last blocks may be missing, never
    // wrong.
    database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    results.store(contents);
    return results;
  });
}

Results Results::read(const fs::path& folder) {
  std::error_code unknown;  // in a folder that may not be looked into: opening it says so
  if (!fs::exists(file_in(folder), unknown) && !unknown) {
    throw UnusableResults(fmt::format("{}: holds no {}; tacit run EXPERIMENT.toml -o {} makes one",
                                      folder.string(), kFile, folder.string()));
  }
  return opened([&] {
    Handle database(
        new storage::Database(file_in(folder).string(), storage::Database::Access::kRead),
        close_reader);
    check_format(*database);
    return Results(std::move(database), {});
  });
}

void Results::check(const Contents& wanted) const {
  check_version(*database_);
  std::set<std::string> known;
  for (const StoredConfiguration& c : wanted.configurations) known.insert(c.fingerprint);
  const Contents stored = contents();
  for (const StoredConfiguration& c : stored.configurations) {
    if (known.contains(c.fingerprint)) continue;
    throw UnusableResults(
        fmt::format("{}: holds another experiment, \"{}\", with {}; give another folder with -o",
                    database_->path(), stored.title, c.name()));
  }
}

void Results::store(const Contents& wanted) {
  storage::Transaction transaction(*database_);
  if (database_->number("SELECT count(*) FROM sqlite_master") == 0) {
    database_->execute(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kSchema));
    database_->execute(kTables);
    set_manifest(*database_, "tacit", kVersion);
    set_manifest(*database_, "created", now());
  }
  set_manifest(*database_, "title", wanted.title);
  set_manifest(*database_, "experiment", wanted.text);
  storage::Statement insert(*database_,
                            "INSERT INTO configuration (fingerprint, position, runs, document) "
                            "VALUES (?1, ?2, ?3, ?4) ON CONFLICT (fingerprint) "
                            "DO UPDATE SET position = ?2, runs = ?3, document = ?4");
  for (std::size_t i = 0; i < wanted.configurations.size(); ++i) {
    const StoredConfiguration& c = wanted.configurations[i];
    insert.bind(1, c.fingerprint)
        .bind(2, static_cast<std::int64_t>(i))
        .bind(3, c.runs)
        .bind(4, to_text(c.document))
        .run();
  }
  transaction.commit();
}

std::string StoredConfiguration::name() const {
  return fmt::format("{} on {}", document.policy_label, document.problem_label);
}

Contents contents_of(const Plan& plan) {
  Contents contents{.title = plan.title, .text = plan.text, .configurations = {}};
  for (const Task& task : plan.tasks) {
    contents.configurations.push_back(
        {.fingerprint = task.fingerprint, .document = task.document, .runs = task.request.runs});
  }
  return contents;
}

Contents Results::contents() const {
  Contents all{.title = manifest(*database_, "title"),
               .text = manifest(*database_, "experiment"),
               .configurations = {}};
  storage::Statement select(*database_,
                            "SELECT fingerprint, document, runs, benchmark IS NOT NULL, benchmark, "
                            "benchmark_proven FROM configuration ORDER BY position");
  while (select.step()) {
    StoredConfiguration c{select.text(0), document_in(*database_, select.text(1)),
                          select.integer(2)};
    if (select.integer(3) != 0) c.benchmark = {select.real(4), select.integer(5) != 0};
    all.configurations.push_back(std::move(c));
  }
  return all;
}

std::vector<Block> Results::blocks(const std::string& fingerprint) const {
  std::vector<Block> all;
  storage::Statement select(*database_,
                            "SELECT first_run, runs FROM block WHERE configuration = ? "
                            "ORDER BY first_run, runs");
  select.bind(1, fingerprint);
  while (select.step()) all.push_back({select.integer(0), select.integer(1)});
  return all;
}

bool Results::has(const std::string& fingerprint, const Block& block) const {
  storage::Statement select(
      *database_, "SELECT 1 FROM block WHERE configuration = ? AND first_run = ? AND runs = ?");
  return select.bind(1, fingerprint).bind(2, block.first).bind(3, block.runs).step();
}

BlockResult Results::block(const std::string& fingerprint, const Block& block) const {
  storage::Statement select(*database_,
                            "SELECT regrets, pulls, decisions, cpu_seconds FROM block "
                            "WHERE configuration = ? AND first_run = ? AND runs = ?");
  select.bind(1, fingerprint).bind(2, block.first).bind(3, block.runs);
  if (!select.step())
    throw storage::StorageError(fmt::format("{}: a block is missing", database_->path()));
  BlockResult result;
  result.block = block;
  const auto regrets = select.blob(0);
  result.regrets.assign(regrets.begin(), regrets.end());
  const auto pulls = select.blob(1);
  result.pulls.assign(pulls.begin(), pulls.end());
  result.decisions = select.integer(2);
  result.cpu_seconds = select.real(3);
  return result;
}

void Results::insert(const std::string& fingerprint, const BlockResult& result) {
  storage::Statement(*database_, "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?)")
      .bind(1, fingerprint)
      .bind(2, result.block.first)
      .bind(3, result.block.runs)
      .bind_blob(4, result.regrets)
      .bind_blob(5, result.pulls)
      .bind(6, result.decisions)
      .bind(7, result.cpu_seconds)
      .run();
}

void Results::add(const std::string& fingerprint, const BlockResult& result,
                  const Benchmark* benchmark) {
  storage::Transaction transaction(*database_);
  insert(fingerprint, result);
  if (benchmark != nullptr) set_benchmark(fingerprint, *benchmark);
  transaction.commit();
}

void Results::set_benchmark(const std::string& fingerprint, const Benchmark& benchmark) {
  storage::Statement(
      *database_,
      "UPDATE configuration SET benchmark = ?, benchmark_proven = ? WHERE fingerprint = ?")
      .bind(1, benchmark.value)
      .bind(2, static_cast<std::int64_t>(benchmark.proven))
      .bind(3, fingerprint)
      .run();
}

std::int64_t Results::begin(const WorkSession& session) {
  storage::Statement(*database_,
                     "INSERT INTO sitting (started, command, threads, host) VALUES (?, ?, ?, ?)")
      .bind(1, now())
      .bind(2, session.command)
      .bind(3, static_cast<std::int64_t>(session.threads))
      .bind(4, host_facts())
      .run();
  return database_->number("SELECT last_insert_rowid()");
}

void Results::end(std::int64_t session, std::int64_t blocks) {
  storage::Statement(*database_, "UPDATE sitting SET ended = ?, blocks = ? WHERE id = ?")
      .bind(1, now())
      .bind(2, blocks)
      .bind(3, session)
      .run();
}

void Results::merge(const Results& other) {
  check_version(*other.database_);
  const storage::Transaction snapshot = other.snapshot();
  storage::Transaction transaction(*database_);
  storage::Statement sittings(
      *other.database_,
      "SELECT started, coalesce(ended, ''), command, threads, coalesce(blocks, -1), host "
      "FROM sitting ORDER BY id");
  storage::Statement sit(
      *database_,
      "INSERT INTO sitting (started, ended, command, threads, blocks, host) "
      "SELECT ?1, nullif(?2, ''), ?3, ?4, nullif(?5, -1), ?6 WHERE NOT EXISTS "
      "(SELECT 1 FROM sitting WHERE started = ?1 AND command = ?3 AND host = ?6)");
  while (sittings.step()) {
    sit.bind(1, sittings.text(0))
        .bind(2, sittings.text(1))
        .bind(3, sittings.text(2))
        .bind(4, sittings.integer(3))
        .bind(5, sittings.integer(4))
        .bind(6, sittings.text(5))
        .run();
  }
  for (const StoredConfiguration& c : other.contents().configurations) {
    if (c.benchmark) set_benchmark(c.fingerprint, *c.benchmark);
    for (const Block& each : other.blocks(c.fingerprint)) {
      const BlockResult theirs = other.block(c.fingerprint, each);
      if (!has(c.fingerprint, each)) {
        insert(c.fingerprint, theirs);
        continue;
      }
      const BlockResult ours = block(c.fingerprint, each);
      if (ours.regrets != theirs.regrets || ours.pulls != theirs.pulls) {
        throw UnusableResults(fmt::format(
            "{}: disagrees with another folder about run {} of {}; one of the two is wrong",
            other.database_->path(), each.first, c.name()));
      }
    }
  }
  transaction.commit();
}

}  // namespace tacit::lab
