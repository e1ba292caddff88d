#include "tacit/service/keeping/sqlite_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "tacit/service/keeping/damage.hpp"
#include "tacit/service/keeping/replacing.hpp"
#include "tacit/service/keeping/rows.hpp"
#include "tacit/service/keeping/schema.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

using storage::Bytes;
using storage::Database;
using storage::Statement;

/// SQLite would let everybody read it. What is there already is not even opened: closing it would end SQLite's locks on it.
void make_private(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) ::close(descriptor);
}

/// Of what is committed, and not in the file; also 0 where there is none.
std::uintmax_t log_size(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(real_path(path) + "-wal", unknown);
  return unknown ? 0 : size;
}

void set_up(const Database& database) {
  Statement mode(database, "PRAGMA journal_mode = WAL");
  if (!mode.step() || mode.text(0) != "wal") {
    throw StoreFailed(database.path() +
                      ": cannot have a log beside it: give a file on a disk of this machine");
  }
  mode.reset();
  // The log is emptied into the file in the middle of a commit, whose clients wait for it: rarely enough that 99 of 100 do not.
  database.execute(
      "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; "
      "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 4000");
}

Database opened(const std::string& path, SqliteStore::Opening opening, bool again) {
  using Opening = SqliteStore::Opening;
  // A file that is gone is not begun anew by those who had it open.
  const bool make = opening != Opening::kBeside && !again;
  make ? make_private(path) : need_store(path);
  Database database(path, make ? Database::Access::kCreate : Database::Access::kWrite);
  bring_up_to_date(database, !make                        ? Bring::kNothing
                             : opening == Opening::kServe ? Bring::kAny
                                                          : Bring::kNew);
  set_up(database);
  return database;
}

}  // namespace

void need_store(const std::string& path) {
  need_not_replaced(path);
  std::error_code unknown;  // then opening it says what is wrong
  if (std::filesystem::exists(path, unknown) || unknown) return;
  throw StoreFailed(path + ": is not there: give the file that `tacit serve --store` was given");
}

struct SqliteStore::Session {
  Database database;

  Statement begin{database, "BEGIN IMMEDIATE"};
  Statement commit{database, "COMMIT"};
  Statement put_clock{database, "UPDATE service SET clock = ?"};
  Statement put_marks{database, "UPDATE service SET releases = ?, debits = ?"};
  // Not REPLACE where a name is unique too: it would delete another one of that name.
  Statement put_experiment{
      database,
      "INSERT INTO experiments VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
      "name = excluded.name, spec = excluded.spec, population = excluded.population, "
      "state = excluded.state, why = excluded.why, generation = excluded.generation, "
      "created = excluded.created"};
  Statement put_progress{database, "REPLACE INTO progress VALUES (?, ?, ?, ?, ?)"};
  Statement put_slot{database, "REPLACE INTO slots VALUES (?, ?, ?, ?, ?, ?, ?)"};
  Statement put_sealed{database, "REPLACE INTO sealed VALUES (?, ?, ?, ?, ?, ?)"};
  Statement put_population{
      database,
      "INSERT INTO populations VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
      "name = excluded.name, epsilon = excluded.epsilon, user_level = excluded.user_level"};
  // Where `expires` stays as it is, its index need not be touched.
  Statement change_unit{database,
                        "UPDATE units SET used = ?3, sticky = ?4, sticky_until = ?6 "
                        "WHERE experiment = ?1 AND tag = ?2 AND expires = ?5"};
  Statement put_unit{database, "REPLACE INTO units VALUES (?, ?, ?, ?, ?, ?)"};
  Statement put_reply{database, "REPLACE INTO replies VALUES (?, ?, ?, ?)"};
  Statement put_key{database, "REPLACE INTO api_keys VALUES (?, ?, ?, ?, ?, ?)"};
  Statement put_incarnation{database, "REPLACE INTO incarnations VALUES (?, ?)"};
  Statement add_release{database, "INSERT INTO releases VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  Statement add_debit{database, "INSERT INTO debits VALUES (NULL, ?, ?, ?, ?, ?)"};
  Statement add_operation{database, "INSERT INTO operations VALUES (NULL, ?, ?, ?)"};
  Statement add_traffic{database,
                        "INSERT INTO traffic VALUES (?, ?, ?, ?) "
                        "ON CONFLICT DO UPDATE SET decisions = decisions + excluded.decisions"};
  Statement add_traffic_ever{
      database,
      "INSERT INTO traffic_ever VALUES (?, ?, ?) "
      "ON CONFLICT DO UPDATE SET decisions = decisions + excluded.decisions"};
  Statement forget_slot{database,
                        "DELETE FROM slots WHERE experiment = ? AND arm = ? AND phase = ?"};
  Statement forget_sealed{database,
                          "DELETE FROM sealed WHERE experiment = ? AND arm = ? AND phase = ?"};
  Statement forget_slots{database, "DELETE FROM slots WHERE experiment = ?"};
  Statement forget_all_sealed{database, "DELETE FROM sealed WHERE experiment = ?"};
  Statement forget_units{database,
                         "DELETE FROM units WHERE (experiment, tag) IN "
                         "(SELECT experiment, tag FROM units WHERE experiment = ? LIMIT ?)"};
  Statement forget_old_replies{
      database,
      "DELETE FROM replies WHERE tag IN "
      "(SELECT tag FROM replies WHERE expires <= ? ORDER BY expires LIMIT ?)"};
  Statement forget_old_units{
      database,
      "DELETE FROM units WHERE (experiment, tag) IN (SELECT experiment, tag FROM units "
      "WHERE expires > 0 AND expires <= ? ORDER BY expires LIMIT ?)"};
  Statement unit{database,
                 "SELECT used, sticky, expires, sticky_until FROM units "
                 "WHERE experiment = ? AND tag = ?"};
  Statement reply{database, "SELECT request, answer, expires FROM replies WHERE tag = ?"};
  Statement releases{database,
                     fmt::format("SELECT {} FROM releases WHERE experiment = ? AND version > ? "
                                 "ORDER BY version LIMIT ?",
                                 kReleaseColumns)};
  Statement traffic{database,
                    fmt::format("SELECT {} FROM traffic WHERE experiment = ? AND hour >= ? "
                                "ORDER BY hour, arm",
                                kTrafficColumns)};
  Statement operations{
      database,
      "SELECT seq, at, key, what FROM operations WHERE seq < ? ORDER BY seq DESC LIMIT ?"};
  Statement keys{database,
                 fmt::format("SELECT {} FROM api_keys ORDER BY created, id", kApiKeyColumns)};
  Statement data_version{database, "PRAGMA data_version"};
};

template <class Do>
auto SqliteStore::told_as_failure(Do what) {
  if (!damage_.empty()) throw StoreFailed(damage_);
  try {
    return what();
  } catch (const storage::Damaged& error) {
    if (opened_.st_ino == 0) throw StoreFailed(error.what());  // it was never read
    damage_ = path_ +
              ": the file is damaged: nothing is learned or released until a copy is put "
              "back by `tacit serve restore` and it is started again";
    throw StoreFailed(damage_);
  } catch (const storage::StorageError& error) {
    throw StoreFailed(error.what());
  }
}

SqliteStore::SqliteStore(std::string path, Opening opening) : path_(std::move(path)) {
  if (path_.empty() || path_.front() == ':') {  // SQLite would keep it in memory
    throw StoreFailed(fmt::format("\"{}\": is no file for a store: a path must be given", path_));
  }
  told_as_failure([&] {
    if (opening == Opening::kServe) {
      lock_.emplace(path_);
      finish_replacing(path_, *lock_);
      need_whole();
    } else {
      beside_.emplace(path_);
      need_not_replaced(path_);
    }
    session_.reset(new Session{.database = opened(path_, opening, false)});
    if (::stat(path_.c_str(), &opened_) != 0) {
      throw StoreFailed(path_ + ": cannot be found: " + std::strerror(errno));
    }
    is_new_ = session_->database.number(
                  "SELECT clock = 0 AND releases = 0 AND debits = 0 "
                  "AND NOT EXISTS (SELECT 1 FROM experiments) "
                  "AND NOT EXISTS (SELECT 1 FROM populations) FROM service") != 0;
  });
}

SqliteStore::~SqliteStore() {
  session_.reset();
  if (lock_ && damage_.empty() && log_size(path_) == 0) lock_->end_well();
}

void SqliteStore::need_whole() {
  std::error_code unknown;
  const bool is_there = std::filesystem::file_size(path_, unknown) > 0 && !unknown;
  if (!is_there || (!lock_->was_cut_short() && log_size(path_) == 0)) return;
  const auto damage = damage_in(Database(path_, Database::Access::kRead), Look::kQuick);
  if (damage.empty()) return;
  throw StoreFailed(
      fmt::format("{}: {}: put a copy back by `tacit serve restore`", path_, damage.front()));
}

SqliteStore::Session& SqliteStore::session() {
  if (!session_) session_.reset(new Session{.database = opened(path_, Opening::kBeside, true)});
  return *session_;
}

SqliteStore::Session& SqliteStore::writing() {
  if (!session_ || !session_->database.in_transaction()) {
    throw StoreFailed(path_ + ": the transaction is over: what was written in it is lost");
  }
  return *session_;
}

Snapshot SqliteStore::load() {
  return told_as_failure([&] {
    const Database& database = session().database;
    std::optional<storage::Transaction> of_one_moment;
    if (!database.in_transaction()) {
      of_one_moment.emplace(database, storage::Transaction::Purpose::kRead);
    }
    return read_snapshot(database);
  });
}

void SqliteStore::need_same_file() const {
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0 || now.st_dev != opened_.st_dev ||
      now.st_ino != opened_.st_ino) {
    throw StoreFailed(path_ + ": was moved or removed while it was served: put it back");
  }
}

void SqliteStore::begin() {
  told_as_failure([&] {
    need_same_file();
    if (session().database.in_transaction()) roll_back();
    session().begin.run();
  });
}

void SqliteStore::commit() {
  told_as_failure([&] { writing().commit.run(); });
}

void SqliteStore::roll_back() noexcept {
  if (!session_) return;
  try {  // SQLite may have done so by itself
    if (session_->database.in_transaction()) session_->database.execute("ROLLBACK");
  } catch (...) {
  }
  if (session_->database.in_transaction()) session_.reset();
}

void SqliteStore::put_clock(Time clock) {
  told_as_failure([&] { writing().put_clock.with(clock).run(); });
}

void SqliteStore::put_marks(std::uint64_t releases, std::uint64_t debits) {
  told_as_failure([&] {
    writing()
        .put_marks.with(static_cast<std::int64_t>(releases), static_cast<std::int64_t>(debits))
        .run();
  });
}

void SqliteStore::put(const ExperimentRow& row) {
  told_as_failure([&] {
    writing()
        .put_experiment
        .with(row.id, row.name, row.spec, row.population, static_cast<std::int64_t>(row.state),
              row.why, row.generation, row.created)
        .run();
  });
}

void SqliteStore::put(const ProgressRow& row) {
  told_as_failure([&] {
    writing()
        .put_progress.with(row.experiment, row.decisions, row.recorded, row.version, row.learned)
        .run();
  });
}

void SqliteStore::put(const SlotRow& row) {
  told_as_failure([&] {
    writing()
        .put_slot
        .with(row.experiment, std::int64_t{row.slot.arm}, row.slot.phase, row.n,
              static_cast<std::int64_t>(row.state), row.opened, row.ripe)
        .run();
  });
}

void SqliteStore::put(const SealedRow& row) {
  told_as_failure([&] {
    writing()
        .put_sealed
        .with(row.experiment, std::int64_t{row.slot.arm}, row.slot.phase, row.block, row.key,
              Bytes{row.sealed})
        .run();
  });
}

void SqliteStore::put(const PopulationRow& row) {
  told_as_failure([&] {
    writing()
        .put_population.with(row.id, row.name, row.epsilon, std::int64_t{row.user_level})
        .run();
  });
}

void SqliteStore::put(const UnitRow& row) {
  told_as_failure([&] {
    Session& in = writing();
    const auto run = [&](Statement& statement) {
      statement
          .with(row.experiment, bytes_of(row.tag), row.used, row.sticky, row.expires,
                row.sticky_until)
          .run();
    };
    run(in.change_unit);
    if (in.database.changes() == 0) run(in.put_unit);
  });
}

void SqliteStore::put(const ReplyRow& row) {
  told_as_failure([&] {
    writing()
        .put_reply.with(bytes_of(row.tag), bytes_of(row.request), Bytes{row.answer}, row.expires)
        .run();
  });
}

void SqliteStore::put(const ApiKeyRow& row) {
  told_as_failure([&] {
    writing()
        .put_key.with(row.id, row.role, row.note, bytes_of(row.hash), row.created, row.revoked)
        .run();
  });
}

void SqliteStore::put(const IncarnationRow& row) {
  told_as_failure([&] {
    writing()
        .put_incarnation.with(std::int64_t{row.incarnation}, static_cast<std::int64_t>(row.last))
        .run();
  });
}

void SqliteStore::add(const ReleaseRow& row, std::int64_t generation) {
  told_as_failure([&] {
    const std::string_view values(reinterpret_cast<const char*>(row.values.data()),  // NOLINT
                                  row.values.size() * sizeof(double));
    writing()
        .add_release
        .with(row.experiment, row.version, generation, std::int64_t{row.slot.arm}, row.slot.phase,
              row.n, std::int64_t{row.noises}, Bytes{values}, row.at)
        .run();
  });
}

void SqliteStore::add(const DebitRow& row) {
  told_as_failure([&] {
    writing().add_debit.with(row.population, row.experiment, row.epsilon, row.reason, row.at).run();
  });
}

void SqliteStore::add(const OperationRow& row) {
  told_as_failure([&] { writing().add_operation.with(row.at, row.key, row.what).run(); });
}

void SqliteStore::add(const TrafficRow& row) {
  told_as_failure([&] {
    Session& in = writing();
    const std::int64_t arm{row.arm};
    in.add_traffic.with(row.experiment, row.hour, arm, row.decisions).run();
    in.add_traffic_ever.with(row.experiment, arm, row.decisions).run();
  });
}

void SqliteStore::forget_slot(Id experiment, Slot slot) {
  told_as_failure([&] {
    Session& in = writing();
    for (Statement* forget : {&in.forget_slot, &in.forget_sealed}) {
      forget->with(experiment, std::int64_t{slot.arm}, slot.phase).run();
    }
  });
}

void SqliteStore::forget_slots(Id experiment) {
  told_as_failure([&] {
    Session& in = writing();
    in.forget_slots.with(experiment).run();
    in.forget_all_sealed.with(experiment).run();
  });
}

int SqliteStore::forget_units(Id experiment, int most) {
  return told_as_failure([&] {
    Session& in = writing();
    in.forget_units.with(experiment, std::int64_t{most}).run();
    return static_cast<int>(in.database.changes());
  });
}

void SqliteStore::forget_expired(Time now, int most) {
  told_as_failure([&] {
    Session& in = writing();
    in.forget_old_replies.with(now, std::int64_t{most}).run();
    const std::int64_t left = most - in.database.changes();
    if (left > 0) in.forget_old_units.with(now, left).run();
  });
}

std::optional<UnitRow> SqliteStore::unit(Id experiment, const Tag& tag) {
  return told_as_failure([&]() -> std::optional<UnitRow> {
    Statement& row = session().unit;
    const Reading reading(row);
    if (!row.with(experiment, bytes_of(tag)).step()) return std::nullopt;
    return UnitRow{.experiment = experiment,
                   .tag = tag,
                   .used = row.integer(0),
                   .sticky = row.text(1),
                   .expires = row.integer(2),
                   .sticky_until = row.integer(3)};
  });
}

std::optional<ReplyRow> SqliteStore::reply(const Tag& tag) {
  return told_as_failure([&]() -> std::optional<ReplyRow> {
    Statement& row = session().reply;
    const Reading reading(row);
    if (!row.with(bytes_of(tag)).step()) return std::nullopt;
    return ReplyRow{.tag = tag,
                    .request = array_of<16>(row.bytes(0)),
                    .answer = std::string(row.bytes(1)),
                    .expires = row.integer(2)};
  });
}

std::vector<ReleaseRow> SqliteStore::releases(Id experiment, Round after, int most) {
  return told_as_failure([&] {
    return all_rows(session().releases.with(experiment, after, std::int64_t{most}), release_of);
  });
}

std::vector<TrafficRow> SqliteStore::traffic(Id experiment, Time from) {
  return told_as_failure(
      [&] { return all_rows(session().traffic.with(experiment, from), traffic_of); });
}

std::vector<OperationRow> SqliteStore::operations(int most, std::int64_t before) {
  return told_as_failure([&] {
    return all_rows(session().operations.with(before, std::int64_t{most}),
                    [](const Statement& row) {
                      return OperationRow{.number = row.integer(0),
                                          .at = row.integer(1),
                                          .key = row.text(2),
                                          .what = row.text(3)};
                    });
  });
}

std::vector<ApiKeyRow> SqliteStore::keys() {
  return told_as_failure([&] { return all_rows(session().keys, api_key_of); });
}

std::int64_t SqliteStore::changes_by_others() {
  return told_as_failure([&] {
    Statement& row = session().data_version;
    const Reading reading(row);
    return row.step() ? row.integer(0) : 0;
  });
}

void SqliteStore::tidy() {
  told_as_failure([&] {
    const Database& database = session().database;
    // Whoever reads the log now is done with it soon, and until then nobody else need wait.
    database.set_patience(std::chrono::milliseconds(0));
    try {
      database.empty_log();
    } catch (...) {
      database.set_patience(Database::kPatience);
      throw;
    }
    database.set_patience(Database::kPatience);
  });
}

}  // namespace tacit::service
