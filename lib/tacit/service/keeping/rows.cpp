#include "tacit/service/keeping/rows.hpp"

#include <cstring>
#include <string>

#include <fmt/format.h>

namespace tacit::service {
namespace {

Arm arm_in(const storage::Statement& row, int column) {
  return static_cast<Arm>(row.integer(column));
}

template <class Read>
auto select(const storage::Database& database, const std::string& what, Read read) {
  storage::Statement statement(database, "SELECT " + what);
  return all_rows(statement, read);
}

}  // namespace

ReleaseRow release_of(const storage::Statement& row) {
  ReleaseRow release{.experiment = row.integer(0),
                     .version = row.integer(1),
                     .slot = {.arm = arm_in(row, 2), .phase = row.integer(3)},
                     .n = row.integer(4),
                     .noises = static_cast<int>(row.integer(5)),
                     .values = {},
                     .at = row.integer(7)};
  const std::string_view bytes = row.bytes(6);
  release.values.resize(bytes.size() / sizeof(double));
  if (!release.values.empty()) {
    std::memcpy(release.values.data(), bytes.data(), release.values.size() * sizeof(double));
  }
  return release;
}

ApiKeyRow api_key_of(const storage::Statement& row) {
  return {.id = row.text(0),
          .role = row.text(1),
          .note = row.text(2),
          .hash = array_of<32>(row.bytes(3)),
          .created = row.integer(4),
          .revoked = row.integer(5)};
}

TrafficRow traffic_of(const storage::Statement& row) {
  return {.experiment = row.integer(0),
          .arm = arm_in(row, 1),
          .hour = row.integer(2),
          .decisions = row.integer(3)};
}

Snapshot read_snapshot(const storage::Database& database) {
  using Row = const storage::Statement&;
  Snapshot all;
  select(database, "store, clock, releases, debits FROM service", [&](Row row) {
    all.store = array_of<16>(row.bytes(0));
    all.clock = row.integer(1);
    all.releases = static_cast<std::uint64_t>(row.integer(2));
    all.debits = static_cast<std::uint64_t>(row.integer(3));
    return 0;
  });
  all.experiments = select(
      database,
      "id, name, spec, population, state, why, generation, created FROM experiments ORDER BY id",
      [](Row row) {
        return ExperimentRow{.id = row.integer(0),
                             .name = row.text(1),
                             .spec = row.text(2),
                             .population = row.integer(3),
                             .state = static_cast<ExperimentState>(row.integer(4)),
                             .why = row.text(5),
                             .generation = row.integer(6),
                             .created = row.integer(7)};
      });
  all.progress =
      select(database,
             "experiment, decisions, recorded, version, learned FROM progress ORDER BY experiment",
             [](Row row) {
               return ProgressRow{.experiment = row.integer(0),
                                  .decisions = row.integer(1),
                                  .recorded = row.integer(2),
                                  .version = row.integer(3),
                                  .learned = row.text(4)};
             });
  all.slots = select(
      database,
      "experiment, arm, phase, n, state, opened, ripe FROM slots ORDER BY experiment, arm, phase",
      [](Row row) {
        return SlotRow{.experiment = row.integer(0),
                       .slot = {.arm = arm_in(row, 1), .phase = row.integer(2)},
                       .n = row.integer(3),
                       .state = static_cast<SlotState>(row.integer(4)),
                       .opened = row.integer(5),
                       .ripe = row.integer(6)};
      });
  all.sealed = select(database,
                      "experiment, arm, phase, block, key, sealed FROM sealed ORDER BY experiment, "
                      "arm, phase, block",
                      [](Row row) {
                        return SealedRow{.experiment = row.integer(0),
                                         .slot = {.arm = arm_in(row, 1), .phase = row.integer(2)},
                                         .block = row.integer(3),
                                         .key = row.integer(4),
                                         .sealed = std::string(row.bytes(5))};
                      });
  all.made = select(database,
                    fmt::format("{} FROM releases ORDER BY experiment, version", kReleaseColumns),
                    release_of);
  all.populations =
      select(database, "id, name, epsilon, user_level FROM populations ORDER BY id", [](Row row) {
        return PopulationRow{.id = row.integer(0),
                             .name = row.text(1),
                             .epsilon = row.real(2),
                             .user_level = row.integer(3) != 0};
      });
  all.debited =
      select(database, "population, experiment, epsilon, reason, at FROM debits ORDER BY seq",
             [](Row row) {
               return DebitRow{.population = row.integer(0),
                               .experiment = row.integer(1),
                               .epsilon = row.real(2),
                               .reason = row.text(3),
                               .at = row.integer(4)};
             });
  all.keys = select(database, fmt::format("{} FROM api_keys ORDER BY created, id", kApiKeyColumns),
                    api_key_of);
  all.incarnations =
      select(database, "incarnation, last FROM incarnations ORDER BY incarnation", [](Row row) {
        return IncarnationRow{.incarnation = static_cast<std::uint32_t>(row.integer(0)),
                              .last = static_cast<std::uint64_t>(row.integer(1))};
      });
  all.traffic =
      select(database, "experiment, arm, 0, decisions FROM traffic_ever ORDER BY experiment, arm",
             traffic_of);
  return all;
}

}  // namespace tacit::service
