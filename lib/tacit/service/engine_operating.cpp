// What operators ask of the engine. Every line of it is noted with the key that asked.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <sodium.h>
#include <nlohmann/json.hpp>

#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/engine.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/serving_rules.hpp"

namespace tacit::service {
namespace {

const std::vector<std::string>& changeable() {
  static const std::vector<std::string> keys{"floor",         "holdout",    "control",
                                             "fallback",      "sticky_for", "units_from_clients",
                                             "phase_max_age", "values"};
  return keys;
}

void change_values(const Json& values, Json& spec) {
  if (!values.is_object()) {
    refuse_value("values", values, "must be an object from names of arms to what is shown");
  }
  std::map<std::string, Json*> arms;
  for (Json& each : spec["arms"]) arms.emplace(each["name"].get<std::string>(), &each);
  for (const auto& [name, value] : values.items()) {
    const auto arm = arms.find(name);
    if (arm == arms.end()) {
      std::vector<std::string> names;
      for (const auto& [known, each] : arms) names.push_back(known);
      const std::string shown = in_short(name);
      throw Problem(
          422, "values." + shown,
          fmt::format("values.{}: is no arm; did you mean {}?", shown, nearest_name(shown, names)));
    }
    (*arm->second)["value"] = value;
  }
}

[[noreturn]] void refuse_change(const std::string& key, bool is_known) {
  std::vector<std::string> known = changeable();
  known.emplace_back("paused");  // of a request, which takes it out before the rest comes here
  const std::string shown = in_short(key);
  throw Problem(422, shown,
                fmt::format("{}: {} (what may change: {})", shown,
                            is_known ? "cannot change while an experiment runs"
                                     : fmt::format("there is no such key; did you mean {}?",
                                                   nearest_name(shown, known)),
                            fmt::join(known, ", ")));
}

std::string why_too_few(const Spec& spec, int shown) {
  const auto left = std::count_if(spec.arms.begin(), spec.arms.end(),
                                  [](const ArmSpec& each) { return !each.retired; });
  if (left >= shown) return "";
  return fmt::format("too few would be left: {}, and at least {} must be", left, shown);
}

void check_retired(const Spec& spec, int shown) {
  const std::string why = why_too_few(spec, shown);
  if (!why.empty()) throw Problem(422, "arms", "arms: " + why);
  if (spec.holdout > 0 && spec.arms[static_cast<std::size_t>(spec.control)].retired) {
    throw Problem(422, "holdout", "holdout: its control is retired; name another control");
  }
}

/// By its name alone: whoever makes it again, since an older copy of the store has not got it, finds in the key ring what of it is
/// spent.
Id number_of_population(const std::string& name) {
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(),
                     reinterpret_cast<const unsigned char*>(name.data()),  // NOLINT
                     name.size(), nullptr, 0);
  std::uint64_t word = 0;
  std::memcpy(&word, hash.data(), sizeof word);
  return static_cast<Id>(word >> 1U);
}

}  // namespace

void Engine::note(const std::string& by, const std::string& what, Time now) {
  unwritten_operations_.push_back({.at = now, .key = by, .what = what});
}

bool Engine::try_debit(Id population, Id experiment, double epsilon, const std::string& reason,
                       Time now) {
  Budget& budget = populations_.at(population).budget;
  if (!budget.try_spend(epsilon)) return false;
  unwritten_debits_.push_back({.population = population,
                               .experiment = experiment,
                               .epsilon = epsilon,
                               .reason = reason,
                               .at = now});
  budget_news_.push_back({.population = population,
                          .experiment = experiment,
                          .epsilon = epsilon,
                          .left = budget.left(),
                          .why = reason});
  ++debits_;
  ring_changed_ = true;
  return true;
}

Id Engine::create_population(const std::string& name, double epsilon, bool user_level,
                             const std::string& by, Time now) {
  now = later(now);
  check_name("name", name);
  check_new_name("name", name);
  if (!(epsilon > 0 && epsilon < 1e6)) {
    throw Problem(
        422, "epsilon",
        fmt::format("epsilon = {:.6g}: must be a number > 0, and below a million", epsilon));
  }
  for (const auto& [other, population] : populations_) {
    if (population.row.name == name) {
      throw Problem(409, "name",
                    fmt::format("name = {}: there is such a population; its budget cannot be "
                                "changed, only a new one be made",
                                name));
    }
  }
  const Id id = number_of_population(name);
  if (populations_.contains(id)) throw Problem(409, "name", "name: give another one");
  const PopulationRow row{.id = id, .name = name, .epsilon = epsilon, .user_level = user_level};
  populations_.emplace(id, Population{row, Budget(epsilon)});
  unwritten_populations_.push_back(row);
  ring_changed_ = true;
  note(by,
       fmt::format("population {} created: epsilon {:.6g} a {}", name, epsilon,
                   user_level ? "user" : "decision"),
       now);
  if (const double spent = spend_known(id, now); spent > 0) {
    note(by,
         fmt::format("population {}: {:.6g} of its epsilon was spent before, which this copy of "
                     "the store did not know",
                     name, spent),
         now);
  }
  return id;
}

Engine::Population& Engine::population_named(const std::string& name) {
  std::vector<std::string> names;
  for (auto& [id, population] : populations_) {
    if (population.row.name == name) return population;
    names.push_back(population.row.name);
  }
  throw Problem(422, "population",
                names.empty()
                    ? fmt::format("population = {}: there is none yet; create it first", name)
                    : fmt::format("population = {}: there is no such population; did you mean {}?",
                                  name, nearest_name(name, names)));
}

Id Engine::create(const Spec& spec, const std::string& by, Time now) {
  now = later(now);
  check_new_names(spec);
  if (find(spec.name) != nullptr) {
    throw Problem(409, "name", fmt::format("name = {}: there is such an experiment", spec.name));
  }
  Population& population = population_named(spec.population);
  if (population.row.user_level != spec.user_level()) {
    throw Problem(
        422, "population",
        fmt::format("population = {}: its budget is that of a {}; give {}", spec.population,
                    population.row.user_level ? "user" : "decision",
                    population.row.user_level ? "user, with epsilon and cap" : "epsilon"));
  }
  const Id id = experiments_.empty() ? 1 : experiments_.rbegin()->first + 1;
  auto experiment = std::make_unique<Experiment>(ExperimentRow{.id = id,
                                                               .name = spec.name,
                                                               .spec = json_of(spec).dump(),
                                                               .population = population.row.id,
                                                               .created = now},
                                                 spec, parts_.dice(id));
  check_retired(spec, experiment->shown());
  if (!try_debit(population.row.id, id, spec.debit(), "created", now)) {
    throw Problem(
        409, "epsilon",
        fmt::format("epsilon = {}: more than population {} has left, {} of {}", spec.debit(),
                    spec.population, population.budget.left(), population.row.epsilon));
  }
  experiment->set_state(ExperimentState::kRunning, "");
  const auto more = periods_left(*experiment);
  insert(std::move(experiment));
  touched_.insert(id);
  note(by,
       fmt::format("experiment {} created: {}, epsilon {:.6g}{}", spec.name, spec.policy,
                   spec.debit(),
                   more ? fmt::format(" a period; population {} has enough for {} more",
                                      spec.population, *more)
                        : ""),
       now);
  return id;
}

void Engine::check_not_over(const Experiment& experiment) const {
  if (!experiment.stopped()) return;
  throw Problem(409, "",
                fmt::format("experiment {} is over: make another one", experiment.row().name));
}

void Engine::pause(Id id, bool paused, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  check_not_over(experiment);
  experiment.set_state(paused ? ExperimentState::kPaused : ExperimentState::kRunning, "");
  directory_.reset();
  note(by, fmt::format("experiment {} {}", experiment.row().name, paused ? "paused" : "goes on"),
       now);
}

void Engine::stop(Id id, const std::string& why, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  if (experiment.stopped()) return;  // whoever stops twice wants it stopped
  experiment.close_all(now);
  experiment.set_state(ExperimentState::kStopped, why);
  directory_.reset();
  note(
      by,
      fmt::format("experiment {} stopped{}{}", experiment.row().name, why.empty() ? "" : ": ", why),
      now);
}

void Engine::archive(Id id, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  if (!experiment.stopped()) {
    throw Problem(
        409, "",
        fmt::format("experiment {0} is not stopped yet: POST /v1/experiments/{0}/stop first",
                    experiment.row().name));
  }
  experiment.set_state(ExperimentState::kArchived, experiment.row().why);
  directory_.reset();
  note(by, fmt::format("experiment {} archived", experiment.row().name), now);
}

void Engine::change(Id id, const Json& patch, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  check_not_over(experiment);
  if (!patch.is_object()) throw Problem(422, "", "body: must be an object");
  Json spec = json_of(experiment.spec());
  std::vector<std::string> changed;
  for (const auto& [key, value] : patch.items()) {
    if (std::find(changeable().begin(), changeable().end(), key) == changeable().end()) {
      refuse_change(key, spec.contains(key));
    }
    changed.push_back(key);
    if (key == "values") {
      change_values(value, spec);
    } else {
      spec[key] = value;
    }
  }
  Spec next = spec_of(spec);
  servable(next);
  if (next.control != experiment.spec().control && experiment.has_held_out()) {
    throw Problem(422, "control",
                  "control: is what others were held out with; their mean is not to be mixed: make "
                  "another experiment");
  }
  check_retired(next, experiment.shown());
  experiment.set_spec(std::move(next));
  directory_.reset();
  note(by,
       fmt::format("experiment {} changed: {}", experiment.row().name, fmt::join(changed, ", ")),
       now);
}

void Engine::add_arm(Id id, const ArmSpec& arm, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  check_not_over(experiment);
  if (experiment.local() || experiment.all_arms() || experiment.card().plays_sets()) {
    throw Problem(422, "arms",
                  fmt::format("arms: {} cannot be given more; only policies of single arms whose "
                              "outcomes are added up can",
                              experiment.spec().policy));
  }
  check_new_name("name", arm.name);
  Json spec = json_of(experiment.spec());
  spec["arms"].push_back({{"name", arm.name}, {"value", Json::parse(arm.value)}});
  const Spec next = spec_of(spec);
  servable(next);
  experiment.set_next_spec(next);
  // A learner has as many arms as it is made with: the next one is told everything again.
  reload_wanted_ = true;
  note(by, fmt::format("experiment {}: arm {} added", experiment.row().name, arm.name), now);
}

void Engine::retire_arm(Id id, const std::string& name, const std::string& by, Time now) {
  now = later(now);
  Experiment& experiment = mutable_at(id);
  check_not_over(experiment);
  Spec spec = experiment.spec();
  const auto arm = spec.arm_named(name);
  if (!arm) {
    std::vector<std::string> names;
    for (const ArmSpec& each : spec.arms) names.push_back(each.name);
    refuse_unknown_arm(name, names);
  }
  spec.arms[static_cast<std::size_t>(*arm)].retired = true;
  const std::string why = why_too_few(spec, experiment.shown());
  if (!why.empty()) throw Problem(409, "arm", fmt::format("arm = {}: {}", name, why));
  if (spec.holdout > 0 && *arm == spec.control) {
    throw Problem(409, "arm", fmt::format("arm = {}: is shown to those who are held out", name));
  }
  experiment.set_spec(std::move(spec));
  directory_.reset();
  note(by, fmt::format("experiment {}: arm {} retired", experiment.row().name, name), now);
}

void Engine::put_key(const ApiKeyRow& key, const std::string& by, Time now) {
  now = later(now);
  const auto known = std::find_if(api_keys_.begin(), api_keys_.end(),
                                  [&](const ApiKeyRow& each) { return each.id == key.id; });
  if (known == api_keys_.end()) {
    api_keys_.push_back(key);
  } else {
    *known = key;
  }
  unwritten_keys_.push_back(key);
  directory_.reset();
  note(by, fmt::format("key {} ({}) {}", key.id, key.role, key.revoked == 0 ? "added" : "revoked"),
       now);
}

}  // namespace tacit::service
