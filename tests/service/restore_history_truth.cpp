// What must be so of a store that was put back, told from what the application and the operator know, and from the copy.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "service/restore_history.hpp"
#include "tacit/service/keeping/checking.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/service.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

namespace fs = std::filesystem;

/// Every row of every table, as text.
std::vector<std::string> rows_of(const std::string& path) {
  const storage::Database database(path, storage::Database::Access::kRead);
  std::vector<std::string> tables;
  storage::Statement names(database, "SELECT name FROM sqlite_master WHERE type = 'table'");
  while (names.step()) tables.push_back(names.text(0));
  std::vector<std::string> all;
  for (const std::string& table : tables) {
    std::string columns;
    storage::Statement column(database, "SELECT name FROM pragma_table_info(?)");
    column.with(std::string_view(table));
    while (column.step()) {
      columns += (columns.empty() ? "quote(" : " || ',' || quote(") + column.text(0) + ")";
    }
    storage::Statement rows(database, fmt::format("SELECT {} FROM {}", columns, table));
    while (rows.step()) all.push_back(table + ": " + rows.text(0));
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string name_of(const Snapshot& snapshot, Id experiment) {
  for (const ExperimentRow& row : snapshot.experiments) {
    if (row.id == experiment) return row.name;
  }
  return "";
}

std::int64_t generation_of(const Snapshot& snapshot, const std::string& name) {
  for (const ExperimentRow& row : snapshot.experiments) {
    if (row.name == name) return row.generation;
  }
  return -1;
}

using Version = std::pair<Id, Round>;
std::map<Version, ReleaseRow> releases_of(const Snapshot& snapshot) {
  std::map<Version, ReleaseRow> all;
  for (const ReleaseRow& row : snapshot.made)
    all.emplace(Version{row.experiment, row.version}, row);
  return all;
}

std::map<std::string, double> spent_of(const Snapshot& snapshot) {
  std::map<std::string, double> spent;
  for (const PopulationRow& population : snapshot.populations) {
    for (const DebitRow& debit : snapshot.debited) {
      if (debit.population == population.id) spent[population.name] += debit.epsilon;
    }
  }
  return spent;
}

}  // namespace

/// Of a copy of its files: opening a store changes what a crash has left.
Snapshot RestoreHistory::read(const std::string& store) const {
  const Folder aside;
  for (const char* part : {"", "-wal"}) {
    if (fs::exists(store + part)) fs::copy_file(store + part, aside.file() + part);
  }
  return SqliteStore(aside.file(), SqliteStore::Opening::kBeside).load();
}

void RestoreHistory::note_what_is_there() {
  old_ = read(file("shop.db"));
  told_ = KeyFile(file("state.key"), false).read().releases;
}

void RestoreHistory::compare_with_copy() {
  for (const char* part : {"-wal", "-journal", "-restored", "-restoring"}) {
    EXPECT_FALSE(fs::exists(file("shop.db") + part)) << part;
  }
  EXPECT_EQ(fs::status(file("shop.db")).permissions(), fs::perms(0600));
  EXPECT_EQ(check_file(file("shop.db"), clock_).complaints, std::vector<std::string>{});
  EXPECT_TRUE(rows_of(file("shop.db")) == rows_of(file("copy.db")))
      << "the store is not what the copy was";
}

/// What the outcomes come to of whom this release is: of those that were asked for since the copy was put back; and, if nothing was
/// abandoned, of those that the copy knows.
RestoreHistory::Sum RestoreHistory::sum_of(const ReleaseRow& row, const Snapshot& now,
                                           const TokenKeys& tokens) const {
  std::map<std::uint32_t, std::uint64_t> known;
  for (const IncarnationRow& incarnation : copy_->incarnations) {
    known[incarnation.incarnation] = incarnation.last;
  }
  const std::string name = name_of(now, row.experiment);
  const bool abandoned = generation_of(now, name) != generation_of(*copy_, name);
  Sum sum;
  for (const Made& made : made_) {
    if (made.experiment != name) continue;
    const std::optional<Event> event = tokens.read(made.event);
    if (!event) {
      ADD_FAILURE() << "a token that the service does not know";
      continue;
    }
    if (!event->recorded || event->places.at(0).slot != row.slot) continue;
    if (!made.after && (abandoned || event->number > known[event->incarnation])) continue;
    bool surely = false;
    bool perhaps = false;
    for (const auto& [when, acknowledged] : made.reports) {
      const bool lost = !made.after && when > copy_ended_ && when < put_back_;
      const bool in_between = !made.after && when >= copy_begun_ && when <= copy_ended_;
      if (lost) continue;
      perhaps = true;
      surely = surely || (acknowledged && !in_between);
    }
    if (surely) sum.least += made.outcome;
    if (perhaps) sum.most += made.outcome;
  }
  return sum;
}

void RestoreHistory::check_releases(const Snapshot& now) {
  const TokenKeys tokens = KeyFile(file("state.key"), false).read().token_keys();
  const auto copied = releases_of(*copy_);
  const auto all = releases_of(now);
  // Which slot of which generation was released when the copy was put back, whether the copy knows or not.
  std::set<std::tuple<std::string, std::int64_t, Slot>> before;
  Time last = 0;
  for (const ReleaseRow& row : old_->made) last = std::max(last, row.at);
  for (const ReleaseRow& row : old_->made) {
    // The last ones were drawn, and shown to nobody, where the key file does not know of them.
    if (row.at == last && told_ < old_->releases) continue;
    const std::string name = name_of(*old_, row.experiment);
    if (!copied.contains({row.experiment, row.version})) {
      before.emplace(name, generation_of(*old_, name), row.slot);
    }
  }
  if (!before.empty()) ++seen_["releases were lost"];
  for (const auto& [version, row] : copied) {
    const auto found = all.find(version);
    if (found == all.end()) {
      ADD_FAILURE() << "a release of the copy is gone";
      continue;
    }
    EXPECT_EQ(found->second.values, row.values);
    EXPECT_EQ(found->second.slot, row.slot);
    EXPECT_EQ(found->second.n, row.n);
  }
  for (const auto& [version, row] : all) {
    if (copied.contains(version)) continue;
    const std::string name = name_of(now, row.experiment);
    EXPECT_FALSE(before.contains({name, generation_of(now, name), row.slot}))
        << name << ": released twice";
    const Sum sum = sum_of(row, now, tokens);
    EXPECT_GE(row.values.at(0), sum.least) << name << " " << row.slot.arm << " " << row.slot.phase;
    EXPECT_LE(row.values.at(0), sum.most) << name << " " << row.slot.arm << " " << row.slot.phase;
    ++seen_[sum.least == sum.most ? "sums that must be one number" : "sums within bounds"];
  }
  for (const ExperimentRow& row : copy_->experiments) {
    ++seen_[generation_of(now, row.name) != row.generation ? "what was under way was abandoned"
                                                           : "what was under way was kept"];
  }
}

void RestoreHistory::check_budgets(const Snapshot& now) const {
  constexpr double kRounding = 1e-9;
  const auto spent = spent_of(now);
  for (const auto& known : {spent_, spent_of(*old_), spent_of(*copy_)}) {
    for (const auto& [population, epsilon] : known) {
      EXPECT_GE(spent.at(population), epsilon - kRounding) << population;
    }
  }
  const std::uint64_t releases = KeyFile(file("state.key"), false).read().releases;
  EXPECT_GE(releases, told_);
  EXPECT_EQ(releases, now.releases);
  // Who forgets how often units were recorded pays for it.
  if (told_ > copy_->releases) {
    EXPECT_GE(spent.at("users"), spent_of(*copy_).at("users") + 2 - kRounding);
  }
}

void RestoreHistory::check() {
  EXPECT_EQ(check_file(file("shop.db"), clock_).complaints, std::vector<std::string>{});
  const Snapshot now = read(file("shop.db"));
  EXPECT_TRUE(now.slots.empty());
  check_releases(now);
  check_budgets(now);
}

}  // namespace tacit::service
