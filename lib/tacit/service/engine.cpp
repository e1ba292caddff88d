#include "tacit/service/engine.hpp"

#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/random/distributions.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

Tag keyed_tag(const unsigned char* from, std::size_t size, const KeyBytes& key) {
  Tag tag{};
  crypto_generichash(tag.data(), tag.size(), from, size, key.data(), key.size());
  return tag;
}

/// Of a deferred event: its activation is remembered under it.
Tag tag_of(const Event& event, const KeyBytes& key) {
  std::array<unsigned char, 1 + sizeof event.incarnation + sizeof event.number> bytes{'a'};
  std::memcpy(bytes.data() + 1, &event.incarnation, sizeof event.incarnation);
  std::memcpy(bytes.data() + 1 + sizeof event.incarnation, &event.number, sizeof event.number);
  return keyed_tag(bytes.data(), bytes.size(), key);
}

bool is_eligible(const DecideRequest& request, const Event& event) {
  const std::vector<Arm>& named = request.eligible;
  return named.empty() || std::all_of(event.arms.begin(), event.arms.end(), [&](Arm arm) {
           return std::find(named.begin(), named.end(), arm) != named.end();
         });
}

bool any_retired(const Spec& spec) {
  return std::any_of(spec.arms.begin(), spec.arms.end(),
                     [](const ArmSpec& arm) { return arm.retired; });
}

}  // namespace

// ---- decisions

Experiment& Engine::mutable_at(Id experiment) {
  const auto found = experiments_.find(experiment);
  if (found == experiments_.end()) {
    throw Problem(404, "experiment", "experiment: there is no such experiment");
  }
  touched_.insert(experiment);
  return *found->second;
}

std::span<const Arm> Engine::eligible(const Experiment& experiment, const DecideRequest& request) {
  const Spec& spec = experiment.spec();
  if (request.eligible.empty() && !any_retired(spec)) return {};
  eligible_.clear();
  const auto add = [&](Arm arm) {
    if (!spec.arms[static_cast<std::size_t>(arm)].retired) eligible_.push_back(arm);
  };
  if (request.eligible.empty()) {
    for (Arm arm = 0; arm < experiment.arms(); ++arm) add(arm);
  } else {
    for (const Arm arm : request.eligible) {
      if (arm >= 0 && arm < experiment.arms()) add(arm);
    }
  }
  if (eligible_.empty()) {
    throw Problem(422, "eligible",
                  "eligible: none of these arms may be shown; name one that is not retired");
  }
  return eligible_;
}

bool Engine::held_out(const Experiment& experiment, const DecideRequest& request) {
  const double share = experiment.spec().holdout;
  if (share <= 0) return false;
  if (!request.unit) return random::uniform_open(coins_.decisions()) < share;
  // The same unit always, in every period.
  std::array<unsigned char, sizeof(Id) + std::tuple_size_v<UnitHash>> bytes{};
  std::memcpy(bytes.data(), &request.experiment, sizeof(Id));
  std::memcpy(bytes.data() + sizeof(Id), request.unit->data(), request.unit->size());
  const Tag tag = keyed_tag(bytes.data(), bytes.size(), ring_.ingress);
  std::uint64_t word = 0;
  std::memcpy(&word, tag.data(), sizeof word);
  return std::ldexp(static_cast<double>(word), -64) < share;
}

Event Engine::choose(Experiment& experiment, const DecideRequest& request, Time now) {
  Event event{.incarnation = ring_.incarnation,
              .experiment = request.experiment,
              .generation = experiment.row().generation,
              .deadline = experiment.spec().deadline(now),
              .deferred = request.defer};
  const std::span<const Arm> allowed = eligible(experiment, request);
  const auto is_allowed = [&](Arm arm) {
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), arm) != allowed.end();
  };
  if (held_out(experiment, request) && is_allowed(experiment.spec().control)) {
    experiment.hold_out(event);
    return event;
  }
  if (const double floor = experiment.spec().floor; floor > 0) {
    const int arms = allowed.empty() ? experiment.arms() : static_cast<int>(allowed.size());
    random::SimulationStream& coins = coins_.decisions();
    if (random::uniform_open(coins) < std::min(1.0, floor * arms)) {
      const int which = random::uniform_index(coins, arms);
      experiment.choose_arm(
          allowed.empty() ? static_cast<Arm>(which) : allowed[static_cast<std::size_t>(which)],
          event);
      return event;
    }
  }
  experiment.choose(allowed, event);
  return event;
}

Event Engine::stopped(const Experiment& experiment, Time now) {
  Event event{.incarnation = ring_.incarnation,
              .experiment = experiment.row().id,
              .generation = experiment.row().generation,
              .deadline = experiment.spec().deadline(now)};
  experiment.fall_back(event);
  return event;
}

Decision Engine::answer(const Experiment& experiment, Event& event) {
  event.number = ++number_;
  return answer(experiment, event, tokens_.token(event));
}

Decision Engine::answer(const Experiment& experiment, const Event& event, std::string token) const {
  Decision decision{.event = std::move(token),
                    .arms = event.arms,
                    .observe = {},
                    .deadline = event.deadline,
                    .version = experiment.version(),
                    .fallback = event.fallback};
  if (experiment.by_stop()) return decision;  // its list is answered by a position
  for (const Place& place : event.places) {
    decision.observe.push_back(place.slot.arm == kHoldout ? event.arms[0] : place.slot.arm);
  }
  return decision;
}

void Engine::count(const Event& event) {
  for (const Arm arm : event.arms) {
    ++decisions_[{event.experiment, arm}];
    ++unwritten_traffic_[{event.experiment, clock_ - clock_ % kHour, arm}];
  }
}

Decision Engine::again(Experiment& experiment, Event event, const DecideRequest& request,
                       UnitRow& unit, Time now) {
  if (!request.record) {
    event.incarnation = ring_.incarnation;
    event.deadline = experiment.spec().deadline(now);
    event.deferred = request.defer;
    experiment.leave_out(event);
    return answer(experiment, event);
  }
  if (!event.deferred || request.defer) return answer(experiment, event, unit.sticky);
  // What was fetched before is shown now.
  const std::string token = activate(event, now);
  const Event active = *tokens_.read(token);
  // Not because its time was over or the cap is reached, which is not to be seen: because of a pause, or of a control that is none
  // any more.
  const bool kept_out = event.recorded && now <= event.deadline && !active.recorded;
  unit.sticky = kept_out ? "" : token;
  return answer(experiment, active, token);
}

Decision Engine::decide(const DecideRequest& request, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(request.experiment);
  if (experiment.stopped()) {
    Event event = stopped(experiment, now);
    return answer(experiment, event);
  }
  // Else it is not learned from, and that is not to stick.
  bool counts = request.record && experiment.running();
  UnitRow* unit = nullptr;
  if (request.unit && (experiment.spec().user_level() || experiment.spec().sticky_for > 0)) {
    if (const KeyBytes* key = unit_key(experiment, counts, now)) {
      unit = &unit_row(request.experiment, tag_of_unit(*request.unit, *key));
      if (const auto event = stuck_to(experiment, *unit, now)) {
        if (is_eligible(request, *event)) return again(experiment, *event, request, *unit, now);
        counts = false;  // its place in a sum is that of what sticks, which goes on to
      }
    }
  }
  Event event = choose(experiment, request, now);
  const bool recorded = counts && may_record(experiment, unit);
  if (recorded && unit != nullptr) ++unit->used;
  if (request.defer) {
    event.recorded = recorded;  // whether it will be, when it is shown
  } else {
    if (recorded) {
      experiment.record(event, now);
    } else {
      experiment.leave_out(event);
    }
    experiment.count_decision();
    count(event);
  }
  Decision decision = answer(experiment, event);
  if (unit != nullptr && counts && experiment.spec().sticky_for > 0) {
    unit->sticky = decision.event;
    unit->sticky_until = now + experiment.spec().sticky_for;
  }
  if (unit != nullptr) unit->expires = end_of(experiment, *unit, now);
  return decision;
}

Decision Engine::decide_without_store(const DecideRequest& request, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(request.experiment);
  Event event = experiment.stopped() ? stopped(experiment, now) : choose(experiment, request, now);
  if (!event.fallback) experiment.leave_out(event);
  event.deferred = false;
  return answer(experiment, event);
}

// ---- what comes back

bool Engine::known(const Event& event) const {
  if (event.incarnation == ring_.incarnation) return event.number <= number_;
  const auto earlier = durable_.find(event.incarnation);
  return earlier != durable_.end() && event.number <= earlier->second;
}

std::string Engine::activate(const Event& event, Time now) {
  now = later(now);
  if (!event.deferred) return tokens_.token(event);
  const Tag tag = tag_of(event, ring_.ingress);
  if (const auto earlier = reply(tag, now)) return earlier->answer;
  Event active = event;
  active.deferred = false;
  active.incarnation = ring_.incarnation;
  active.number = ++number_;
  active.deadline = now;
  active.recorded = false;  // of an experiment that there is not nothing is
  const auto found = experiments_.find(event.experiment);
  if (found != experiments_.end()) {
    Experiment& experiment = mutable_at(event.experiment);
    active.deadline = experiment.spec().deadline(now);
    const bool counts = event.recorded && known(event) && now <= event.deadline &&
                        event.generation == experiment.row().generation && experiment.running() &&
                        !experiment.is_of_another_control(event) &&
                        was_asked_for_in_this_period(experiment, event, now);
    if (counts) {
      experiment.record(active, now);
    } else {
      experiment.leave_out(active);
    }
    if (!experiment.stopped()) {
      experiment.count_decision();
      count(active);
    }
  }
  const std::string token = tokens_.token(active);
  // Once its time is over a second activation would not be recorded either.
  keep({.tag = tag, .request = {}, .answer = token, .expires = event.deadline + kMinute});
  return token;
}

// When answers come is as secret as what they say: they do not move the clock that is kept.
void Engine::report(const Event& event, std::span<const privacy::Secret<Sum>> outcomes, Time now) {
  now = std::max(clock_, now);
  const auto found = experiments_.find(event.experiment);
  if (found == experiments_.end() || !known(event)) return;
  touched_.insert(event.experiment);
  found->second->report(event, outcomes, now);
}

void Engine::take(const Event& event, std::span<const double> report, Time now) {
  now = std::max(clock_, now);
  const auto found = experiments_.find(event.experiment);
  if (found == experiments_.end()) return;
  found->second->check_report(event, report);
  if (!known(event)) return;
  touched_.insert(event.experiment);
  found->second->take(event, report, now);
}

std::optional<ReplyRow> Engine::reply(const Tag& tag, Time now) {
  std::optional<ReplyRow> found;
  if (const auto unwritten = replies_.find(tag); unwritten != replies_.end()) {
    found = unwritten->second;
  } else {
    found = parts_.store.reply(tag);
  }
  return found && found->expires > now ? found : std::nullopt;
}

void Engine::keep(const ReplyRow& reply) { replies_[reply.tag] = reply; }

// ---- the batch and the tick

void Engine::write() {
  Store& store = parts_.store;
  for (const Id id : touched_) experiments_.at(id)->write(store, ring_);
  touched_.clear();
  for (const auto& [of, decisions] : unwritten_traffic_) {
    const auto& [experiment, hour, arm] = of;
    store.add(
        TrafficRow{.experiment = experiment, .arm = arm, .hour = hour, .decisions = decisions});
  }
  unwritten_traffic_.clear();
  const std::size_t kept = units_.size() + replies_.size();
  for (const auto& [of, row] : units_) {
    // Nothing is known of a unit whose request was refused: its row would stay for good.
    if (row.used > 0 || !row.sticky.empty()) store.put(row);
  }
  units_.clear();
  for (const auto& [tag, row] : replies_) store.put(row);
  replies_.clear();
  // Twice as many as come, so that those that are over never pile up, however fast they come and however rarely something is due.
  if (kept > 0) store.forget_expired(clock_, static_cast<int>(2 * kept));
  forget_nobodies(static_cast<int>(2 * kept));
  for (const PopulationRow& row : unwritten_populations_) store.put(row);
  unwritten_populations_.clear();
  if (!unwritten_debits_.empty()) {
    for (const DebitRow& row : unwritten_debits_) store.add(row);
    unwritten_debits_.clear();
    store.put_marks(releases_, debits_);
  }
  for (const OperationRow& row : unwritten_operations_) store.add(row);
  unwritten_operations_.clear();
  for (const ApiKeyRow& row : unwritten_keys_) store.put(row);
  unwritten_keys_.clear();
  if (written_number_ != number_) {
    store.put(IncarnationRow{.incarnation = ring_.incarnation, .last = number_});
    written_number_ = number_;
  }
  if (written_clock_ != clock_) {
    store.put_clock(clock_);
    written_clock_ = clock_;
  }
}

Time Engine::next_due() const {
  Time next = Experiment::kNever;
  for (const auto& [id, experiment] : experiments_) next = std::min(next, experiment->next_due());
  return next;
}

bool Engine::anything_due(Time now) const {
  if (!touched_.empty() || written_number_ != number_ || !unwritten_operations_.empty() ||
      !nobodies_.empty()) {
    return true;
  }
  return next_due() <= now;
}

void Engine::tick(Time now) {
  now = later(now);
  Store& store = parts_.store;
  for (auto& [id, experiment] : experiments_) {
    experiment->close_old(now);
    std::vector<ReleaseRow> rows = experiment->release_ripe(parts_.releaser, now);
    for (ReleaseRow& row : rows) {
      store.add(row, experiment->row().generation);
      store.forget_slot(id, row.slot);
      drawn_.push_back(std::move(row));
    }
    for (const Slot& page : experiment->drop_old_pages(now)) store.forget_slot(id, page);
    touched_.insert(id);
  }
  constexpr int kForgottenAtOnce = 500;
  store.forget_expired(now, kForgottenAtOnce);
  forget_nobodies(kForgottenAtOnce);
  if (drawn_.empty()) return;
  releases_ += drawn_.size();
  store.put_marks(releases_, debits_);
}

std::vector<ReleaseRow> Engine::publish() {
  if (!drawn_.empty() || ring_changed_) {
    ring_.releases = releases_;
    ring_.debits = debits_;
    for (const auto& [id, population] : populations_) {
      double& spent = ring_.spent[id];
      spent = std::max(spent, population.budget.spent());
    }
    parts_.keys.write(ring_);
    ring_changed_ = false;
  }
  std::vector<ReleaseRow> released = std::exchange(drawn_, {});
  for (const ReleaseRow& row : released) {
    experiments_.at(row.experiment)->publish({row});
  }
  return released;
}

// ---- what may be told

const Experiment* Engine::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : experiments_.at(found->second).get();
}

const Experiment& Engine::at(Id experiment) const {
  const auto found = experiments_.find(experiment);
  if (found == experiments_.end()) {
    throw Problem(404, "experiment", "experiment: there is no such experiment");
  }
  return *found->second;
}

std::vector<const Experiment*> Engine::experiments() const {
  std::vector<const Experiment*> all;
  for (const auto& [id, experiment] : experiments_) all.push_back(experiment.get());
  return all;
}

std::vector<Engine::PopulationView> Engine::populations() const {
  std::vector<PopulationView> views;
  for (const auto& [id, population] : populations_) {
    views.push_back({population.row, population.budget.spent(), population.budget.left()});
  }
  std::sort(views.begin(), views.end(), [](const PopulationView& a, const PopulationView& b) {
    return a.row.name < b.row.name;
  });
  return views;
}

std::vector<TrafficRow> Engine::traffic(Id experiment, Time from) {
  std::map<std::pair<Time, Arm>, TrafficRow> all;
  for (const TrafficRow& row : parts_.store.traffic(experiment, from)) {
    all.emplace(std::pair(row.hour, row.arm), row);
  }
  for (const auto& [of, decisions] : unwritten_traffic_) {
    const auto& [id, hour, arm] = of;
    if (id != experiment || hour < from) continue;
    TrafficRow& row = all[{hour, arm}];
    row = {.experiment = id, .arm = arm, .hour = hour, .decisions = row.decisions + decisions};
  }
  std::vector<TrafficRow> rows;
  for (const auto& [at, row] : all) rows.push_back(row);
  return rows;
}

std::shared_ptr<const Directory> Engine::directory() {
  if (directory_) return directory_;
  auto directory = std::make_shared<Directory>();
  for (const auto& [id, experiment] : experiments_) {
    const auto card = std::make_shared<const ExperimentCard>(card_of(*experiment));
    directory->by_id.emplace(id, card);
    directory->by_name.emplace(card->name, card);
  }
  for (const ApiKeyRow& key : api_keys_) {
    if (key.revoked == 0) directory->keys.emplace(key.id, key);
  }
  directory->tokens = tokens_;
  directory->ingress = ring_.ingress;
  directory_ = std::move(directory);
  return directory_;
}

}  // namespace tacit::service
