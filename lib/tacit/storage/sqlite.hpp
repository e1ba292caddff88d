// SQLite as results and the service need it: statements that clean up after themselves, errors as
// exceptions that name the file and what the disk said.
#pragma once

#include <chrono>
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

/// What is in the file cannot be: it does not get better by itself.
class Damaged : public StorageError {
 public:
  using StorageError::StorageError;
};

class Database;

/// Bytes that are no text.
struct Bytes {
  std::string_view bytes;
};

/// A prepared statement. Bind by position, from 1; read columns from 0.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);

  Statement& bind(int position, std::string_view text);
  Statement& bind(int position, std::int64_t number);
  Statement& bind(int position, double number);
  /// Not copied: they must be there until the statement has run.
  Statement& bind(int position, Bytes bytes);
  Statement& bind_blob(int position, std::span<const double> numbers);
  /// All parameters, in order.
  template <class... T>
  Statement& with(const T&... values) {
    int position = 0;
    (bind(++position, values), ...);
    return *this;
  }

  /// True while there is a row.
  bool step();
  /// Runs to the end, and is then ready to be bound again.
  void run();
  /// Ready to be bound again, before the end: until then it holds the file.
  void reset() noexcept;

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::span<const double> blob(int column) const;  // valid until the next step
  std::string_view bytes(int column) const;        // likewise

 private:
  Statement& bound(int code);
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Access { kRead, kWrite, kCreate };
  /// Others hold the file for moments only: while they read one, or pick up what a killed writer left.
  static constexpr std::chrono::seconds kPatience{5};
  Database(std::string path, Access access);

  const std::string& path() const { return path_; }
  /// One or more statements without parameters.
  void execute(const std::string& sql) const;
  std::int64_t number(const std::string& sql) const;
  /// How many rows the last statement has changed.
  std::int64_t changes() const noexcept;
  bool in_transaction() const noexcept;
  /// How long to wait for others who hold the file.
  void set_patience(std::chrono::milliseconds patience) const noexcept;
  /// Moves the log into the file and empties it. False: not now, somebody is using one of them.
  bool empty_log() const;

 private:
  friend class Statement;
  /// Throws StorageError with what SQLite has to say; Damaged, of damage.
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
