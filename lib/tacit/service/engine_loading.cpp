// How an engine begins: from what the store and the key ring say, whatever a crash or an old copy has made of the two. And how the
// key of everything secret is replaced.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>
#include <nlohmann/json.hpp>

#include "tacit/service/engine.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

template <class Row>
std::map<Id, std::vector<Row>> by_experiment(const std::vector<Row>& rows) {
  std::map<Id, std::vector<Row>> sorted;
  for (const Row& row : rows) sorted[row.experiment].push_back(row);
  return sorted;
}

random::Dice fresh_coins() {
  std::uint64_t number = 0;
  randombytes_buf(&number, sizeof number);
  return random::Dice::numbered(number);
}

/// What is done between begin() and commit(), or not at all.
class Batch {
 public:
  explicit Batch(Store& store) : store_(store) { store_.begin(); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    if (open_) store_.roll_back();
  }
  void commit() {
    store_.commit();
    open_ = false;
  }

 private:
  Store& store_;
  bool open_ = true;
};

/// What filled the disk may be the store's own log, and then nothing could be written ever again.
void make_room(Store& store) {
  try {
    store.tidy();
  } catch (const StoreFailed&) {  // then there is room, or what is written next says why not
  }
}

}  // namespace

Engine::Engine(const Parts& parts, Time now)
    : parts_(parts), coins_(parts.coins ? parts.coins() : fresh_coins()) {
  load(now);
}

void Engine::load(Time now) {
  make_room(parts_.store);
  ring_ = parts_.keys.read();
  const Snapshot snapshot = parts_.store.load();
  if (ring_.store == Tag{} && !snapshot.experiments.empty()) {
    throw std::runtime_error(
        "the key file is a new one, and the store is not: give the key file that the store was "
        "begun with, or begin a new store");
  }
  if (ring_.store != Tag{} && ring_.store != snapshot.store) {
    throw std::runtime_error(
        "the key file belongs to another store: give the one that this store was begun with");
  }
  ring_.store = snapshot.store;
  tokens_ = ring_.token_keys();
  clock_ = std::max(snapshot.clock, now);
  // Of a clock that was ahead: its hour would not end.
  ring_.rotated = std::min(ring_.rotated, clock_);
  releases_ = std::max(snapshot.releases, ring_.releases);
  debits_ = snapshot.debits;
  const bool behind = snapshot.releases < ring_.releases;
  for (const IncarnationRow& row : snapshot.incarnations) {
    durable_[row.incarnation] = row.last;
    ring_.incarnation = std::max(ring_.incarnation, row.incarnation);
  }
  ++ring_.incarnation;
  for (const TrafficRow& row : snapshot.traffic) {
    decisions_[{row.experiment, row.arm}] += row.decisions;
  }
  api_keys_ = snapshot.keys;

  // First: what is sealed again below is lost with a key that the disk has not got, since of a write that failed nobody knows; and
  // while keys cannot be written nothing is to be begun that is not finished.
  parts_.keys.write(ring_);
  Batch batch(parts_.store);
  load_populations(snapshot);
  catch_up_with_ring(clock_);
  load_experiments(snapshot, behind, clock_);
  forget_lost_experiments();
  if (ring_.state.size() > 1) reseal();
  parts_.store.put(IncarnationRow{.incarnation = ring_.incarnation, .last = 0});
  parts_.store.put_marks(releases_, debits_);
  write();
  batch.commit();
  finish_rotation();
  // Before the first token: numbers of this start are nobody else's, and what the store knows cannot be taken back.
  ring_changed_ = true;
  publish();
}

void Engine::load_populations(const Snapshot& snapshot) {
  for (const PopulationRow& row : snapshot.populations) {
    populations_.emplace(row.id, Population{row, Budget(row.epsilon)});
  }
  for (const DebitRow& debit : snapshot.debited) {
    const auto found = populations_.find(debit.population);
    if (found != populations_.end()) found->second.budget.try_spend(debit.epsilon);
  }
}

/// What the ring knows to be spent of a population, and the store does not.
double Engine::spend_known(Id id, Time now) {
  const Population& population = populations_.at(id);
  const auto known = ring_.spent.find(id);
  if (known == ring_.spent.end()) return 0;
  const double missing = population.budget.missing_of(known->second);
  // What an earlier program wrote into the ring may differ by a rounding.
  constexpr double kRounding = 1e-12;
  if (missing <= kRounding * population.row.epsilon) return 0;
  try_debit(id, 0, missing, "spent after this copy of the store was made", now);
  return missing;
}

void Engine::catch_up_with_ring(Time now) {
  for (auto& [id, population] : populations_) {
    if (const double missing = spend_known(id, now); missing > 0) {
      notes_.push_back(
          fmt::format("population {}: {:.6g} of its epsilon was spent after this copy of the store "
                      "was made, and "
                      "stays spent",
                      population.row.name, missing));
    }
  }
}

void Engine::load_experiments(const Snapshot& snapshot, bool behind, Time now) {
  const auto progress = by_experiment(snapshot.progress);
  const auto slots = by_experiment(snapshot.slots);
  const auto sealed = by_experiment(snapshot.sealed);
  const auto made = by_experiment(snapshot.made);
  const auto of = [](const auto& rows, Id id) {
    const auto found = rows.find(id);
    return found == rows.end() ? typename std::decay_t<decltype(rows)>::mapped_type{}
                               : found->second;
  };
  for (const ExperimentRow& row : snapshot.experiments) {
    const auto rows = of(progress, row.id);
    const ProgressRow last = rows.empty() ? ProgressRow{.experiment = row.id} : rows.back();
    std::unique_ptr<Experiment> experiment;
    bool opened = false;
    try {
      experiment = std::make_unique<Experiment>(row, stored_spec(row.spec), parts_.dice(row.id));
      opened = experiment->restore(last, of(made, row.id), of(slots, row.id), of(sealed, row.id),
                                   ring_, now);
    } catch (const StoreFailed&) {
      throw;
    } catch (const std::exception& error) {
      throw StoreFailed(
          fmt::format("experiment {}: is damaged in the store: {}; put a backup in its place",
                      row.name, error.what()));
    }
    if (behind || !opened) {
      const std::string why =
          behind ? "the store was an older copy: what was under way is lost, so that nothing is "
                   "released twice"
                 : "what was under way could not be opened with these keys, and is lost";
      experiment->abandon(last, of(made, row.id), why);
      parts_.store.forget_slots(row.id);
      notes_.push_back(fmt::format("experiment {}: {}", row.name, why));
      if (behind && experiment->spec().user_level()) pay_again(*experiment, now);
    }
    const Spec& spec = experiment->spec();
    if (spec.keeps_units() && spec.client_units == ClientUnits::kAny &&
        row.spec.find("units_from_clients") == std::string::npos) {
      notes_.push_back(fmt::format(
          "experiment {}: anybody with a client key can ask for any unit, as it was made; PATCH "
          "units_from_clients to signed, or to any where names of units cannot be guessed",
          row.name));
    }
    touched_.insert(row.id);
    insert(std::move(experiment));
  }
}

/// Keys of units of experiments that this copy of the store has not: whoever has their number next is another.
void Engine::forget_lost_experiments() {
  const auto is_lost = [this](const auto& key) { return !experiments_.contains(key.first.first); };
  if (std::erase_if(ring_.units, is_lost) > 0) ring_changed_ = true;
  for (const auto& [id, experiment] : experiments_) {
    if (experiment->stopped()) nobodies_.insert(id);
  }
}

void Engine::insert(std::unique_ptr<Experiment> experiment) {
  const Id id = experiment->row().id;
  by_name_[experiment->row().name] = id;
  experiments_[id] = std::move(experiment);
  directory_.reset();
}

// ---- rotation

void Engine::reseal() {
  for (auto& [id, experiment] : experiments_) experiment->write_sealed(parts_.store, ring_);
}

void Engine::finish_rotation() {
  if (ring_.state.size() <= 1) return;
  // Nothing in the store is sealed under the earlier ones any more.
  ring_.state.erase(ring_.state.begin(), std::prev(ring_.state.end()));
  ring_changed_ = true;
}

void Engine::rotate(Time now, const std::string& by) {
  now = later(now);
  if (!by.empty()) note(by, "keys rotated", now);
  forget_old_units(now);
  ring_.state.emplace(ring_.sealing_number() + 1, privacy::SealingKey::fresh());
  parts_.keys.write(ring_);  // both, so that a crash on the way finds what opens either
  Batch batch(parts_.store);
  write();
  reseal();
  batch.commit();
  committed_ = true;
  finish_rotation();
  ring_.rotated = now;
  publish();
  parts_.store.tidy();
}

void Engine::reread_keys() {
  api_keys_ = parts_.store.keys();
  directory_.reset();
}

}  // namespace tacit::service
