#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/problem_catalogue.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::ordered_json;

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

void list_policies(bool json) {
  Json document = Json::array();
  std::string table = fmt::format("{:<34} {:<9} {:<9} {:<22} {:<20} {}\n", "policy", "feedback",
                                  "trust", "published", "checked", "paper");
  const auto claim = [](const Json& entry) {
    if (entry["epsilon"].is_null()) return std::string("none");
    const double delta = entry["delta"].get<double>();
    return fmt::format("{} eps, {}{}", entry["epsilon"].get<std::string>(),
                       entry["notion"].get<std::string>(), delta > 0 ? " *" : "");
  };
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
    const std::vector<policies::ParameterInfo> infos = entry.parameters({});
    Json parameters = Json::array();
    for (const policies::ParameterInfo& p : infos) {
      parameters.push_back(
          {{"name", p.name}, {"default", p.value}, {"range", p.range}, {"meaning", p.meaning}});
    }
    row["parameters"] = parameters;
    table += fmt::format("{:<34} {:<9} {:<9} {:<22} {:<20} {}\n", card.name,
                         feedback::name_of(card.feedback), name_of(card.trust),
                         claim(row["published"]), claim(row["checked"]), card.paper);
    for (const policies::ParameterInfo& p : infos) {
      table +=
          fmt::format("{:<34}   --param {}={}  {}: {}\n", "", p.name, p.value, p.range, p.meaning);
    }
    document.push_back(std::move(row));
  }
  table +=
      "\n* but for a probability delta, here 1e-6; at epsilon 1 and horizon 1e6 (dp-ucb-int: not "
      "proportional to epsilon)\n";
  fmt::print("{}", json ? document.dump(2) + "\n" : table);
}

void list_problems(bool json) {
  Json document = Json::array();
  std::string table = fmt::format("{:<28} {:>5}  {}\n", "problem", "arms", "what it is");
  for (const specs::ProblemForm& form : specs::problem_forms()) {
    Json row = {{"name", form.needs_argument() ? form.form() : form.name},
                {"argument", form.argument.empty() ? Json(nullptr) : Json(form.argument)},
                {"default", form.fallback ? Json(*form.fallback) : Json(nullptr)},
                {"title", form.title},
                {"arms", nullptr},
                {"actions", nullptr},
                {"means", nullptr}};
    std::string arms;
    if (!form.needs_argument()) {
      const specs::ChosenProblem chosen = form.make(form.fallback.value_or(""));
      arms = fmt::format("{}", chosen.problem->arms());
      row["arms"] = chosen.problem->arms();
      row["actions"] = chosen.actions_text;
      row["means"] = chosen.problem->means();
    }
    document.push_back(std::move(row));
    table += fmt::format("{:<28} {:>5}  {}{}\n", form.form(), arms, form.title,
                         form.fallback ? fmt::format(" (default {})", *form.fallback) : "");
  }
  table += fmt::format("\n{:<46}  {}\n", "--prior", "a law over means: every run draws its own");
  for (const specs::PriorForm& form : specs::prior_forms()) {
    table += fmt::format("{:<46}  {}\n", form.form(), form.title);
  }
  table += fmt::format("\n{:<46}  {}\n", "--actions", "what may be played in a round");
  for (const specs::ActionSetForm& form : specs::action_set_forms()) {
    table += fmt::format("{:<46}  {}\n", form.form, form.meaning);
  }
  fmt::print("{}", json ? document.dump(2) + "\n" : table);
}

}  // namespace

void list(const ListOptions& options) {
  options.problems ? list_problems(options.json) : list_policies(options.json);
}

}  // namespace tacit::cli
