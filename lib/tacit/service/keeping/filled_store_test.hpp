// A store as a service leaves it: one experiment, with two releases and a slot under way.
#pragma once

#include <fstream>
#include <string>

#include "tacit/service/keeping/store_in_a_folder_test.hpp"

namespace tacit::service {

inline constexpr Time kFilledAt = 1000000;

inline void fill(Store& store) {
  constexpr const char* kSpec =
      R"({"name":"button","population":"all","arms":["a","b"],"epsilon":0.75})";
  commit(store, [&] {
    store.put_clock(kFilledAt);
    store.put_marks(2, 1);
    store.put(PopulationRow{.id = 1, .name = "all", .epsilon = 1});
    store.put(
        ExperimentRow{.id = 1, .name = "button", .spec = kSpec, .population = 1, .created = 5});
    store.put(ProgressRow{.experiment = 1, .decisions = 9, .recorded = 9, .version = 2});
    store.add(DebitRow{.population = 1, .experiment = 1, .epsilon = 0.75, .reason = "x", .at = 5});
    for (const Round version : {1, 2}) {
      store.add(ReleaseRow{.experiment = 1,
                           .version = version,
                           .slot = {0, version},
                           .n = 4,
                           .values = {2.5},
                           .at = 10 * version},
                0);
    }
    store.put(SlotRow{.experiment = 1, .slot = {0, 3}, .n = 1, .opened = 30});
    store.put(SealedRow{.experiment = 1, .slot = {0, 3}, .key = 1, .sealed = "x"});
    store.put(UnitRow{.experiment = 1, .tag = tag(1), .used = 1});
    store.add(TrafficRow{.experiment = 1, .arm = 0, .hour = 0, .decisions = 9});
  });
}

/// Zeros in the place of a table, in a file that nobody has open.
inline void damage_table(const Folder& folder, const std::string& table) {
  const std::int64_t page =
      database_in(folder).number("SELECT rootpage FROM sqlite_master WHERE name = '" + table + "'");
  std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
  constexpr int kPage = 4096;
  file.seekp((page - 1) * kPage);
  file.write(std::string(kPage, '\0').data(), kPage);
}

}  // namespace tacit::service
