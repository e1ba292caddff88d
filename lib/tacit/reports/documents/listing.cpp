#include "tacit/reports/documents/listing.hpp"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/problem_catalogue.hpp"

namespace tacit::reports {
namespace {

using lab::Json;

/// Epsilon as a multiple of the parameter. The guarantee is computed at epsilon = 1, two arms (sets:
/// two of four) and a horizon of 1e6.
policies::Setting reference_setting(feedback::Kind feedback) {
  const bool sets = feedback == feedback::Kind::kSemi || feedback == feedback::Kind::kCascade;
  return {.arms = sets ? 4 : 2,
          .epsilon = 1.0,
          .delta = std::nullopt,
          .horizon = 1000000,
          .pace = policies::Pace::kSkipping,
          .actions = sets ? std::make_shared<actions::TopK>(4, 2) : nullptr};
}

std::string multiple(double epsilon) { return fmt::format("{:.4g}", epsilon); }

Json published_json(const privacy::Claim& claim) {
  const bool none = claim.notion == privacy::Notion::kNone;
  return {{"notion", privacy::name_of(claim.notion)},
          {"epsilon", none ? Json(nullptr) : Json(multiple(claim.epsilon_multiple))},
          {"delta", none ? Json(nullptr) : Json(claim.up_to_delta ? policies::kDefaultDelta : 0)}};
}

Json checked_json(const privacy::Guarantee& g) {
  return {{"notion", privacy::name_of(g.notion)},
          {"epsilon", g.is_private() ? Json(multiple(g.epsilon)) : Json(nullptr)},
          {"delta", g.is_private() ? Json(g.delta) : Json(nullptr)},
          {"because", g.because}};
}

const char* name_of(policies::Trust trust) {
  switch (trust) {
    case policies::Trust::kNone: return "none";
    case policies::Trust::kCentral: return "central";
    case policies::Trust::kLocal: return "local";
  }
  return "";
}

}  // namespace

Json policies_json() {
  Json document = Json::array();
  for (const policies::Entry& entry : policies::catalogue()) {
    const policies::Card& card = entry.card;
    Json row = {{"name", card.name},
                {"title", card.title},
                {"paper", card.paper},
                {"feedback", feedback::name_of(card.feedback)},
                {"trust", name_of(card.trust)},
                {"anytime", card.anytime},
                {"identifies", entry.error_parameter != nullptr},
                {"published", published_json(card.published)},
                {"checked", checked_json(entry.guarantee(reference_setting(card.feedback), {},
                                                         privacy::Arithmetic::kIdealised))}};
    Json parameters = Json::array();
    for (const policies::ParameterInfo& p : entry.parameters({})) {
      parameters.push_back(
          {{"name", p.name}, {"default", p.value}, {"range", p.range}, {"meaning", p.meaning}});
    }
    row["parameters"] = std::move(parameters);
    document.push_back(std::move(row));
  }
  return document;
}

Json problems_json() {
  Json document = Json::array();
  for (const specs::ProblemForm& form : specs::problem_forms()) {
    Json row = {{"name", form.needs_argument() ? form.form() : form.name},
                {"argument", form.argument.empty() ? Json(nullptr) : Json(form.argument)},
                {"default", form.fallback ? Json(*form.fallback) : Json(nullptr)},
                {"title", form.title},
                {"arms", nullptr},
                {"actions", nullptr},
                {"means", nullptr}};
    if (!form.needs_argument()) {
      const specs::ChosenProblem chosen = form.make(form.fallback.value_or(""));
      row["arms"] = chosen.problem->arms();
      row["actions"] = chosen.actions_text;
      row["means"] = chosen.problem->means();
    }
    document.push_back(std::move(row));
  }
  return document;
}

}  // namespace tacit::reports
