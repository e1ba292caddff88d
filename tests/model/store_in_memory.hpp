// A store that is nowhere but here: what the schema of the real one refuses it refuses too, a copy of it is a backup, and it can be
// told that its disk is full. It counts what is sealed into it.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "tacit/service/store.hpp"

namespace tacit::model {

using namespace service;  // NOLINT: what a store keeps

class StoreInMemory : public Store {
 public:
  struct Kept {
    Tag number{1};
    Time clock = 0;
    std::uint64_t releases_ever = 0;
    std::uint64_t debits_ever = 0;
    std::map<Id, ExperimentRow> experiments = {};
    std::map<Id, ProgressRow> progress = {};
    std::map<std::pair<Id, Slot>, SlotRow> slots = {};
    std::map<std::tuple<Id, Slot, Round>, SealedRow> sealed = {};
    std::map<std::pair<Id, Round>, ReleaseRow> releases = {};
    std::set<std::tuple<Id, std::int64_t, Slot>> released = {};  // with its generation
    std::map<Id, PopulationRow> populations = {};
    std::vector<DebitRow> debits = {};
    std::map<std::pair<Id, Tag>, UnitRow> units = {};
    std::map<Tag, ReplyRow> replies = {};
    std::map<std::string, ApiKeyRow> keys = {};
    std::vector<OperationRow> operations = {};
    std::map<std::tuple<Id, Time, Arm>, Round> traffic = {};
    std::map<std::uint32_t, std::uint64_t> incarnations = {};
  };

  const Kept& kept() const noexcept { return kept_; }
  void put_back(const Kept& kept) { kept_ = kept; }
  /// Nothing is committed from now on.
  void set_full(bool full) { full_ = full; }
  int sealed_ever() const noexcept { return sealed_ever_; }

  Snapshot load() override {
    Snapshot all{.store = kept_.number,
                 .clock = kept_.clock,
                 .releases = kept_.releases_ever,
                 .debits = kept_.debits_ever};
    for (const auto& [id, row] : kept_.experiments) all.experiments.push_back(row);
    for (const auto& [id, row] : kept_.progress) all.progress.push_back(row);
    for (const auto& [of, row] : kept_.slots) all.slots.push_back(row);
    for (const auto& [of, row] : kept_.sealed) all.sealed.push_back(row);
    for (const auto& [of, row] : kept_.releases) all.made.push_back(row);
    for (const auto& [id, row] : kept_.populations) all.populations.push_back(row);
    all.debited = kept_.debits;
    for (const auto& [id, row] : kept_.keys) all.keys.push_back(row);
    for (const auto& [i, last] : kept_.incarnations) all.incarnations.push_back({i, last});
    std::map<std::pair<Id, Arm>, Round> traffic;
    for (const auto& [of, n] : kept_.traffic) traffic[{std::get<0>(of), std::get<2>(of)}] += n;
    for (const auto& [of, n] : traffic) {
      all.traffic.push_back({.experiment = of.first, .arm = of.second, .hour = 0, .decisions = n});
    }
    return all;
  }

  void begin() override { before_ = kept_; }
  void commit() override {
    if (full_) throw StoreFailed("no room");
    before_.reset();
  }
  void roll_back() noexcept override {
    if (before_) kept_ = *std::exchange(before_, std::nullopt);
  }

  void put_clock(Time clock) override { kept_.clock = clock; }
  void put_marks(std::uint64_t releases, std::uint64_t debits) override {
    need(releases >= kept_.releases_ever && debits >= kept_.debits_ever, "a mark never falls");
    kept_.releases_ever = releases;
    kept_.debits_ever = debits;
  }
  void put(const ExperimentRow& row) override { kept_.experiments[row.id] = row; }
  void put(const ProgressRow& row) override { kept_.progress[row.experiment] = row; }
  void put(const SlotRow& row) override { kept_.slots[{row.experiment, row.slot}] = row; }
  void put(const SealedRow& row) override {
    ++sealed_ever_;
    kept_.sealed[{row.experiment, row.slot, row.block}] = row;
  }
  void put(const PopulationRow& row) override { kept_.populations[row.id] = row; }
  void put(const UnitRow& row) override { kept_.units[{row.experiment, row.tag}] = row; }
  void put(const ReplyRow& row) override { kept_.replies[row.tag] = row; }
  void put(const ApiKeyRow& row) override { kept_.keys[row.id] = row; }
  void put(const IncarnationRow& row) override { kept_.incarnations[row.incarnation] = row.last; }
  void add(const ReleaseRow& row, std::int64_t generation) override {
    need(kept_.releases.emplace(std::pair(row.experiment, row.version), row).second &&
             kept_.released.emplace(row.experiment, generation, row.slot).second,
         "a slot is released once");
  }
  void add(const DebitRow& row) override { kept_.debits.push_back(row); }
  void add(const OperationRow& row) override { kept_.operations.push_back(row); }
  void add(const TrafficRow& row) override {
    kept_.traffic[{row.experiment, row.hour, row.arm}] += row.decisions;
  }
  void forget_slot(Id experiment, Slot slot) override {
    kept_.slots.erase({experiment, slot});
    std::erase_if(kept_.sealed, [&](const auto& each) {
      return std::get<0>(each.first) == experiment && std::get<1>(each.first) == slot;
    });
  }
  void forget_slots(Id experiment) override {
    std::erase_if(kept_.slots, [&](const auto& each) { return each.first.first == experiment; });
    std::erase_if(kept_.sealed,
                  [&](const auto& each) { return std::get<0>(each.first) == experiment; });
  }
  int forget_units(Id experiment, int most) override {
    return forget(kept_.units, most,
                  [&](const auto& each) { return each.first.first == experiment; });
  }
  void forget_expired(Time now, int most) override {
    forget(kept_.replies, most, [&](const auto& each) { return each.second.expires <= now; });
    forget(kept_.units, most,
           [&](const auto& each) { return each.second.expires > 0 && each.second.expires <= now; });
  }

  std::optional<UnitRow> unit(Id experiment, const Tag& tag) override {
    return find(kept_.units, std::pair(experiment, tag));
  }
  std::optional<ReplyRow> reply(const Tag& tag) override { return find(kept_.replies, tag); }
  std::vector<ReleaseRow> releases(Id experiment, Round after, int most) override {
    std::vector<ReleaseRow> all;
    for (const auto& [of, row] : kept_.releases) {
      const bool wanted = of.first == experiment && of.second > after;
      if (wanted && static_cast<int>(all.size()) < most) all.push_back(row);
    }
    return all;
  }
  std::vector<TrafficRow> traffic(Id experiment, Time from) override {
    std::vector<TrafficRow> all;
    for (const auto& [of, n] : kept_.traffic) {
      const auto& [id, hour, arm] = of;
      if (id == experiment && hour >= from) {
        all.push_back({.experiment = id, .arm = arm, .hour = hour, .decisions = n});
      }
    }
    return all;
  }
  std::vector<OperationRow> operations(int) override { return kept_.operations; }
  std::vector<ApiKeyRow> keys() override {
    std::vector<ApiKeyRow> all;
    for (const auto& [id, row] : kept_.keys) all.push_back(row);
    return all;
  }
  std::int64_t changes_by_others() override { return 0; }
  void tidy() override {}

 private:
  static void need(bool holds, const char* what) {
    if (!holds) throw StoreFailed(what);
  }
  template <class Map, class Key>
  static std::optional<typename Map::mapped_type> find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }
  template <class Map, class Which>
  static int forget(Map& map, int most, Which which) {
    int forgotten = 0;
    for (auto at = map.begin(); at != map.end() && forgotten < most;) {
      const bool goes = which(*at);
      forgotten += goes ? 1 : 0;
      at = goes ? map.erase(at) : std::next(at);
    }
    return forgotten;
  }

  Kept kept_;
  std::optional<Kept> before_;
  bool full_ = false;
  int sealed_ever_ = 0;
};

}  // namespace tacit::model
