// A store that is nowhere but here: what the schema of the real one refuses it refuses too, a copy of it is a backup, and it can be
// told that its disk is full. It counts what is sealed into it.
#pragma once

#include <algorithm>
#include <functional>
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
  void put_back(const Kept& kept) {
    undo_.clear();
    kept_ = kept;
  }
  /// Nothing is committed from now on.
  void set_full(bool full) { full_ = full; }
  int sealed_ever() const noexcept { return sealed_ever_; }
  /// By another program, as it is left.
  virtual void reopened() {}

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

  void begin() override { undo_.clear(); }
  void commit() override {
    if (full_) throw StoreFailed("no room");
    undo_.clear();
  }
  void roll_back() noexcept override {
    for (; !undo_.empty(); undo_.pop_back()) undo_.back()();
  }

  void put_clock(Time clock) override { set(kept_.clock, clock); }
  void put_marks(std::uint64_t releases, std::uint64_t debits) override {
    need(releases >= kept_.releases_ever && debits >= kept_.debits_ever, "a mark never falls");
    set(kept_.releases_ever, releases);
    set(kept_.debits_ever, debits);
  }
  void put(const ExperimentRow& row) override { set(kept_.experiments, row.id, row); }
  void put(const ProgressRow& row) override { set(kept_.progress, row.experiment, row); }
  void put(const SlotRow& row) override { set(kept_.slots, {row.experiment, row.slot}, row); }
  void put(const SealedRow& row) override {
    ++sealed_ever_;
    set(kept_.sealed, {row.experiment, row.slot, row.block}, row);
  }
  void put(const PopulationRow& row) override { set(kept_.populations, row.id, row); }
  void put(const UnitRow& row) override { set(kept_.units, {row.experiment, row.tag}, row); }
  void put(const ReplyRow& row) override { set(kept_.replies, row.tag, row); }
  void put(const ApiKeyRow& row) override { set(kept_.keys, row.id, row); }
  void put(const IncarnationRow& row) override {
    set(kept_.incarnations, row.incarnation, row.last);
  }
  void add(const ReleaseRow& row, std::int64_t generation) override {
    const std::tuple slot{row.experiment, generation, row.slot};
    need(!kept_.releases.contains({row.experiment, row.version}) && !kept_.released.contains(slot),
         "a slot is released once");
    set(kept_.releases, {row.experiment, row.version}, row);
    kept_.released.insert(slot);
    undo_.emplace_back([this, slot] { kept_.released.erase(slot); });
  }
  void add(const DebitRow& row) override { append(kept_.debits, row); }
  void add(const OperationRow& row) override { append(kept_.operations, row); }
  void add(const TrafficRow& row) override {
    const std::tuple of{row.experiment, row.hour, row.arm};
    set(kept_.traffic, of, find(kept_.traffic, of).value_or(0) + row.decisions);
  }
  void forget_slot(Id experiment, Slot slot) override {
    forget(kept_.slots, kAll,
           [&](const auto& each) { return each.first == std::pair(experiment, slot); });
    forget(kept_.sealed, kAll, [&](const auto& each) {
      return std::get<0>(each.first) == experiment && std::get<1>(each.first) == slot;
    });
  }
  void forget_slots(Id experiment) override {
    forget(kept_.slots, kAll, [&](const auto& each) { return each.first.first == experiment; });
    forget(kept_.sealed, kAll,
           [&](const auto& each) { return std::get<0>(each.first) == experiment; });
  }
  int forget_units(Id experiment, int most) override {
    return forget(kept_.units, most,
                  [&](const auto& each) { return each.first.first == experiment; });
  }
  void forget_expired(Time now, int most) override {
    const int left = most - forget_first(kept_.replies, now, most);
    forget_first(kept_.units, now, left);
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
  using Store::operations;
  std::vector<OperationRow> operations(int, std::int64_t) override { return kept_.operations; }
  std::vector<ApiKeyRow> keys() override {
    std::vector<ApiKeyRow> all;
    for (const auto& [id, row] : kept_.keys) all.push_back(row);
    return all;
  }
  std::int64_t changes_by_others() override { return 0; }
  void tidy() override {}

 protected:
  void set_number(const Tag& number) { kept_.number = number; }
  bool is_full() const noexcept { return full_; }

 private:
  static void need(bool holds, const char* what) {
    if (!holds) throw StoreFailed(what);
  }
  template <class Map, class Key>
  static std::optional<typename Map::mapped_type> find(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
  }
  static constexpr int kAll = 1 << 30;

  template <class T>
  void set(T& number, T value) {
    undo_.emplace_back([&number, before = number] { number = before; });
    number = value;
  }
  template <class Map>
  void set(Map& map, const typename Map::key_type& key, const typename Map::mapped_type& value) {
    undo_.emplace_back([&map, key, before = find(map, key)] {
      if (before) {
        map[key] = *before;
      } else {
        map.erase(key);
      }
    });
    map[key] = value;
  }
  template <class T>
  void append(std::vector<T>& all, const T& row) {
    undo_.emplace_back([&all] { all.pop_back(); });
    all.push_back(row);
  }
  /// Of those that expire, the first.
  template <class Map>
  int forget_first(Map& map, Time now, int most) {
    std::vector<std::pair<Time, typename Map::key_type>> over;
    for (const auto& [key, row] : map) {
      if (row.expires > 0 && row.expires <= now) over.emplace_back(row.expires, key);
    }
    std::sort(over.begin(), over.end());
    over.resize(std::min(over.size(), static_cast<std::size_t>(std::max(0, most))));
    for (const auto& [expires, key] : over) {
      forget(map, 1, [&](const auto& each) { return each.first == key; });
    }
    return static_cast<int>(over.size());
  }
  template <class Map, class Which>
  int forget(Map& map, int most, Which which) {
    int forgotten = 0;
    for (auto at = map.begin(); at != map.end() && forgotten < most;) {
      if (!which(*at)) {
        ++at;
        continue;
      }
      ++forgotten;
      undo_.emplace_back([&map, before = *at] { map.insert(before); });
      at = map.erase(at);
    }
    return forgotten;
  }

  Kept kept_;
  std::vector<std::function<void()>> undo_;  // of what is not committed
  bool full_ = false;
  int sealed_ever_ = 0;
};

}  // namespace tacit::model
