#include "tacit/service/checking.hpp"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/spec.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

std::string plural(std::size_t n, const std::string& one) {
  return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s");
}

class Check {
 public:
  explicit Check(const Snapshot& all) : all_(all) {}

  std::vector<std::string> faults() {
    experiments();
    releases();
    under_way();
    budgets();
    return std::move(faults_);
  }

 private:
  template <class... T>
  void fault(fmt::format_string<T...> text, T&&... values) {
    faults_.push_back(fmt::format(text, std::forward<T>(values)...));
  }

  void experiments() {
    std::set<Id> populations;
    for (const PopulationRow& row : all_.populations) populations.insert(row.id);
    for (const ExperimentRow& row : all_.experiments) {
      names_[row.id] = row.name;
      if (!populations.contains(row.population)) fault("{}: is of no population", row.name);
      try {
        spec_of(Json::parse(row.spec));
      } catch (const Json::parse_error&) {
        fault("{}: what it was made of is no JSON", row.name);
      } catch (const Problem& problem) {
        fault("{}: {}", row.name, problem.what());
      }
    }
  }

  void releases() {
    std::map<Id, Round> versions;
    for (const ProgressRow& row : all_.progress) versions[row.experiment] = row.version;
    std::map<Id, std::set<Round>> made;
    for (const ReleaseRow& row : all_.made) {
      if (!made[row.experiment].insert(row.version).second) {
        fault("{}: release {} is there twice", name(row.experiment), row.version);
      }
    }
    for (const auto& [experiment, of] : made) {
      if (*of.begin() != 1 || *of.rbegin() != static_cast<Round>(of.size())) {
        fault("{}: a release is missing among the first {}", name(experiment), *of.rbegin());
      }
      if (*of.rbegin() > versions[experiment]) {
        fault("{}: has {} releases, and says that it has {}", name(experiment), *of.rbegin(),
              versions[experiment]);
      }
    }
    if (all_.made.size() > all_.releases) {
      fault("{} were made, and the mark is at {}", plural(all_.made.size(), "release"),
            all_.releases);
    }
  }

  void under_way() {
    std::set<std::pair<Id, Slot>> slots;
    for (const SlotRow& row : all_.slots) {
      slots.emplace(row.experiment, row.slot);
      if (row.n < 0) fault("{}: a slot has {} decisions", name(row.experiment), row.n);
    }
    for (const SealedRow& row : all_.sealed) {
      if (!slots.contains({row.experiment, row.slot})) {
        fault("{}: something is sealed for a slot that there is not", name(row.experiment));
      }
    }
  }

  void budgets() {
    std::map<Id, double> spent;
    for (const DebitRow& row : all_.debited) spent[row.population] += row.epsilon;
    constexpr double kRounding = 1e-9;
    for (const PopulationRow& row : all_.populations) {
      if (spent[row.id] > row.epsilon * (1 + kRounding)) {
        fault("{}: has spent {} of an epsilon of {}", row.name, spent[row.id], row.epsilon);
      }
    }
    if (all_.debited.size() > all_.debits) {
      fault("{} were made, and the mark is at {}", plural(all_.debited.size(), "debit"),
            all_.debits);
    }
  }

  std::string name(Id experiment) const {
    const auto found = names_.find(experiment);
    return found == names_.end() ? fmt::format("experiment {}, which there is not", experiment)
                                 : found->second;
  }

  const Snapshot& all_;
  std::map<Id, std::string> names_;
  std::vector<std::string> faults_;
};

/// What SQLite finds in its own structures.
std::vector<std::string> faults_of_file(const std::string& path) {
  try {
    const storage::Database database(path, storage::Database::Access::kRead);
    storage::Statement check(database, "PRAGMA integrity_check(10)");
    std::vector<std::string> all;
    while (check.step()) {
      if (check.text(0) != "ok") all.push_back(check.text(0));
    }
    return all;
  } catch (const storage::StorageError& error) {
    return {error.what()};
  }
}

}  // namespace

Findings check_of(const std::string& store) {
  // First, whether it is a store at all.
  SqliteStore opened(store, SqliteStore::Opening::kBeside);
  Findings findings;
  findings.faults = faults_of_file(store);
  if (!findings.faults.empty()) return findings;
  const Snapshot all = opened.load();
  findings.holds =
      fmt::format("{}, {}, {} under way, {}, {}", plural(all.experiments.size(), "experiment"),
                  plural(all.made.size(), "release"), plural(all.slots.size(), "slot"),
                  plural(all.populations.size(), "population"), plural(all.keys.size(), "key"));
  findings.faults = Check(all).faults();
  return findings;
}

}  // namespace tacit::service
