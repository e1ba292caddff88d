#include "tacit/service/keeping/restoring.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/copying.hpp"
#include "tacit/service/keeping/damage.hpp"
#include "tacit/service/keeping/file_lock.hpp"
#include "tacit/service/keeping/replacing.hpp"
#include "tacit/service/keeping/rows.hpp"
#include "tacit/service/keeping/schema.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/keys.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {
namespace {

using storage::Database;

std::string counted(std::int64_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

Snapshot snapshot_of(const std::string& path) {
  const Database database(path, Database::Access::kRead);
  need_store_in(database);
  if (const auto damage = damage_in(database, Look::kQuick); !damage.empty()) {
    throw StoreFailed(damage.front());
  }
  const storage::Transaction of_one_moment(database, storage::Transaction::Purpose::kRead);
  return read_snapshot(database);
}

/// None: it is not there, or cannot be read, which may be why it is replaced.
std::optional<Snapshot> what_is_there(const std::string& store) {
  if (!std::filesystem::exists(store)) return {};
  try {
    return snapshot_of(store);
  } catch (const storage::StorageError&) {
  } catch (const StoreFailed&) {
  }
  return {};
}

/// What somebody has taken for a store by mistake is not replaced.
void need_to_be_a_store(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  std::ifstream file(path, std::ios::binary);
  const std::string_view mark("SQLite format 3");
  std::string begins(mark.size(), '\0');
  file.read(begins.data(), static_cast<std::streamsize>(begins.size()));
  const bool is_empty = file.gcount() == 0;
  if (std::filesystem::is_regular_file(path) && (is_empty || begins == mark)) return;
  throw StoreFailed(path +
                    ": is there, and is no store: give the one that is to be replaced, or remove "
                    "this one");
}

/// The new file, as long as it is not the store.
class Beside {
 public:
  explicit Beside(const std::string& store) : path_(restoring_file(store)) {}
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() { ::unlink(path_.c_str()); }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Writes it beside the store, as this program has stores, and checks it.
Verdict bring(const std::string& copy, const std::string& to, Time now) {
  try {
    const Database database(copy, Database::Access::kRead);
    need_store_in(database);
    if (const auto damage = damage_in(database, Look::kWhole); !damage.empty()) {
      throw StoreFailed(fmt::format("{}: {}: nothing was changed", copy, damage.front()));
    }
    copy_into(database, to);
    bring_up_to_date(Database(to, Database::Access::kWrite), Bring::kAny);
  } catch (const storage::StorageError& error) {
    throw StoreFailed(error.what());
  }
  Verdict verdict = check_file(to, now);
  if (!verdict.complaints.empty()) {
    throw StoreFailed(fmt::format("{}: {}: nothing was changed", copy, verdict.complaints.front()));
  }
  return verdict;
}

/// What the next start makes of the copy and the key ring; and, where the store that is replaced can be read, what is lost with that.
/// All of it is public, or a count of what is.
class Costs {
 public:
  Costs(const Snapshot& copy, const std::optional<Snapshot>& store, const KeyRing& ring)
      : copy_(copy), ring_(ring), behind_(copy.releases < ring.releases) {
    for (const ExperimentRow& row : copy.experiments) names_[row.id] = row.name;
    since(store);
    slots();
    budgets();
    users();
    if (store) keys(*store);
  }
  const std::vector<std::string>& lines() const noexcept { return lines_; }

 private:
  template <class... T>
  void say(fmt::format_string<T...> text, T&&... values) {
    lines_.push_back(fmt::format(text, std::forward<T>(values)...));
  }

  static Round decisions(const Snapshot& snapshot) {
    Round all = 0;
    for (const ProgressRow& row : snapshot.progress) all += row.decisions;
    return all;
  }

  void since(const std::optional<Snapshot>& store) {
    const std::uint64_t known = std::max(ring_.releases, store ? store->releases : 0);
    const auto releases = static_cast<std::int64_t>(known - std::min(known, copy_.releases));
    if (!store) {
      say("lost: what was decided since the copy was made, which nobody can count, and {} that "
          "were made since",
          counted(releases, "release"));
      return;
    }
    const Round made = std::max<Round>(0, decisions(*store) - decisions(copy_));
    say("lost: {} and {} that were made since the copy was", counted(made, "decision"),
        counted(releases, "release"));
    std::vector<std::string> begun;
    for (const ExperimentRow& row : store->experiments) {
      const auto found = names_.find(row.id);
      if (found == names_.end() || found->second != row.name) begun.push_back(row.name);
    }
    if (!begun.empty()) {
      say("lost: what was begun since: {}; what it took of budgets stays spent",
          fmt::join(begun, ", "));
    }
  }

  /// They are opened all or none of an experiment.
  void slots() {
    std::set<Id> lost;
    for (const SealedRow& row : copy_.sealed) {
      if (behind_ || (row.key != 0 && !ring_.state.contains(row.key))) lost.insert(row.experiment);
    }
    std::int64_t many = 0;
    Round places = 0;
    std::vector<std::string> of;
    for (const SlotRow& row : copy_.slots) {
      if (!lost.contains(row.experiment)) continue;
      ++many;
      places += row.n;
      const std::string& name = names_[row.experiment];
      if (of.empty() || of.back() != name) of.push_back(name);
    }
    if (many == 0) return;
    say("lost: {} under way in the copy, with the outcomes of {}: {}", counted(many, "slot"),
        counted(places, "decision"), fmt::join(of, ", "));
  }

  void budgets() {
    for (const PopulationRow& row : copy_.populations) {
      const auto known = ring_.spent.find(row.id);
      if (known == ring_.spent.end()) continue;
      double spent = 0;
      for (const DebitRow& debit : copy_.debited) {
        if (debit.population == row.id) spent += debit.epsilon;
      }
      constexpr double kRounding = 1e-9;
      if (known->second - spent <= kRounding * row.epsilon) continue;
      say("stays spent: {:.6g} of population {}, of which the copy knows nothing",
          known->second - spent, row.name);
    }
  }

  void users() {
    if (!behind_) return;
    for (const ExperimentRow& row : copy_.experiments) {
      const Spec spec = spec_of(Json::parse(row.spec));
      const bool over =
          row.state == ExperimentState::kStopped || row.state == ExperimentState::kArchived;
      if (!spec.user_level() || over) continue;
      say("paid again: {:.6g} by {}, which forgets how often its units were recorded", spec.debit(),
          row.name);
    }
  }

  void keys(const Snapshot& store) {
    std::map<std::string, Time> revoked;
    for (const ApiKeyRow& row : copy_.keys) revoked[row.id] = row.revoked;
    for (const ApiKeyRow& row : store.keys) {
      const auto found = revoked.find(row.id);
      if (found == revoked.end()) {
        say("lost: key {} ({}), which opens nothing any more", row.id, row.role);
      } else if (row.revoked > 0 && found->second == 0) {
        say("key {} ({}) was revoked since, and opens again: revoke it", row.id, row.role);
      }
    }
  }

  const Snapshot& copy_;
  const KeyRing& ring_;
  bool behind_;
  std::map<Id, std::string> names_;
  std::vector<std::string> lines_;
};

}  // namespace

Restored restore(const Restoring& told, Time now,
                 const std::function<void(const char*)>& failpoint) {
  const auto& [copy, store, keys] = told;
  need_store(copy);
  const FileLock lock(store);
  KeyFile file(keys, false);
  const KeyRing ring = file.read();
  finish_replacing(store, lock);
  std::error_code unknown;
  if (std::filesystem::equivalent(copy, store, unknown)) {
    throw StoreFailed(copy + ": is the store itself: give a copy of it");
  }
  need_to_be_a_store(store);
  const std::optional<Snapshot> there = what_is_there(store);
  const Beside beside(store);
  Verdict verdict = bring(copy, beside.path(), now);
  failpoint("copied");
  const Snapshot copied = snapshot_of(beside.path());
  if (copied.store != ring.store) {
    throw StoreFailed(
        fmt::format("{}: is not a copy of the store that {} belongs to: nothing was "
                    "changed",
                    copy, keys));
  }
  if (there && there->store != copied.store) {
    throw StoreFailed(fmt::format("{}: is not a copy of {}: nothing was changed", copy, store));
  }
  Restored restored{.holds = std::move(verdict.holds), .costs = Costs(copied, there, ring).lines()};
  replace_store(store, lock, failpoint);
  lock.end_well();
  return restored;
}

}  // namespace tacit::service
