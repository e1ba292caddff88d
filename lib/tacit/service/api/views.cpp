#include "tacit/service/api/views.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "tacit/service/log.hpp"

namespace tacit::service::api {
namespace {

/// JSON has no infinities and no NaN: nothing is known then.
Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json time_or_null(Time time) { return time > 0 ? Json(text_of_time(time)) : Json(nullptr); }

Json json_of(const live::ArmView& view) {
  Json json{{"mean", number_or_null(view.mean)}, {"n", number_or_null(view.n)}};
  json["interval"] = nullptr;
  if (view.interval) {
    json["interval"] =
        Json::array({number_or_null(view.interval->first), number_or_null(view.interval->second)});
  }
  json["under_way"] = view.under_way;
  return json;
}

Json names_of(const Spec& spec, const std::vector<Arm>& arms) {
  Json names = Json::array();
  for (const Arm arm : arms) names.push_back(spec.arms.at(static_cast<std::size_t>(arm)).name);
  return names;
}

/// What was released of all arms together: what holding some users out is compared to.
Json released_of(const std::vector<live::ArmView>& views) {
  double sum = 0;
  double n = 0;
  for (const live::ArmView& view : views) {
    if (!std::isfinite(view.mean) || !(view.n > 0)) continue;
    sum += view.mean * view.n;
    n += view.n;
  }
  return {{"mean", n > 0 ? Json(sum / n) : Json(nullptr)}, {"n", n}};
}

Json arms_of(const ViewParts& parts) {
  Json arms = Json::array();
  for (std::size_t i = 0; i < parts.spec->arms.size(); ++i) {
    const ArmSpec& spec = parts.spec->arms[i];
    Json json{{"name", spec.name}, {"value", Json::parse(spec.value)}, {"retired", spec.retired}};
    json["decisions"] = parts.decisions[i];
    live::ArmView view = parts.known->arms[i];
    view.under_way = parts.under_way[i];
    json.update(json_of(view));
    arms.push_back(std::move(json));
  }
  return arms;
}

std::vector<Round> decisions_of(const Engine& engine, const Experiment& experiment) {
  std::vector<Round> decisions(static_cast<std::size_t>(experiment.arms()));
  const Id id = experiment.row().id;
  for (auto at = engine.decisions().lower_bound({id, 0});
       at != engine.decisions().end() && at->first.first == id; ++at) {
    const auto arm = static_cast<std::size_t>(at->first.second);
    if (arm < decisions.size()) decisions[arm] = at->second;
  }
  return decisions;
}

std::optional<Engine::PopulationView> population_of(const Engine& engine,
                                                    const Experiment& experiment) {
  const auto all = engine.populations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) {
    return each.row.id == experiment.row().population;
  });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::string_view name_of(ExperimentState state) noexcept {
  switch (state) {
    case ExperimentState::kRunning: return "running";
    case ExperimentState::kPaused: return "paused";
    case ExperimentState::kStopped: return "stopped";
    case ExperimentState::kArchived: return "archived";
  }
  return "";
}

Json summary_of(const Engine& engine, const Experiment& experiment, Time now) {
  const ExperimentRow& row = experiment.row();
  Json json{{"name", row.name}, {"state", name_of(row.state)}};
  json["recording"] = experiment.running() && engine.why_not_recorded(experiment, now).empty();
  json["population"] = experiment.spec().population;
  json["policy"] = experiment.spec().policy;
  json["arms"] = experiment.arms();
  json["epsilon"] = experiment.guarantee().epsilon;
  json["created"] = text_of_time(row.created);
  json["decisions"] = experiment.progress().decisions;
  json["version"] = experiment.version();
  return json;
}

ViewParts parts_of(Engine& engine, const Experiment& experiment, Time now) {
  ViewParts parts{.head = summary_of(engine, experiment, now),
                  .spec = experiment.shared_spec(),
                  .known = experiment.known(kCoverage),
                  .decisions = decisions_of(engine, experiment),
                  .under_way = experiment.rounds_under_way()};
  Json& head = parts.head;
  const std::string unpaid = engine.why_not_recorded(experiment, now);
  head["why"] = unpaid.empty() ? experiment.row().why : unpaid;
  head["recorded"] = experiment.progress().recorded;
  head["under_way"] = experiment.under_way();
  head["next_release"] = time_or_null(experiment.next_release());
  head["guarantee"] = guarantee_of(engine, experiment);
  head["coverage"] = kCoverage;
  head["released"] = nullptr;  // in its place
  head["holdout"] = nullptr;
  if (const auto holdout = experiment.holdout_view(kCoverage)) head["holdout"] = json_of(*holdout);
  head["best"] = nullptr;
  head["verdict"] = nullptr;
  Event event;
  experiment.fall_back(event);
  head["fallback"] = names_of(experiment.spec(), event.arms);
  return parts;
}

Json view_of(const ViewParts& parts) {
  Json json = parts.head;
  json["arms"] = arms_of(parts);
  json["released"] = released_of(parts.known->arms);
  json["best"] = names_of(*parts.spec, parts.known->best);
  json["verdict"] = names_of(*parts.spec, parts.known->verdict);
  json["spec"] = service::json_of(*parts.spec);
  return json;
}

Json view_of(Engine& engine, const Experiment& experiment, Time now) {
  return view_of(parts_of(engine, experiment, now));
}

Json guarantee_of(Engine& engine, const Experiment& experiment) {
  const privacy::Guarantee& guarantee = experiment.guarantee();
  const Spec& spec = experiment.spec();
  Json json{{"words", in_words(guarantee, spec)}};
  json["notion"] = privacy::name_of(guarantee.notion);
  json["epsilon"] = guarantee.epsilon;
  json["delta"] = guarantee.delta;
  json["neighbours"] = guarantee.neighbours;
  json["because"] = guarantee.because;
  json["arithmetic"] = privacy::name_of(guarantee.arithmetic);
  json["randomness"] = privacy::name_of(guarantee.randomness);
  json["user"] = nullptr;
  if (spec.user_level()) {
    json["user"] = {{"epsilon", spec.user_epsilon}, {"cap", *spec.cap}};
    json["user"]["period"] = spec.period > 0 ? Json(text_of_duration(spec.period)) : Json(nullptr);
    const auto more = engine.periods_left(experiment);
    json["user"]["periods_left"] = more ? Json(*more) : Json(nullptr);
  }
  if (const auto population = population_of(engine, experiment)) {
    json["population"] = json_of(*population);
  }
  return json;
}

Json json_of(const Experiment& experiment, const ReleaseRow& release) {
  Json json{{"version", release.version}, {"arm", experiment.name_of(release.slot.arm)}};
  json["phase"] = release.slot.phase;
  json["n"] = release.n;
  json["values"] = Json::array();
  for (const double value : release.values) json["values"].push_back(number_or_null(value));
  json["noises"] = release.noises;
  json["at"] = text_of_time(release.at);
  return json;
}

Json json_of(const Engine::PopulationView& population) {
  Json json{{"name", population.row.name}, {"epsilon", population.row.epsilon}};
  json["spent"] = population.spent;
  json["left"] = population.left;
  json["user_level"] = population.row.user_level;
  return json;
}

}  // namespace tacit::service::api
