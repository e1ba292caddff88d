#include "tacit/storage/sqlite.hpp"

#include <cstring>

#include <fmt/format.h>
#include <sqlite3.h>

namespace tacit::storage {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement::Statement(const Database& database, std::string_view sql) : database_(database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database.database_.get(), sql.data(),
                                      static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database.fail(code);
}

Statement& Statement::bound(int code) {
  if (code != SQLITE_OK) database_.fail(code);
  return *this;
}
Statement& Statement::bind(int position, std::string_view text) {
  return bound(sqlite3_bind_text(statement_.get(), position, text.data(),
                                 static_cast<int>(text.size()), SQLITE_TRANSIENT));
}
Statement& Statement::bind(int position, std::int64_t number) {
  return bound(sqlite3_bind_int64(statement_.get(), position, number));
}
Statement& Statement::bind(int position, double number) {
  return bound(sqlite3_bind_double(statement_.get(), position, number));
}
Statement& Statement::bind(int position, Bytes bytes) {
  // Without a place none would be NULL.
  const char* from = bytes.bytes.empty() ? "" : bytes.bytes.data();
  return bound(
      sqlite3_bind_blob64(statement_.get(), position, from, bytes.bytes.size(), SQLITE_STATIC));
}
Statement& Statement::bind_blob(int position, std::span<const double> numbers) {
  return bound(sqlite3_bind_blob64(statement_.get(), position, numbers.data(), numbers.size_bytes(),
                                   SQLITE_TRANSIENT));
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  sqlite3_reset(statement_.get());
  database_.fail(code);
}

void Statement::run() {
  while (step()) {
  }
  sqlite3_reset(statement_.get());
}

void Statement::reset() noexcept { sqlite3_reset(statement_.get()); }

std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string() : std::string(text, size);
}
std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::span<const double> Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {static_cast<const double*>(bytes), size / sizeof(double)};
}

std::string_view Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {static_cast<const char*>(bytes), size};
}

Database::Database(std::string path, Access access) : path_(std::move(path)) {
  const int flags = access == Access::kRead    ? SQLITE_OPEN_READONLY
                    : access == Access::kWrite ? SQLITE_OPEN_READWRITE
                                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(database, 1);
  set_patience(kPatience);
}

void Database::fail(int code) const {
  const int primary = code & 0xff;
  std::string why = sqlite3_errstr(code);
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) {
    why = "another program is using it; wait for it, or give another place";
  } else if (primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT) {
    throw Damaged(path_ + ": is no file of tacit's, or a damaged one");
  } else if (primary == SQLITE_FULL) {
    why = "the disk is full; what was finished is kept";
  } else if (primary == SQLITE_READONLY || primary == SQLITE_CANTOPEN || primary == SQLITE_PERM) {
    why = "cannot be opened or written; is the folder there, and yours to write?";
  } else if (primary == SQLITE_IOERR) {
    why = fmt::format("{} ({})", why, std::strerror(sqlite3_system_errno(database_.get())));
  } else if (primary == SQLITE_CONSTRAINT) {
    why = sqlite3_errmsg(database_.get());  // names the rule, and none of the values
  }
  throw StorageError(fmt::format("{}: {}", path_, why));
}

void Database::execute(const std::string& sql) const {
  const int code = sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::number(const std::string& sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::changes() const noexcept { return sqlite3_changes64(database_.get()); }

bool Database::in_transaction() const noexcept {
  return sqlite3_get_autocommit(database_.get()) == 0;
}

void Database::set_patience(std::chrono::milliseconds patience) const noexcept {
  sqlite3_busy_timeout(database_.get(), static_cast<int>(patience.count()));
}

bool Database::empty_log() const {
  const int code = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE,
                                             nullptr, nullptr);
  const int primary = code & 0xff;
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED) return false;
  if (code != SQLITE_OK) fail(code);
  return true;
}

Transaction::Transaction(const Database& database, Purpose purpose) : database_(database) {
  database_.execute(purpose == Purpose::kRead ? "BEGIN" : "BEGIN IMMEDIATE");
}
Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const StorageError&) {  // SQLite has rolled back by itself
  }
}
void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace tacit::storage
