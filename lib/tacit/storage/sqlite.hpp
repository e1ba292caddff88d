// SQLite as the results need it: statements that clean up after themselves, errors as exceptions
// that name the file and what the disk said.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace tacit::storage {

/// The file cannot be read or written, or is no database.
class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Database;

/// A prepared statement. Bind by position, from 1; read columns from 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  Statement& bind(int position, std::string_view text);
  Statement& bind(int position, std::int64_t number);
  Statement& bind(int position, double number);
  Statement& bind_blob(int position, std::span<const double> numbers);

  /// True while there is a row.
  bool step();
  /// Runs to the end, and is then ready to be bound again.
  void run();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::span<const double> blob(int column) const;  // valid until the next step

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Access { kRead, kWrite, kCreate };
  Database(std::string path, Access access);

  const std::string& path() const { return path_; }
  /// One or more statements without parameters.
  void execute(const std::string& sql) const;
  std::int64_t number(const std::string& sql) const;

 private:
  friend class Statement;
  /// Throws StorageError with what SQLite has to say.
  [[noreturn]] void fail(int code) const;

  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// All or nothing: rolled back unless committed. One to read sees the file as it was at its first look, whatever
/// others write meanwhile.
class Transaction {
 public:
  enum class Purpose { kRead, kWrite };
  explicit Transaction(const Database& database, Purpose purpose = Purpose::kWrite);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

}  // namespace tacit::storage
