// The store in one SQLite file: a log that is synced before commit() returns (WAL, synchronous=FULL), one service a file (FILE.lock),
// and what is deleted overwritten with zeros, in the file at once and in the log by tidy(). That the log had it is why everything
// secret is sealed.
//
// A slot is released once a generation, a version is given once, and releases, debits and operations are never changed or deleted:
// the file itself refuses it (schema.cpp), whoever asks.
//
// Under whose name another file is found, or none, nothing is begun: what would be committed goes with the file that is still open.
//
// What fails because the disk is full or unreachable leaves an object that goes on with the next begin(), once the disk does. A file that
// is found to be damaged is not gone on with, whatever it gives afterwards: what was read of it may be wrong. After a program that did not
// end well it is looked for.
//
// Thread safety: none, also for what is read.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/service/keeping/file_lock.hpp"
#include "tacit/service/store.hpp"

namespace tacit::service {

/// Throws StoreFailed for a file that is not there, or that is half put back from a copy.
void need_store(const std::string& path);

class SqliteStore final : public Store {
 public:
  enum class Opening {
    kServe,  // holds the lock; makes the file, or brings it up to date
    kBeside,  // of a store that is there, whether somebody serves it or not: for keys and operations alone
    kBesideOrNew,  // likewise; makes the file
  };
  /// Throws StoreFailed in one line that names the file.
  explicit SqliteStore(std::string path, Opening opening = Opening::kServe);
  ~SqliteStore() override;

  /// When it was opened no service had ever committed anything to it: there may be no key file yet. A start that was cut short
  /// leaves it new.
  bool is_new() const noexcept { return is_new_; }

  Snapshot load() override;
  void begin() override;
  void commit() override;
  void roll_back() noexcept override;

  void put_clock(Time clock) override;
  /// They never fall.
  void put_marks(std::uint64_t releases, std::uint64_t debits) override;
  void put(const ExperimentRow& row) override;
  void put(const ProgressRow& row) override;
  void put(const SlotRow& row) override;
  void put(const SealedRow& row) override;
  void put(const PopulationRow& row) override;
  void put(const UnitRow& row) override;
  void put(const ReplyRow& row) override;
  void put(const ApiKeyRow& row) override;
  void put(const IncarnationRow& row) override;
  void add(const ReleaseRow& row, std::int64_t generation) override;
  void add(const DebitRow& row) override;
  void add(const OperationRow& row) override;
  void add(const TrafficRow& row) override;
  void forget_slot(Id experiment, Slot slot) override;
  void forget_slots(Id experiment) override;
  int forget_units(Id experiment, int most) override;
  void forget_expired(Time now, int most) override;

  std::optional<UnitRow> unit(Id experiment, const Tag& tag) override;
  std::optional<ReplyRow> reply(const Tag& tag) override;

  std::vector<ReleaseRow> releases(Id experiment, Round after, int most) override;
  std::vector<TrafficRow> traffic(Id experiment, Time from) override;
  using Store::operations;
  std::vector<OperationRow> operations(int most, std::int64_t before) override;
  std::vector<ApiKeyRow> keys() override;
  std::int64_t changes_by_others() override;
  void tidy() override;

 private:
  struct Session;
  /// Opened again if it had to be given up.
  Session& session();
  /// In a transaction: what SQLite has rolled back by itself is not gone on with, piece by piece.
  Session& writing();

  /// Throws StoreFailed unless the name still leads to it.
  void need_same_file() const;
  /// Throws StoreFailed where what the last program left is damaged.
  void need_whole();
  /// Whatever SQLite has to say is that the store failed.
  template <class Do>
  auto told_as_failure(Do what);

  std::string path_;
  struct stat opened_ {};
  std::optional<FileLock> lock_;
  std::optional<BesideLock> beside_;
  std::string damage_;  // once it was found
  std::unique_ptr<Session> session_;
  bool is_new_ = false;
};

}  // namespace tacit::service
