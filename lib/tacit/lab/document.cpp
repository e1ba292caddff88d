#include "tacit/lab/document.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/policies/catalogue.hpp"

namespace tacit::lab {
namespace {

using privacy::Arithmetic;
using privacy::Notion;
using privacy::Randomness;

constexpr std::array kNotions{Notion::kNone, Notion::kCentral, Notion::kLocal,
                              Notion::kInstantaneous, Notion::kEnvironment};
constexpr std::array kArithmetics{Arithmetic::kIdealised, Arithmetic::kExact};
constexpr std::array kRandomness{Randomness::kSimulated, Randomness::kSecure};
constexpr std::array kKinds{theory::Kind::kFinite, theory::Kind::kAsymptotic,
                            theory::Kind::kMinimax, theory::Kind::kOrder, theory::Kind::kReference};
constexpr std::array kAgainst{simulation::Against::kOracle, simulation::Against::kBest};
constexpr std::array kSides{theory::Side::kLower, theory::Side::kUpper};

/// The one of a set of values that goes by the name in the document.
template <class Values>
auto named(const Values& values, const Json& name) {
  for (const auto value : values) {
    if (name == name_of(value)) return value;
  }
  throw std::invalid_argument(fmt::format("{}: unknown", name.dump()));
}

Json nullable(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

std::optional<double> read_nullable(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

/// Null is what is written for an epsilon that protects nobody.
double read_epsilon(const Json& json) {
  return read_nullable(json).value_or(std::numeric_limits<double>::infinity());
}

std::string guarantee_text(Notion notion, double epsilon, double delta) {
  if (notion == Notion::kNone) return privacy::name_of(notion);
  std::string text = fmt::format("{} {:.4g}", privacy::name_of(notion), epsilon);
  if (delta > 0) text += fmt::format(", delta {:.2g}", delta);
  return text;
}

std::optional<simulation::Goal> read_goal(const Json& json) {
  if (!json.contains("top")) return {};
  simulation::Goal goal;
  goal.budget = !json.at("budget").is_null();
  goal.error = goal.budget ? 0 : json.at("error").get<double>();
  goal.top = json.at("top");
  return goal;
}

PlayedSetting read_setting(const Json& json) {
  PlayedSetting setting{.policy = json.at("policy"),
                        .epsilon = read_nullable(json.at("epsilon")),
                        .delta = read_nullable(json.at("delta")),
                        .feedback = json.at("feedback"),
                        .actions = json.at("actions"),
                        .problem = json.at("problem"),
                        .environment_epsilon = std::nullopt,
                        .parameters = {},
                        .horizon = json.at("horizon"),
                        .seed = json.at("seed"),
                        .goal = read_goal(json)};
  // Results of versions that had no choice do not say.
  if (json.contains("against")) setting.against = named(kAgainst, json.at("against"));
  if (json.contains("environment_epsilon")) {
    setting.environment_epsilon = json.at("environment_epsilon").get<double>();
  }
  for (const auto& [name, value] : json.at("params").items()) {
    setting.parameters.push_back({name, value.get<std::string>()});
  }
  return setting;
}

Promises read_promises(const Json& json) {
  const Json& guarantee = json.at("guarantee");
  const Json& published = json.at("published");
  return {.guarantee = {.notion = named(kNotions, guarantee.at("notion")),
                        .epsilon = read_epsilon(guarantee.at("epsilon")),
                        .delta = read_nullable(guarantee.at("delta")).value_or(0),
                        .neighbours = guarantee.at("neighbours"),
                        .arithmetic = named(kArithmetics, guarantee.at("arithmetic")),
                        .randomness = named(kRandomness, guarantee.at("randomness")),
                        .because = guarantee.at("because")},
          .published = {.notion = named(kNotions, published.at("notion")),
                        .epsilon = read_epsilon(published.at("epsilon")),
                        .delta = read_nullable(published.at("delta")).value_or(0)}};
}

Json variable_json(const Variable& variable) {
  return std::visit([](const auto& value) { return Json(value); }, variable.value);
}

Variable read_variable(const std::string& name, const Json& value) {
  if (value.is_number()) return {name, value.get<double>()};
  return {name, value.get<std::string>()};
}

Json bound_json(const BoundCurve& bound) {
  Json values = Json::array();
  for (const std::optional<double>& value : bound.values) values.push_back(nullable(value));
  return {{"name", bound.name},
          {"kind", theory::name_of(bound.kind)},
          {"side", theory::name_of(bound.side)},
          {"values", values}};
}

BoundCurve read_bound(const Json& json) {
  BoundCurve bound{.name = json.at("name"),
                   .kind = named(kKinds, json.at("kind")),
                   .side = named(kSides, json.at("side")),
                   .values = {}};
  for (const Json& value : json.at("values")) bound.values.push_back(read_nullable(value));
  return bound;
}

template <class Named>
const Named* find(const std::vector<Named>& all, const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

PlayedSetting setting_of(const simulation::Request& r, const std::string& actions,
                         const privacy::Guarantee& guarantee) {
  const bool uses_delta = guarantee.delta > 0 || !guarantee.is_private();
  const policies::Entry& entry = simulation::entry_of(r);
  PlayedSetting setting{.policy = r.policy,
                        .epsilon = r.epsilon,
                        .delta = uses_delta ? r.delta : std::nullopt,
                        .feedback = feedback::name_of(entry.card.feedback),
                        .actions = actions,
                        .problem = r.problem->name(),
                        .environment_epsilon = r.environment_epsilon,
                        .parameters = {},
                        .horizon = r.horizon,
                        .seed = r.seed,
                        .against = r.against,
                        .goal = r.goal};
  for (const policies::ParameterInfo& p : entry.parameters(simulation::told_parameters(r))) {
    setting.parameters.push_back({p.name, p.value});
  }
  return setting;
}

Json setting_json(const PlayedSetting& setting) {
  Json params = Json::object();
  for (const policies::ParameterValue& p : setting.parameters) params[p.name] = p.value;
  Json json{{"policy", setting.policy},
            {"epsilon", nullable(setting.epsilon)},
            {"delta", nullable(setting.delta)},
            {"feedback", setting.feedback},
            {"actions", setting.actions},
            {"problem", setting.problem},
            {"params", params},
            {"horizon", setting.horizon},
            {"seed", setting.seed},
            {"against", simulation::name_of(setting.against)}};
  // Absent where the problem is played as it is: documents that knew of nothing else stay as they are.
  if (setting.environment_epsilon) json["environment_epsilon"] = *setting.environment_epsilon;
  if (setting.goal) json.update(goal_json(*setting.goal, setting.horizon));
  return json;
}

Json goal_json(const simulation::Goal& goal, Round horizon) {
  const bool has_most = !goal.budget && horizon < kLastRound;
  return {{"error", goal.budget ? Json(nullptr) : Json(goal.error)},
          {"budget", goal.budget ? Json(horizon) : Json(nullptr)},
          {"most", has_most ? Json(horizon) : Json(nullptr)},
          {"top", goal.top}};
}

std::optional<double> PlayedSetting::error() const {
  return goal && !goal->budget ? std::optional(goal->error) : std::nullopt;
}

Promises promises_of(const simulation::Request& request, const privacy::Guarantee& guarantee) {
  const privacy::Claim& claim = simulation::entry_of(request).card.published;
  Promises promises{.guarantee = guarantee, .published = {}};
  if (claim.notion != Notion::kNone) {
    promises.published = {
        .notion = claim.notion,
        .epsilon = claim.epsilon_multiple * request.epsilon.value_or(0),
        .delta = claim.up_to_delta ? request.delta.value_or(policies::kDefaultDelta) : 0.0};
  }
  return promises;
}

Json promises_json(const Promises& promises) {
  const PublishedGuarantee& published = promises.published;
  const bool is_private = published.notion != Notion::kNone;
  return {{"guarantee", guarantee_json(promises.guarantee)},
          {"published",
           {{"notion", privacy::name_of(published.notion)},
            {"epsilon", number(published.epsilon)},
            {"delta", is_private ? Json(published.delta) : Json(nullptr)}}}};
}

Json guarantee_json(const privacy::Guarantee& g) {
  return {{"notion", privacy::name_of(g.notion)},
          {"epsilon", number(g.epsilon)},
          {"delta", g.is_private() ? Json(g.delta) : Json(nullptr)},
          {"arithmetic", privacy::name_of(g.arithmetic)},
          {"randomness", privacy::name_of(g.randomness)},
          {"neighbours", g.neighbours},
          {"because", g.because}};
}

std::string guarantee_text(const privacy::Guarantee& g) {
  return guarantee_text(g.notion, g.epsilon, g.delta);
}

std::string guarantee_text(const PublishedGuarantee& g) {
  return guarantee_text(g.notion, g.epsilon, g.delta);
}

std::optional<double> Variable::number() const {
  const double* x = std::get_if<double>(&value);
  return x != nullptr ? std::optional(*x) : std::nullopt;
}

std::string Variable::text() const { return variable_json(*this).dump(); }

const Variable* Document::variable(const std::string& name) const { return find(variables, name); }

const BoundCurve* Document::bound(const std::string& name) const { return find(bounds, name); }

Json to_json(const Document& d) {
  Json json{{"problem_label", d.problem_label},
            {"problem_family", d.problem_family},
            {"policy_label", d.policy_label}};
  Json variables = Json::object();
  for (const Variable& variable : d.variables) variables[variable.name] = variable_json(variable);
  json["variables"] = variables;
  json.update(setting_json(d.setting));
  json["noise"] = d.noise;
  json["set_size"] = d.set_size;
  json["means"] = d.means;
  if (d.best_set) json["best_set"] = *d.best_set;
  json.update(promises_json(d.promises));
  json["checkpoints"] = d.checkpoints;
  Json bounds = Json::array();
  for (const BoundCurve& bound : d.bounds) bounds.push_back(bound_json(bound));
  json["bounds"] = bounds;
  return json;
}

std::string to_text(const Document& document) { return on_one_line(to_json(document)); }

Document read_document(const std::string& text) {
  const Json json = Json::parse(text);
  Document d{.problem_label = json.at("problem_label"),
             .problem_family = json.at("problem_family"),
             .policy_label = json.at("policy_label"),
             .variables = {},
             .setting = read_setting(json),
             .noise = json.at("noise"),
             .set_size = json.at("set_size"),
             .means = json.at("means"),
             .best_set = {},
             .promises = read_promises(json),
             .checkpoints = json.at("checkpoints"),
             .bounds = {}};
  for (const auto& [name, value] : json.at("variables").items()) {
    d.variables.push_back(read_variable(name, value));
  }
  if (json.contains("best_set")) d.best_set = json.at("best_set").get<std::vector<Arm>>();
  for (const Json& bound : json.at("bounds")) d.bounds.push_back(read_bound(bound));
  return d;
}

Json spread_json(const simulation::Measured& m) {
  const simulation::Moments& last = m.curve.back();
  Json quantiles = Json::object();
  for (const char* p : {"0", "0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99", "1"}) {
    quantiles[p] = simulation::sorted_quantile(m.final_regrets, std::stod(p));
  }
  const double half = last.half_width95();
  return {
      {"mean", last.mean()},
      {"stderr", number(last.standard_error())},
      {"ci95", std::isfinite(half) ? Json{last.mean() - half, last.mean() + half} : Json(nullptr)},
      {"quantiles", quantiles}};
}

Json identification_json(const simulation::Measured& m, Round horizon) {
  const simulation::Moments& wrong = m.curve.front();
  const auto gave_up =
      std::count(m.final_regrets.begin(), m.final_regrets.end(), static_cast<double>(horizon));
  const simulation::Interval interval = wrong.share_interval95();
  return {{"runs", wrong.count()},
          {"samples", spread_json(m)},
          {"wrong", wrong.mean()},
          {"wrong_ci95", {interval.lo, interval.hi}},
          {"stopped", wrong.count() - gave_up},
          {"pulls", m.mean_pulls},
          {"decisions", m.decisions}};
}

Json measurement_json(const simulation::Measured& m, const std::vector<Round>& checkpoints,
                      const Benchmark& benchmark) {
  const simulation::Moments& last = m.curve.back();
  Json curve = Json::array();
  for (std::size_t c = 0; c < m.curve.size(); ++c) {
    const double mean = m.curve[c].mean();
    const double half = m.curve[c].half_width95();
    curve.push_back({{"t", checkpoints[c]},
                     {"mean", mean},
                     {"lo", number(mean - half)},
                     {"hi", number(mean + half)}});
  }
  const auto horizon = static_cast<double>(checkpoints.back());
  return {{"runs", last.count()},
          {"regret", spread_json(m)},
          {"benchmark", benchmark.value},
          {"benchmark_proven", benchmark.proven},
          {"return_per_round", benchmark.value - last.mean() / horizon},
          {"pulls", m.mean_pulls},
          {"curve", curve},
          {"decisions", m.decisions}};
}

}  // namespace tacit::lab
