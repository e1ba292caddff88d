// What the service keeps, a table a struct, and what a place to keep it must do. SQLite is one (keeping/sqlite_store.hpp); the
// engine knows this interface alone.
//
// Everything here is public but for `SealedRow`s, whose bytes are ciphertext, and for tags, which are keyed hashes. An outcome, a
// unit's name and the state of a generator are never stored.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tacit/core/slot.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service {

using Id = std::int64_t;
using Tag = std::array<unsigned char, 16>;

/// The store cannot be read or written now. It may be able to later.
class StoreFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class ExperimentState { kRunning, kPaused, kStopped, kArchived };

struct ExperimentRow {
  Id id = 0;
  std::string name = {};
  std::string spec = {};  // JSON
  Id population = 0;
  ExperimentState state = ExperimentState::kRunning;
  std::string why = {};  // of the state, in words
  std::int64_t generation = 0;
  Time created = 0;
};

/// How far an experiment has come.
struct ProgressRow {
  Id experiment = 0;
  Round decisions = 0;
  Round recorded = 0;
  Round version = 0;  // releases so far
  std::string learned =
      {};  // the learner's state and what is known of arms, where reports are public
};

enum class SlotState { kFilling, kFull };

/// A slot that is not released yet.
struct SlotRow {
  Id experiment = 0;
  Slot slot{};
  Round n = 0;
  SlotState state = SlotState::kFilling;
  Time opened = 0;
  Time ripe = 0;  // when a full one may be released
};

/// The sums of a slot (block -1), or a block of who has answered.
struct SealedRow {
  Id experiment = 0;
  Slot slot{};
  Round block = -1;
  std::int64_t key = 0;  // its number; 0: in the clear, where reports are public
  std::string sealed = {};
};

struct ReleaseRow {
  Id experiment = 0;
  Round version = 0;  // 1 for an experiment's first
  Slot slot{};
  Round n = 0;
  int noises = 1;
  std::vector<double> values = {};
  Time at = 0;
};

struct PopulationRow {
  Id id = 0;
  std::string name = {};
  double epsilon = 0;
  bool user_level = false;
};

struct DebitRow {
  Id population = 0;
  Id experiment = 0;
  double epsilon = 0;
  std::string reason = {};
  Time at = 0;
};

struct UnitRow {
  Id experiment = 0;
  Tag tag{};
  std::int64_t used = 0;
  std::string sticky = {};  // the token
  Time expires = 0;         // of the row; 0: never
  Time sticky_until = 0;
};

struct ReplyRow {
  Tag tag{};
  Tag request{};
  std::string answer = {};
  Time expires = 0;
};

struct ApiKeyRow {
  std::string id = {};
  std::string role = {};  // app, client, viewer, operator
  std::string note = {};
  std::array<unsigned char, 32> hash{};
  Time created = 0;
  Time revoked = 0;  // 0: not
};

struct OperationRow {
  std::int64_t number = 0;  // given by the store, in the order in which they came
  Time at = 0;
  std::string key = {};  // the id of who asked
  std::string what = {};
};

struct TrafficRow {
  Id experiment = 0;
  Arm arm = 0;
  Time hour = 0;
  Round decisions = 0;
};

/// Up to which number the tokens of a start are durable.
struct IncarnationRow {
  std::uint32_t incarnation = 0;
  std::uint64_t last = 0;
};

struct Snapshot {
  Tag store{};  // its number, for life
  Time clock = 0;
  std::uint64_t releases = 0;  // ever made
  std::uint64_t debits = 0;    // ever made
  std::vector<ExperimentRow> experiments = {};
  std::vector<ProgressRow> progress = {};
  std::vector<SlotRow> slots = {};
  std::vector<SealedRow> sealed = {};
  std::vector<ReleaseRow> made = {};
  std::vector<PopulationRow> populations = {};
  std::vector<DebitRow> debited = {};
  std::vector<ApiKeyRow> keys = {};
  std::vector<IncarnationRow> incarnations = {};
  std::vector<TrafficRow> traffic = {};  // summed over hours
};

/// One writer. Everything but load() happens between begin() and commit(); what is not committed did not happen. Throws
/// StoreFailed.
class Store {
 public:
  virtual ~Store() = default;

  virtual Snapshot load() = 0;
  virtual void begin() = 0;
  /// Returns when it would survive the loss of power.
  virtual void commit() = 0;
  virtual void roll_back() noexcept = 0;

  virtual void put_clock(Time clock) = 0;
  /// How many releases and debits were ever made, also by a copy that is lost.
  virtual void put_marks(std::uint64_t releases, std::uint64_t debits) = 0;
  /// Written anew, or over what has its key.
  virtual void put(const ExperimentRow&) = 0;
  virtual void put(const ProgressRow&) = 0;
  virtual void put(const SlotRow&) = 0;
  virtual void put(const SealedRow&) = 0;
  virtual void put(const PopulationRow&) = 0;
  virtual void put(const UnitRow&) = 0;
  virtual void put(const ReplyRow&) = 0;
  virtual void put(const ApiKeyRow&) = 0;
  virtual void put(const IncarnationRow&) = 0;
  /// Once each: a second release of a slot in its generation, or of a version, fails.
  virtual void add(const ReleaseRow&, std::int64_t generation) = 0;
  /// Never changed, never deleted.
  virtual void add(const DebitRow&) = 0;
  virtual void add(const OperationRow&) = 0;
  /// Adds to what is there.
  virtual void add(const TrafficRow&) = 0;
  /// The slot, its sums and its blocks.
  virtual void forget_slot(Id experiment, Slot slot) = 0;
  virtual void forget_slots(Id experiment) = 0;
  /// Up to `most` of them, whoever they are; says how many.
  virtual int forget_units(Id experiment, int most) = 0;
  /// Up to `most` units and replies that have expired.
  virtual void forget_expired(Time now, int most) = 0;

  virtual std::optional<UnitRow> unit(Id experiment, const Tag& tag) = 0;
  virtual std::optional<ReplyRow> reply(const Tag& tag) = 0;

  // May be read at any time.
  virtual std::vector<ReleaseRow> releases(Id experiment, Round after, int most) = 0;
  virtual std::vector<TrafficRow> traffic(Id experiment, Time from) = 0;
  /// The last ones before that number, the last first.
  virtual std::vector<OperationRow> operations(int most, std::int64_t before) = 0;
  std::vector<OperationRow> operations(int most) {
    return operations(most, std::numeric_limits<std::int64_t>::max());
  }
  virtual std::vector<ApiKeyRow> keys() = 0;
  /// Grows when another program has written, as `tacit serve key` does.
  virtual std::int64_t changes_by_others() = 0;
  /// Empties the log, so that less of what was deleted is left in files. May do nothing when busy.
  virtual void tidy() = 0;
};

}  // namespace tacit::service
