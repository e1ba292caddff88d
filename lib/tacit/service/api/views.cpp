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

Json names_of(const Experiment& experiment, const std::vector<Arm>& arms) {
  Json names = Json::array();
  for (const Arm arm : arms) names.push_back(name_of(experiment, arm));
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

Json arms_of(Engine& engine, const Experiment& experiment,
             const std::vector<live::ArmView>& views) {
  Json arms = Json::array();
  for (Arm arm = 0; arm < experiment.arms(); ++arm) {
    const ArmSpec& spec = experiment.spec().arms[static_cast<std::size_t>(arm)];
    Json json{{"name", spec.name}, {"value", Json::parse(spec.value)}, {"retired", spec.retired}};
    const auto decisions = engine.decisions().find({experiment.row().id, arm});
    json["decisions"] = decisions == engine.decisions().end() ? 0 : decisions->second;
    json.update(json_of(views[static_cast<std::size_t>(arm)]));
    arms.push_back(std::move(json));
  }
  return arms;
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

std::string name_of(const Experiment& experiment, Arm arm) {
  if (arm == kAllArms) return "@all";
  if (arm < 0) return "@holdout";
  const auto& arms = experiment.spec().arms;
  return static_cast<std::size_t>(arm) < arms.size() ? arms[static_cast<std::size_t>(arm)].name
                                                     : std::string();
}

Json summary_of(const Experiment& experiment) {
  const ExperimentRow& row = experiment.row();
  Json json{{"name", row.name}, {"state", name_of(row.state)}};
  json["population"] = experiment.spec().population;
  json["policy"] = experiment.spec().policy;
  json["arms"] = experiment.arms();
  json["epsilon"] = experiment.guarantee().epsilon;
  json["created"] = text_of_time(row.created);
  json["decisions"] = experiment.progress().decisions;
  json["version"] = experiment.version();
  return json;
}

Json view_of(Engine& engine, const Experiment& experiment) {
  Json json = summary_of(experiment);
  json["why"] = experiment.row().why;
  json["recorded"] = experiment.progress().recorded;
  json["under_way"] = experiment.under_way();
  json["next_release"] = time_or_null(experiment.next_release());
  json["guarantee"] = guarantee_of(engine, experiment);
  const std::vector<live::ArmView> views = experiment.views(kCoverage);
  json["coverage"] = kCoverage;
  json["arms"] = arms_of(engine, experiment, views);
  json["released"] = released_of(views);
  json["holdout"] = nullptr;
  if (const auto holdout = experiment.holdout_view(kCoverage)) json["holdout"] = json_of(*holdout);
  json["best"] = names_of(experiment, experiment.best(1 - kCoverage));
  json["verdict"] = names_of(experiment, experiment.verdict());
  json["spec"] = service::json_of(experiment.spec());
  return json;
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
  }
  if (const auto population = population_of(engine, experiment)) {
    json["population"] = json_of(*population);
  }
  return json;
}

Json json_of(const Experiment& experiment, const ReleaseRow& release) {
  Json json{{"version", release.version}, {"arm", name_of(experiment, release.slot.arm)}};
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
  json["left"] = std::max(0.0, population.row.epsilon - population.spent);
  json["user_level"] = population.row.user_level;
  return json;
}

}  // namespace tacit::service::api
