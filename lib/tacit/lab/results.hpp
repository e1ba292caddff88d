// The results of one experiment: one SQLite file in a folder, DIR/results.sqlite. A row of `block`
// is a configuration's block of runs, committed as it finishes: whatever ends the program, at most
// the blocks in flight are lost. docs/results.md describes the schema.
//
// Thread safety: one thread at a time. One process at a time may write; others may read meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/lab/blocks.hpp"
#include "tacit/lab/folder_lock.hpp"
#include "tacit/lab/plan.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::lab {

/// The folder cannot be used, or holds something else than what was asked for: the user's to mend.
class UnusableResults : public storage::StorageError {
 public:
  using storage::StorageError::StorageError;
};

/// What the file knows of a configuration.
struct StoredConfiguration {
  std::string fingerprint;
  Document document;
  std::int64_t runs = 0;                    // wanted
  std::optional<Benchmark> benchmark = {};  // known once the first block is

  /// "anytime-lazy-ucb on hu-linear", for messages.
  std::string name() const;
};

/// Which experiment a file holds.
struct Contents {
  std::string title;
  std::string text;
  std::vector<StoredConfiguration> configurations;  // in the order of the experiment
};
Contents contents_of(const Plan& plan);

/// Once that somebody worked at the results: noted with the time and the machine. The file's table calls it a
/// sitting.
struct WorkSession {
  std::string command;
  int threads = 1;
};

class Results {
 public:
  static constexpr const char* kFile = "results.sqlite";
  static constexpr int kSchema = 1;

  /// To add to: made if it is not there. Refused: results of another experiment (those with a
  /// configuration that is not wanted), of another version of tacit, of another schema.
  static Results write(const std::filesystem::path& folder, const Contents& contents);
  /// To read what is there.
  static Results read(const std::filesystem::path& folder);

  /// While it lives, all that is read is of one moment: a writer cannot come between.
  storage::Transaction snapshot() const {
    return storage::Transaction(*database_, storage::Transaction::Purpose::kRead);
  }
  Contents contents() const;
  /// By first run, in order.
  std::vector<Block> blocks(const std::string& fingerprint) const;
  bool has(const std::string& fingerprint, const Block& block) const;
  BlockResult block(const std::string& fingerprint, const Block& block) const;

  /// In one transaction.
  void add(const std::string& fingerprint, const BlockResult& result,
           const Benchmark* benchmark = nullptr);

  /// Its number in the file, for end().
  std::int64_t begin(const WorkSession& session);
  void end(std::int64_t session, std::int64_t blocks);

  /// Adds what another file has of the same configurations. Throws UnusableResults, and adds nothing,
  /// where the two disagree.
  void merge(const Results& other);

 private:
  using Handle = std::unique_ptr<storage::Database, void (*)(storage::Database*)>;
  Results(Handle database, std::optional<FolderLock> lock)
      : lock_(std::move(lock)), database_(std::move(database)) {}
  /// Throws UnusableResults unless what is there may be added to.
  void check(const Contents& contents) const;
  void store(const Contents& contents);
  void insert(const std::string& fingerprint, const BlockResult& result);
  void set_benchmark(const std::string& fingerprint, const Benchmark& benchmark);

  std::optional<FolderLock> lock_;  // a writer's; let go after the file is closed
  Handle database_;
};

}  // namespace tacit::lab
