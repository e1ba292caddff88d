// An experiment as the store has it: what is written, and how it is taken up again from there.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/state.hpp"
#include "tacit/service/experiment.hpp"

namespace tacit::service {
namespace {

constexpr Time kGraceAfterRestart = 2 * kSecond;

}  // namespace

std::string Experiment::belonging(Slot slot, Round block) const {
  return fmt::format("{}/{}/{}/{}/{}", row_.id, row_.generation, slot.arm, slot.phase, block);
}

std::string Experiment::learned() const {
  if (!local()) return "";
  StateWriter writer;
  learner_->save(writer);
  StateWriter of_log;
  if (log_) of_log(*log_);
  return writer.text() + "\n" + of_log.text();
}

void Experiment::set_learned(const std::string& text) {
  known_.reset();
  const std::size_t line = text.find('\n');
  if (line == std::string::npos) return;
  const std::string of_learner = text.substr(0, line);
  const std::string of_log = text.substr(line + 1);
  StateReader reader(of_learner);
  learner_->load(reader);
  if (!log_) return;
  StateReader log_reader(of_log);
  log_reader(*log_);
}

// ---- to the store

void Experiment::write_sums(Store& store, const KeyRing& ring, Slot slot,
                            const Account& account) const {
  store.put(SealedRow{.experiment = row_.id,
                      .slot = slot,
                      .block = -1,
                      .key = ring.sealing_number(),
                      .sealed = account.sealed_sums(ring.sealing(), belonging(slot, -1))});
}

void Experiment::write_block(Store& store, const KeyRing& ring, Slot slot, Round block,
                             const Account& account) const {
  store.put(
      SealedRow{.experiment = row_.id,
                .slot = slot,
                .block = block,
                .key = ring.sealing_number(),
                .sealed = account.sealed_block(block, ring.sealing(), belonging(slot, block))});
}

void Experiment::write_page(Store& store, Round number, const OpenPage& page) const {
  const Slot slot{kPages, number};
  store.put(SlotRow{.experiment = row_.id,
                    .slot = slot,
                    .n = page.page.places(),
                    .state = page.ripe == 0 ? SlotState::kFilling : SlotState::kFull,
                    .opened = 0,
                    .ripe = page.ripe});
  store.put(SealedRow{
      .experiment = row_.id, .slot = slot, .block = 0, .key = 0, .sealed = page.page.bytes()});
}

void Experiment::write(Store& store, const KeyRing& ring) {
  if (row_changed_) store.put(row_);
  if (progress_changed_) {
    progress_.learned = learned();
    store.put(progress_);
  }
  for (const Slot& slot : changed_) {
    const OpenSlot& open = open_.at(slot);
    store.put(SlotRow{.experiment = row_.id,
                      .slot = slot,
                      .n = open.account.places(),
                      .state = open.state,
                      .opened = open.opened,
                      .ripe = open.ripe});
  }
  changed_sums_.insert(changed_.begin(), changed_.end());  // a choice may have opened a block
  for (const Slot& slot : changed_sums_) {
    Account& account = open_.at(slot).account;
    write_sums(store, ring, slot, account);
    for (const Round block : account.take_changed_blocks()) {
      write_block(store, ring, slot, block, account);
    }
  }
  for (const Round number : changed_pages_) write_page(store, number, pages_.at(number));
  row_changed_ = progress_changed_ = false;
  changed_.clear();
  changed_sums_.clear();
  changed_pages_.clear();
}

void Experiment::write_sealed(Store& store, const KeyRing& ring) {
  for (auto& [slot, open] : open_) {
    write_sums(store, ring, slot, open.account);
    for (Round block = 0; block < open.account.blocks(); ++block) {
      write_block(store, ring, slot, block, open.account);
    }
  }
}

// ---- from the store

/// What no service has written: it would end in sums that are wrong, or not at all.
void Experiment::check_rows(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
                            const std::vector<SlotRow>& slots) const {
  if (progress.version != static_cast<Round>(made.size())) {
    throw std::runtime_error(fmt::format("it says that it has made {} releases, and there are {}",
                                         progress.version, made.size()));
  }
  for (const ReleaseRow& row : made) {
    const bool one =
        row.slot.arm != kAllArms || std::holds_alternative<curators::NoisyLeaderPlan>(plan_);
    const std::size_t numbers = one ? 1 : static_cast<std::size_t>(arms());
    if (row.values.size() != numbers) {
      throw std::runtime_error(fmt::format("release {} has {} numbers, and not {}", row.version,
                                           row.values.size(), numbers));
    }
  }
  for (const SlotRow& row : slots) {
    if (row.n < 0 || row.n > progress.recorded) {
      throw std::runtime_error(fmt::format("{} of its decisions are under way, of {} ever recorded",
                                           row.n, progress.recorded));
    }
  }
}

void Experiment::replay(const std::vector<ReleaseRow>& made) {
  for (const ReleaseRow& row : made) {
    if (row.slot.arm != kHoldout && learner_->assign(row.slot, row.n) == 0) {
      learner_->seal(row.slot);
    }
    phase_[row.slot.arm] = row.slot.phase + 1;
    deliver(row);
  }
}

void Experiment::restore_slot(const SlotRow& row, Time now) {
  OpenSlot open{
      .account = Account(all_arms() ? static_cast<std::size_t>(arms()) : 1, spec_->missing),
      .state = row.state,
      .opened = row.opened,
      .ripe = row.ripe};
  open.account.set_places(row.n);
  open_.insert_or_assign(row.slot, std::move(open));
  phase_[row.slot.arm] = row.state == SlotState::kFull ? row.slot.phase + 1 : row.slot.phase;
  const bool full = assign(row.slot, row.n) > 0;
  if (row.state == SlotState::kFull && !full) seal(row.slot);
  // A learner that plans phases by what it knows may plan it shorter now.
  if (row.state == SlotState::kFilling && full) close(row.slot, now + kGraceAfterRestart);
}

void Experiment::restore_page(const SlotRow& row) {
  OpenPage open;
  open.page.set(row.n, "");
  open.ripe = row.ripe;
  pages_.insert_or_assign(row.slot.phase, std::move(open));
  page_ = std::max(page_, row.state == SlotState::kFull ? row.slot.phase + 1 : row.slot.phase);
}

void Experiment::open_sealed(const SealedRow& row, const KeyRing& ring) {
  if (row.slot.arm == kPages) {
    const auto page = pages_.find(row.slot.phase);
    if (page != pages_.end()) page->second.page.set(page->second.page.places(), row.sealed);
    return;
  }
  const auto open = open_.find(row.slot);
  const auto key = ring.state.find(row.key);
  if (open == open_.end() || key == ring.state.end() ||
      row.block >= open->second.account.blocks()) {
    throw InvalidParameter(Option{"sealed state"}, Withheld{}, "belongs to no slot that is open");
  }
  if (row.block < 0) {
    open->second.account.open_sums(row.sealed, key->second, belonging(row.slot, -1));
  } else {
    open->second.account.open_block(row.block, row.sealed, key->second,
                                    belonging(row.slot, row.block));
  }
}

bool Experiment::restore(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
                         const std::vector<SlotRow>& slots, const std::vector<SealedRow>& sealed,
                         const KeyRing& ring, Time now) {
  check_rows(progress, made, slots);
  begin_anew();
  progress_ = progress;
  progress_.learned.clear();
  published_ = progress_.version;
  replay(made);
  set_learned(progress.learned);
  std::vector<SlotRow> in_order = slots;
  std::sort(in_order.begin(), in_order.end(),
            [](const SlotRow& a, const SlotRow& b) { return a.slot < b.slot; });
  std::size_t accounts = 0;
  std::size_t blocks = 0;
  for (const SlotRow& row : in_order) {
    if (row.slot.arm == kPages) {
      restore_page(row);
      continue;
    }
    restore_slot(row, now);
    ++accounts;
    blocks += static_cast<std::size_t>(open_.at(row.slot).account.blocks());
  }
  std::size_t opened = 0;
  try {
    for (const SealedRow& row : sealed) {
      open_sealed(row, ring);
      if (row.slot.arm != kPages) ++opened;
    }
  } catch (const InvalidParameter&) {
    return false;
  }
  return opened == accounts + blocks;
}

void Experiment::abandon(const ProgressRow& progress, const std::vector<ReleaseRow>& made,
                         const std::string& why) {
  begin_anew();
  progress_ = progress;
  progress_.learned.clear();
  published_ = progress_.version;
  replay(made);
  set_learned(progress.learned);
  ++row_.generation;
  row_.why = why;
  row_changed_ = progress_changed_ = true;
}

}  // namespace tacit::service
