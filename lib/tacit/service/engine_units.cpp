// Units: whose decisions stick, and how often each of them was recorded in a period. A unit is in the store under a tag of a key of
// its experiment and period. Whose key is erased is nobody from then on. Rows of nobodies expire with their period, or go when the
// experiment is over, piece by piece: there may be millions of them, and decisions do not wait for that.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/service/engine.hpp"

namespace tacit::service {

Tag Engine::tag_of_unit(const UnitHash& unit, const KeyBytes& key) {
  Tag tag{};
  crypto_generichash(tag.data(), tag.size(), unit.data(), unit.size(), key.data(), key.size());
  return tag;
}

UnitRow& Engine::unit_row(Id experiment, const Tag& tag) {
  const auto [at, is_new] = units_.try_emplace({experiment, tag});
  if (is_new) {
    const auto stored = parts_.store.unit(experiment, tag);
    at->second = stored ? *stored : UnitRow{.experiment = experiment, .tag = tag};
  }
  return at->second;
}

bool Engine::is_new_unit(const DecideRequest& request, Time now) {
  const Experiment& experiment = at(request.experiment);
  if (!request.unit || !experiment.spec().keeps_units() || !experiment.running()) return false;
  const auto key = ring_.units.find({request.experiment, period_of(experiment, now)});
  if (key == ring_.units.end()) return true;  // of a period that begins with it
  const UnitRow& unit = unit_row(request.experiment, tag_of_unit(*request.unit, key->second));
  return unit.used == 0 && unit.sticky.empty();
}

bool Engine::may_record(Experiment& experiment, UnitRow* unit) const {
  if (!experiment.running()) return false;
  if (!experiment.spec().user_level()) return true;
  return unit != nullptr && unit->used < *experiment.spec().cap;
}

std::optional<Event> Engine::stuck_to(const Experiment& experiment, const UnitRow& unit,
                                      Time now) const {
  if (experiment.spec().sticky_for == 0 || unit.sticky.empty() || now >= unit.sticky_until) {
    return {};
  }
  std::optional<Event> event = tokens_.read(unit.sticky);
  if (!event || event->generation != experiment.row().generation) return {};
  const bool any_retired = std::any_of(event->arms.begin(), event->arms.end(), [&](Arm arm) {
    return experiment.spec().arms.at(static_cast<std::size_t>(arm)).retired;
  });
  return any_retired ? std::nullopt : event;
}

std::int64_t Engine::period_of(const Experiment& experiment, Time now) {
  const Time period = experiment.spec().period;
  return period > 0 ? (now - experiment.row().created) / period : 0;
}

bool Engine::was_asked_for_in_this_period(const Experiment& experiment, const Event& event,
                                          Time now) {
  if (!experiment.spec().user_level()) return true;
  // Deadlines are rounded up to a second: it was asked for then at the earliest.
  const Time asked = event.deadline - experiment.spec().wait - (kSecond - 1);
  return period_of(experiment, std::max(asked, experiment.row().created)) ==
         period_of(experiment, now);
}

Time Engine::end_of(const Experiment& experiment, const UnitRow& unit, Time now) {
  const Spec& spec = experiment.spec();
  // How often a unit was recorded is known for the whole period; else there is nothing more to know of it then.
  if (!spec.user_level()) return unit.sticky_until;
  if (spec.period == 0) return 0;
  return experiment.row().created + (period_of(experiment, now) + 1) * spec.period;
}

void Engine::erase_unit_keys(Id experiment) {
  const auto first = ring_.units.lower_bound({experiment, 0});
  const auto last = ring_.units.lower_bound({experiment + 1, 0});
  if (first == last) return;
  ring_.units.erase(first, last);
  ring_changed_ = true;
  std::erase_if(units_, [&](const auto& each) { return each.first.first == experiment; });
}

void Engine::forget_nobodies(int most) {
  for (auto at = nobodies_.begin(); at != nobodies_.end() && most > 0;) {
    const int forgotten = parts_.store.forget_units(*at, most);
    at = forgotten < most ? nobodies_.erase(at) : std::next(at);
    most -= forgotten;
  }
}

const KeyBytes* Engine::unit_key(Experiment& experiment, bool pays, Time now) {
  const Id id = experiment.row().id;
  const Spec& spec = experiment.spec();
  const std::int64_t period = period_of(experiment, now);
  if (const auto found = ring_.units.find({id, period}); found != ring_.units.end()) {
    return &found->second;
  }
  if (spec.user_level() && !is_paid(experiment, now)) {
    const Id population = experiment.row().population;
    if (!pays) return nullptr;
    if (!try_debit(population, id, spec.debit(), fmt::format("period {}", period + 1), now)) {
      tell_unpaid(experiment, now);
      return nullptr;
    }
    const Population& of = populations_.at(population);
    note(
        "service",
        fmt::format("experiment {}: period {} of its users took {} out of population {}, which has "
                    "{} left",
                    experiment.row().name, period + 1, spec.debit(), of.row.name, of.budget.left()),
        now);
    // The debit may be lost with the batch, and then whoever finds the key would take the period for paid. By so much alone: what
    // others spend in this batch may be lost as well.
    ring_.spent[population] += spec.debit();
  }
  erase_unit_keys(id);  // of earlier periods, whose rows expire
  KeyBytes& key = ring_.units[{id, period}];
  randombytes_buf(key.data(), key.size());
  // Before anything that is stored rests on it: tags of a key that is lost would let a cap be used twice.
  parts_.keys.write(ring_);
  return &key;
}

bool Engine::is_paid(const Experiment& experiment, Time now) const {
  const std::int64_t period = period_of(experiment, now);
  if (ring_.units.contains({experiment.row().id, period})) return true;
  // The first period is paid for when the experiment is created. Where somebody was recorded in it and there is no key, it was
  // lost with how often: an older copy of the key file.
  return period == 0 && experiment.progress().recorded == 0;
}

std::string Engine::why_not_recorded(const Experiment& experiment, Time now) const {
  const Spec& spec = experiment.spec();
  if (!experiment.running() || !spec.user_level() || is_paid(experiment, now)) return "";
  const Population& population = populations_.at(experiment.row().population);
  if (population.budget.can_spend(spec.debit())) return "";
  return fmt::format("nothing is recorded: population {} has {} left, and a period takes {}",
                     population.row.name, population.budget.left(), spec.debit());
}

std::optional<std::int64_t> Engine::periods_left(const Experiment& experiment) const {
  const Spec& spec = experiment.spec();
  if (!spec.user_level() || spec.period == 0) return {};
  return populations_.at(experiment.row().population).budget.times(spec.debit());
}

/// Once, and again when there is even less: with the experiment it is kept that it was told.
void Engine::tell_unpaid(Experiment& experiment, Time now) {
  const std::string why = why_not_recorded(experiment, now);
  if (why == experiment.row().why) return;
  experiment.set_state(experiment.row().state, why);
  note("service", fmt::format("experiment {}: {}", experiment.row().name, why), now);
  budget_news_.push_back({.population = experiment.row().population,
                          .experiment = experiment.row().id,
                          .left = populations_.at(experiment.row().population).budget.left(),
                          .why = why});
}

/// How often its units were recorded, and released, since that copy was made is not known: they begin anew, for as much again.
void Engine::pay_again(Experiment& experiment, Time now) {
  const Id id = experiment.row().id;
  erase_unit_keys(id);
  if (experiment.stopped()) return;
  if (try_debit(experiment.row().population, id, experiment.spec().debit(),
                "caps of an older copy of the store", now)) {
    KeyBytes& key = ring_.units[{id, period_of(experiment, now)}];
    randombytes_buf(key.data(), key.size());
    return;
  }
  experiment.set_state(ExperimentState::kStopped,
                       "the store was an older copy: how often its users were recorded is not "
                       "known, and the population cannot pay for them again");
  notes_.push_back(
      fmt::format("experiment {} stopped: {}", experiment.row().name, experiment.row().why));
}

/// Of periods, and of experiments, that are over.
void Engine::forget_old_units(Time now) {
  for (const auto& [id, experiment] : experiments_) {
    const auto first = ring_.units.lower_bound({id, 0});
    if (first == ring_.units.end() || first->first.first != id) continue;
    if (!experiment->stopped() && first->first.second == period_of(*experiment, now)) continue;
    erase_unit_keys(id);
    if (experiment->stopped()) nobodies_.insert(id);
  }
}

}  // namespace tacit::service
