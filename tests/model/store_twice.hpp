// A store that is kept twice, in memory and on a disk: whatever is read is the same.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "model/store_in_memory.hpp"
#include "tacit/service/folder_test.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"

namespace tacit::model {

class StoreTwice final : public StoreInMemory {
 public:
  StoreTwice() : folder_(std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp") { open(); }

  void reopened() override { open(); }

  Snapshot load() override {
    Snapshot kept = disk_->load();
    same(text_of(kept), text_of(StoreInMemory::load()), "a store");
    return kept;
  }
  void begin() override {
    StoreInMemory::begin();
    disk_->begin();
  }
  void commit() override {
    if (!is_full()) disk_->commit();
    StoreInMemory::commit();
  }
  void roll_back() noexcept override {
    disk_->roll_back();
    StoreInMemory::roll_back();
  }

  void put_clock(Time clock) override {
    disk_->put_clock(clock);
    StoreInMemory::put_clock(clock);
  }
  void put_marks(std::uint64_t releases, std::uint64_t debits) override {
    disk_->put_marks(releases, debits);
    StoreInMemory::put_marks(releases, debits);
  }
  void put(const ExperimentRow& row) override { both(row); }
  void put(const ProgressRow& row) override { both(row); }
  void put(const SlotRow& row) override { both(row); }
  void put(const SealedRow& row) override { both(row); }
  void put(const PopulationRow& row) override { both(row); }
  void put(const UnitRow& row) override { both(row); }
  void put(const ReplyRow& row) override { both(row); }
  void put(const ApiKeyRow& row) override { both(row); }
  void put(const IncarnationRow& row) override { both(row); }
  void add(const ReleaseRow& row, std::int64_t generation) override {
    disk_->add(row, generation);
    StoreInMemory::add(row, generation);
  }
  void add(const DebitRow& row) override {
    disk_->add(row);
    StoreInMemory::add(row);
  }
  void add(const OperationRow& row) override {
    disk_->add(row);
    StoreInMemory::add(row);
  }
  void add(const TrafficRow& row) override {
    disk_->add(row);
    StoreInMemory::add(row);
  }
  void forget_slot(Id experiment, Slot slot) override {
    disk_->forget_slot(experiment, slot);
    StoreInMemory::forget_slot(experiment, slot);
  }
  void forget_slots(Id experiment) override {
    disk_->forget_slots(experiment);
    StoreInMemory::forget_slots(experiment);
  }
  int forget_units(Id experiment, int most) override {
    const int forgotten = StoreInMemory::forget_units(experiment, most);
    same(disk_->forget_units(experiment, most), forgotten, "units that are forgotten");
    return forgotten;
  }
  void forget_expired(Time now, int most) override {
    disk_->forget_expired(now, most);
    StoreInMemory::forget_expired(now, most);
  }

  std::optional<UnitRow> unit(Id experiment, const Tag& tag) override {
    auto row = disk_->unit(experiment, tag);
    same(text_of(row), text_of(StoreInMemory::unit(experiment, tag)), "a unit");
    return row;
  }
  std::optional<ReplyRow> reply(const Tag& tag) override {
    auto row = disk_->reply(tag);
    same(text_of(row), text_of(StoreInMemory::reply(tag)), "a reply");
    return row;
  }

 private:
  void open() {
    disk_.reset();
    disk_ = std::make_unique<SqliteStore>(folder_.file());
    set_number(disk_->load().store);
  }
  template <class Row>
  void both(const Row& row) {
    disk_->put(row);
    StoreInMemory::put(row);
  }
  template <class T>
  static void same(const T& disk, const T& memory, const char* what) {
    if (disk == memory) return;
    throw std::logic_error(
        fmt::format("{} is not as it was put into the store: {}, and not {}", what, disk, memory));
  }

  static std::string text_of(const Tag& tag) { return std::string(tag.begin(), tag.end()); }
  static std::string text_of(const std::optional<UnitRow>& row) {
    if (!row) return "none";
    return fmt::format("{} {} {} {}", row->used, row->sticky, row->expires, row->sticky_until);
  }
  static std::string text_of(const std::optional<ReplyRow>& row) {
    if (!row) return "none";
    return fmt::format("{} {} {}", text_of(row->request), row->answer, row->expires);
  }
  static std::string text_of(const Snapshot& all) {
    std::string text =
        fmt::format("clock {} releases {} debits {}", all.clock, all.releases, all.debits);
    for (const auto& row : all.experiments) {
      text += fmt::format("\nexperiment {} {} {} {} {} {} {} {}", row.id, row.name, row.spec,
                          row.population, static_cast<int>(row.state), row.why, row.generation,
                          row.created);
    }
    for (const auto& row : all.progress) {
      text += fmt::format("\nprogress {} {} {} {} {}", row.experiment, row.decisions, row.recorded,
                          row.version, row.learned);
    }
    for (const auto& row : all.slots) {
      text += fmt::format("\nslot {} {} {} {} {} {} {}", row.experiment, row.slot.arm,
                          row.slot.phase, row.n, static_cast<int>(row.state), row.opened, row.ripe);
    }
    for (const auto& row : all.sealed) {
      text += fmt::format("\nsealed {} {} {} {} {} {}", row.experiment, row.slot.arm,
                          row.slot.phase, row.block, row.key, row.sealed);
    }
    for (const auto& row : all.made) {
      text += fmt::format("\nrelease {} {} {} {} {} {} {}", row.experiment, row.version,
                          row.slot.arm, row.slot.phase, row.n, row.noises, row.at);
      for (const double value : row.values) text += fmt::format(" {}", value);
    }
    for (const auto& row : all.populations) {
      text +=
          fmt::format("\npopulation {} {} {} {}", row.id, row.name, row.epsilon, row.user_level);
    }
    for (const auto& row : all.debited) {
      text += fmt::format("\ndebit {} {} {} {} {}", row.population, row.experiment, row.epsilon,
                          row.reason, row.at);
    }
    for (const auto& row : all.incarnations) {
      text += fmt::format("\nstart {} {}", row.incarnation, row.last);
    }
    for (const auto& row : all.traffic) {
      text += fmt::format("\ntraffic {} {} {}", row.experiment, row.arm, row.decisions);
    }
    return text;
  }

  Folder folder_;
  std::unique_ptr<SqliteStore> disk_;
};

}  // namespace tacit::model
