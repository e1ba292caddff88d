#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "measurements.hpp"
#include "servers.hpp"
#include "tacit/service/engine.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::benchmarks {
namespace {

using service::Time;

constexpr int kExperiments = 100;
constexpr int kArms = 20;
constexpr int kReleases = 40;  // of every arm

service::Spec spec(int number) {
  service::Json json{{"name", fmt::format("experiment-{}", number)},
                     {"population", "visitors"},
                     {"epsilon", 0.5},
                     {"wait", "1s"},
                     {"phase_max_age", "1s"}};
  for (int arm = 0; arm < kArms; ++arm) json["arms"].push_back(fmt::format("arm-{}", arm));
  return service::spec_of(json);
}

Time now_on_the_wall() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// A store as it is after a long life: made by the engine that will read it, with a clock that need not be waited for.
void make_store(const std::string& file, const std::string& key_file) {
  constexpr Time kStep =
      10 * service::kSecond;  // more than slots are open, and more than answers are waited for
  service::SqliteStore store(file);
  service::KeyFile keys(key_file, true);
  service::SecureReleaser releaser;
  Time now = now_on_the_wall() - (2 * kReleases + 1) * kStep;
  service::Engine engine({.store = store,
                          .keys = keys,
                          .releaser = releaser,
                          .dice = [](service::Id) { return random::Dice::numbered(1); }},
                         now);
  const auto transact = [&](auto&& work) {
    store.begin();
    work();
    engine.write();
    store.commit();
    engine.publish();
    now += kStep;
  };
  std::vector<service::Id> experiments;
  transact([&] {
    engine.create_population("visitors", kExperiments, false, "", now);
    for (int i = 0; i < kExperiments; ++i) experiments.push_back(engine.create(spec(i), "", now));
  });
  for (int i = 0; i < kReleases; ++i) {
    transact([&] {
      for (const service::Id experiment : experiments) {
        for (int arm = 0; arm < kArms; ++arm) {
          engine.decide({.experiment = experiment, .unit = {}, .eligible = {arm}}, now);
        }
      }
      engine.tick(now + kStep / 2);  // closes them, and the next one releases them
    });
    store.begin();
    engine.tick(now);
    engine.write();
    store.commit();
    engine.publish();
  }
}

/// Every value of every row, by SQLite alone.
void read_all(const std::string& file) {
  const storage::Database database(file, storage::Database::Access::kRead);
  std::vector<std::string> tables;
  storage::Statement names(database, "SELECT name FROM sqlite_master WHERE type = 'table'");
  while (names.step()) tables.push_back(names.text(0));
  for (const std::string& table : tables) {
    const auto columns = static_cast<int>(
        database.number(fmt::format("SELECT count(*) FROM pragma_table_info('{}')", table)));
    storage::Statement rows(database, fmt::format("SELECT * FROM {}", table));
    while (rows.step()) {
      for (int i = 0; i < columns; ++i) rows.text(i);
    }
  }
}

template <class Work>
void keep_best(double& best, Work&& work) {
  const Moment start = Clock::now();
  work();
  best = std::min(best, Seconds(Clock::now() - start).count());
}

}  // namespace

void measure_start(const Plan& plan, Report& report) {
  const Folder folder(plan.folder);
  const std::string store = folder.file("long.db");
  const std::string keys = folder.file("long.key");
  make_store(store, keys);
  const std::int64_t made = storage::Database(store, storage::Database::Access::kRead)
                                .number("SELECT count(*) FROM releases");
  if (made != std::int64_t{kExperiments} * kArms * kReleases) {
    throw std::runtime_error(fmt::format("the store of a long life has {} releases", made));
  }
  double reading = 1e300;
  double starting = 1e300;
  for (int i = 0; i < plan.repetitions; ++i) {
    keep_best(reading, [&] { read_all(store); });
    const std::uint16_t port = free_port();
    std::unique_ptr<Process> process;
    keep_best(starting, [&] {
      process =
          std::make_unique<Process>(serve_command({"--store", store, "--keys", keys, "--listen",
                                                   fmt::format("127.0.0.1:{}", port)}),
                                    folder.file("long.log"));
      process->await(port, "/readyz");
    });
    process->stop();
  }
  fmt::print("{} experiments, {} arms, {} releases of each: reading all of it takes {:.3f} s\n",
             kExperiments, kArms, kReleases, reading);
  report.at_most("seconds until it is ready again", starting, 1);
  report.at_most("start, by reading the file with SQL alone", starting / reading, 25);
}

}  // namespace tacit::benchmarks
