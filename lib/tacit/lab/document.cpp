#include "tacit/lab/document.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tacit/policies/catalogue.hpp"

namespace tacit::lab {
namespace {

Json published(const simulation::Request& request) {
  const privacy::Claim& claim = policies::find_policy(request.policy).card.published;
  if (claim.notion == privacy::Notion::kNone) {
    return {{"notion", privacy::name_of(claim.notion)}, {"epsilon", nullptr}, {"delta", nullptr}};
  }
  return {{"notion", privacy::name_of(claim.notion)},
          {"epsilon", number(claim.epsilon_multiple * request.epsilon.value_or(0))},
          {"delta", claim.up_to_delta ? request.delta.value_or(policies::kDefaultDelta) : 0.0}};
}

}  // namespace

std::string on_one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json guarantee_json(const privacy::Guarantee& g) {
  return {{"notion", privacy::name_of(g.notion)},
          {"epsilon", number(g.epsilon)},
          {"delta", g.is_private() ? Json(g.delta) : Json(nullptr)},
          {"arithmetic", privacy::name_of(g.arithmetic)},
          {"randomness", privacy::name_of(g.randomness)},
          {"neighbours", g.neighbours},
          {"because", g.because}};
}

Json played(const simulation::Request& r, const std::string& actions,
            const privacy::Guarantee& guarantee) {
  const bool uses_delta = guarantee.delta > 0 || !guarantee.is_private();
  const policies::Entry& entry = policies::find_policy(r.policy);
  Json params = Json::object();
  for (const policies::ParameterInfo& p : entry.parameters(r.parameters)) {
    params[p.name] = p.default_value;
  }
  return {{"policy", r.policy},
          {"epsilon", r.epsilon ? Json(*r.epsilon) : Json(nullptr)},
          {"delta", uses_delta && r.delta ? Json(*r.delta) : Json(nullptr)},
          {"feedback", feedback::name_of(entry.card.feedback)},
          {"actions", actions},
          {"problem", r.problem->name()},
          {"params", params},
          {"horizon", r.horizon},
          {"seed", r.seed}};
}

Json promised(const simulation::Request& request, const privacy::Guarantee& guarantee) {
  return {{"guarantee", guarantee_json(guarantee)}, {"published", published(request)}};
}

Json measured(const simulation::Measured& m, const std::vector<Round>& checkpoints,
              const Benchmark& benchmark) {
  const simulation::Moments& last = m.curve.back();
  Json quantiles = Json::object();
  for (const char* p : {"0", "0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99", "1"}) {
    quantiles[p] = simulation::sorted_quantile(m.final_regrets, std::stod(p));
  }
  Json curve = Json::array();
  for (std::size_t c = 0; c < m.curve.size(); ++c) {
    const double mean = m.curve[c].mean();
    const double half = m.curve[c].half_width95();
    curve.push_back({{"t", checkpoints[c]},
                     {"mean", mean},
                     {"lo", number(mean - half)},
                     {"hi", number(mean + half)}});
  }
  const double half = last.half_width95();
  const auto horizon = static_cast<double>(checkpoints.back());
  return {{"runs", last.count()},
          {"regret",
           {{"mean", last.mean()},
            {"stderr", number(last.standard_error())},
            {"ci95",
             std::isfinite(half) ? Json{last.mean() - half, last.mean() + half} : Json(nullptr)},
            {"quantiles", quantiles}}},
          {"benchmark", benchmark.value},
          {"benchmark_proven", benchmark.proven},
          {"return_per_round", benchmark.value - last.mean() / horizon},
          {"pulls", m.mean_pulls},
          {"curve", curve},
          {"decisions", m.decisions}};
}

std::string guarantee_text(const Json& g) {
  const std::string notion = g.at("notion").get<std::string>();
  if (notion == "none") return notion;
  std::string text = fmt::format("{} {:.4g}", notion, g.at("epsilon").get<double>());
  const double delta = g.at("delta").get<double>();
  if (delta > 0) text += fmt::format(", delta {:.2g}", delta);
  return text;
}

}  // namespace tacit::lab
