#include "tacit/service/keeping/checking.hpp"

#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/service/budget.hpp"
#include "tacit/service/keeping/damage.hpp"
#include "tacit/service/keeping/rows.hpp"
#include "tacit/service/keeping/schema.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/service/serving_rules.hpp"
#include "tacit/service/store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {
namespace {

class Check {
 public:
  explicit Check(const storage::Database& database) : database_(database) {}

  /// What cannot be, in a file that is not damaged.
  std::vector<std::string> complaints(Time now) {
    names();
    strangers();
    specs();
    releases();
    slots();
    budgets();
    marks();
    clock(now);
    return std::move(complaints_);
  }

 private:
  template <class... T>
  void complain(fmt::format_string<T...> text, T&&... values) {
    complaints_.push_back(fmt::format(text, std::forward<T>(values)...));
  }

  /// `read` is given every row.
  template <class Read>
  void each(const std::string& sql, Read read) {
    storage::Statement rows(database_, sql);
    while (rows.step()) read(std::as_const(rows));
  }

  void names() {
    each("SELECT id, name FROM experiments",
         [&](const storage::Statement& row) { names_[row.integer(0)] = row.text(1); });
  }
  std::string name(Id experiment) const {
    const auto found = names_.find(experiment);
    return found == names_.end() ? fmt::format("experiment {}", experiment) : found->second;
  }

  void strangers() {
    for (const char* table :
         {"progress", "slots", "sealed", "releases", "units", "traffic", "traffic_ever"}) {
      each(fmt::format("SELECT experiment, count(*) FROM {} WHERE experiment NOT IN "
                       "(SELECT id FROM experiments) GROUP BY experiment",
                       table),
           [&](const storage::Statement& row) {
             complain("experiment {}: has {} rows in {}, and does not exist", row.integer(0),
                      row.integer(1), table);
           });
    }
    each("SELECT name FROM experiments WHERE population NOT IN (SELECT id FROM populations)",
         [&](const storage::Statement& row) { complain("{}: is of no population", row.text(0)); });
    each(
        "SELECT count(*) FROM debits WHERE population NOT IN (SELECT id FROM populations) "
        "OR (experiment <> 0 AND experiment NOT IN (SELECT id FROM experiments))",
        [&](const storage::Statement& row) {
          if (row.integer(0) > 0) {
            complain("{} debits are of a population or an experiment that does not exist",
                     row.integer(0));
          }
        });
  }

  /// What each is, and whether that was paid for.
  void specs() {
    each(
        "SELECT id, spec, (SELECT max(epsilon) FROM debits d WHERE d.experiment = e.id) "
        "FROM experiments e",
        [&](const storage::Statement& row) {
          try {
            const Spec spec = stored_spec(row.text(1));
            servable(spec);
            if (row.real(2) < spec.debit()) {
              complain("{}: promises an epsilon of {}, and {} was paid", name(row.integer(0)),
                       spec.debit(), row.real(2));
            }
            lengths(row.integer(0), spec);
          } catch (const storage::StorageError&) {
            throw;
          } catch (const std::exception& error) {
            complain("{}: is no experiment any more: {}", name(row.integer(0)), error.what());
          }
        });
  }

  void lengths(Id experiment, const Spec& spec) {
    const std::int64_t wrong = database_.number(
        fmt::format("SELECT count(*) FROM releases WHERE experiment = {} "
                    "AND length(released) <> 8 AND NOT (arm = {} AND length(released) = 8 * {})",
                    experiment, kAllArms, spec.arms.size()));
    if (wrong > 0)
      complain("{}: {} releases have too many numbers, or too few", name(experiment), wrong);
  }

  void releases() {
    // That a slot and a version are released once the file's own indices say, which have been looked at.
    each(
        "SELECT experiment, count(*), min(version), max(version), "
        "sum(n < 0 OR noises < 1) "
        "FROM releases GROUP BY experiment",
        [&](const storage::Statement& row) {
          const std::string of = name(row.integer(0));
          if (row.integer(2) != 1 || row.integer(3) != row.integer(1)) {
            complain("{}: has {} releases, numbered {} to {}: one is missing", of, row.integer(1),
                     row.integer(2), row.integer(3));
          }
          if (row.integer(4) > 0) {
            complain("{}: {} releases are of nothing that can be released", of, row.integer(4));
          }
        });
    each(
        "SELECT e.id, coalesce(p.version, 0) AS told, (SELECT count(*) FROM releases r "
        "WHERE r.experiment = e.id) AS made FROM experiments e LEFT JOIN progress p "
        "ON p.experiment = e.id WHERE told <> made",
        [&](const storage::Statement& row) {
          complain("{}: says that it has made {} releases, and there are {}", name(row.integer(0)),
                   row.integer(1), row.integer(2));
        });
  }

  void slots() {
    each(
        "SELECT s.experiment, count(*) FROM slots s JOIN experiments e ON e.id = s.experiment "
        "JOIN releases r ON r.experiment = s.experiment AND r.generation = e.generation "
        "AND r.arm = s.arm AND r.phase = s.phase GROUP BY s.experiment",
        [&](const storage::Statement& row) {
          complain("{}: {} slots are released, and open again", name(row.integer(0)),
                   row.integer(1));
        });
    each(
        "SELECT experiment, count(*) FROM sealed s WHERE NOT EXISTS (SELECT 1 FROM slots o "
        "WHERE o.experiment = s.experiment AND o.arm = s.arm AND o.phase = s.phase) "
        "GROUP BY experiment",
        [&](const storage::Statement& row) {
          complain("{}: {} sealed rows are of no slot that is open", name(row.integer(0)),
                   row.integer(1));
        });
    each(
        "SELECT experiment, count(*) FROM slots s WHERE NOT EXISTS (SELECT 1 FROM sealed o "
        "WHERE o.experiment = s.experiment AND o.arm = s.arm AND o.phase = s.phase) "
        "GROUP BY experiment",
        [&](const storage::Statement& row) {
          complain("{}: {} open slots have no sums", name(row.integer(0)), row.integer(1));
        });
    each(
        "SELECT experiment, count(*) FROM slots s WHERE n < 0 OR n > coalesce((SELECT recorded "
        "FROM progress p WHERE p.experiment = s.experiment), 0) GROUP BY experiment",
        [&](const storage::Statement& row) {
          complain("{}: {} slots have more decisions than there were, or fewer than none",
                   name(row.integer(0)), row.integer(1));
        });
  }

  void budgets() {
    struct Population {
      std::string name;
      Budget budget;
      std::int64_t refused = 0;
    };
    std::map<Id, Population> populations;
    each("SELECT id, name, epsilon FROM populations", [&](const storage::Statement& row) {
      if (row.real(2) > 0) {
        populations.emplace(row.integer(0), Population{row.text(1), Budget(row.real(2))});
      } else {
        complain("population {}: has an epsilon of {}", row.text(1), row.real(2));
      }
    });
    each("SELECT population, epsilon FROM debits ORDER BY seq", [&](const storage::Statement& row) {
      const auto found = populations.find(row.integer(0));
      if (found == populations.end()) return;
      Population& population = found->second;
      if (row.real(1) < 0 || !population.budget.try_spend(row.real(1))) ++population.refused;
    });
    for (const auto& [id, population] : populations) {
      if (population.refused == 0) continue;
      complain("population {}: {} debits are beyond its epsilon of {}", population.name,
               population.refused, population.budget.total());
    }
  }

  void marks() {
    each(
        "SELECT releases, (SELECT count(*) FROM releases), debits, (SELECT count(*) FROM debits) "
        "FROM service",
        [&](const storage::Statement& row) {
          if (row.integer(0) < row.integer(1)) {
            complain("there are {} releases, and the mark is at {}", row.integer(1),
                     row.integer(0));
          }
          if (row.integer(2) < row.integer(3)) {
            complain("there are {} debits, and the mark is at {}", row.integer(3), row.integer(2));
          }
        });
    if (database_.number("SELECT count(*) FROM service") != 1) {
      complain("the store has no number");
    }
  }

  void clock(Time now) {
    const Time kept = database_.number("SELECT clock FROM service");
    // Keys and operations have the clock on the wall of whoever wrote them.
    for (const char* times : {"created FROM experiments", "opened FROM slots", "at FROM releases",
                              "at FROM debits", "hour FROM traffic"}) {
      const std::string all(times);
      const std::string column = all.substr(0, all.find(' '));
      const std::int64_t later =
          database_.number(fmt::format("SELECT count({}) {} WHERE {} > {}", column,
                                       all.substr(column.size() + 1), column, kept));
      if (later > 0) {
        complain("{} times in {} are after the service's clock", later,
                 all.substr(all.rfind(' ') + 1));
      }
    }
    if (kept > now + kMostAhead) {
      complain("the service's clock is {} days ahead of this machine's", (kept - now) / kDay);
    }
  }

  const storage::Database& database_;
  std::map<Id, std::string> names_;
  std::vector<std::string> complaints_;
};

std::string what_it_holds(const storage::Database& database) {
  std::string words;
  const auto count = [&](const char* one, const char* table) {
    const std::int64_t n = database.number(fmt::format("SELECT count(*) FROM {}", table));
    words += fmt::format("{}{} {}{}", words.empty() ? "" : ", ", n, one, n == 1 ? "" : "s");
  };
  count("experiment", "experiments");
  count("release", "releases");
  count("open slot", "slots");
  count("population", "populations");
  count("debit", "debits");
  count("key", "api_keys");
  return words;
}

}  // namespace

Verdict check_file(const std::string& path, Time now) {
  need_store(path);
  try {
    const storage::Database database(path, storage::Database::Access::kRead);
    const storage::Transaction of_one_moment(database, storage::Transaction::Purpose::kRead);
    bring_up_to_date(database, Bring::kNothing);
    // Of a damaged file nothing can be counted.
    if (auto damage = damage_in(database, Look::kWhole); !damage.empty()) {
      return {.holds = "", .complaints = std::move(damage)};
    }
    return {.holds = what_it_holds(database), .complaints = Check(database).complaints(now)};
  } catch (const storage::StorageError& error) {
    throw StoreFailed(error.what());
  }
}

}  // namespace tacit::service
