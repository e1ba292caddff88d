#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/reports/documents/listing.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/problem_catalogue.hpp"

namespace tacit::cli {
namespace {

using lab::Json;

std::string text_of(const Json& json) { return json.get<std::string>(); }

std::string claim_of(const Json& guarantee) {
  if (guarantee["epsilon"].is_null()) return "none";
  const double delta = guarantee["delta"].get<double>();
  return fmt::format("{} eps, {}{}", text_of(guarantee["epsilon"]), text_of(guarantee["notion"]),
                     delta > 0 ? " *" : "");
}

std::string policies_table(const Json& policies) {
  constexpr const char* kRow = "{:<34} {:<9} {:<9} {:<22} {:<20} {}\n";
  std::string table = fmt::format(fmt::runtime(kRow), "policy", "feedback", "trust", "published",
                                  "checked", "paper");
  for (const Json& row : policies) {
    table += fmt::format(fmt::runtime(kRow), text_of(row["name"]), text_of(row["feedback"]),
                         text_of(row["trust"]), claim_of(row["published"]),
                         claim_of(row["checked"]), text_of(row["paper"]));
    for (const Json& p : row["parameters"]) {
      table += fmt::format("{:<34}   --param {}={}  {}: {}\n", "", text_of(p["name"]),
                           text_of(p["default"]), text_of(p["range"]), text_of(p["meaning"]));
    }
  }
  return table +
         "\n* but for a probability delta, here 1e-6; at epsilon 1 and horizon 1e6 (dp-ucb-int: "
         "not "
         "proportional to epsilon)\n";
}

std::string problems_table(const Json& problems) {
  std::string table = fmt::format("{:<28} {:>5}  {}\n", "problem", "arms", "what it is");
  const auto& forms = specs::problem_forms();
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Json& arms = problems[i]["arms"];
    table += fmt::format("{:<28} {:>5}  {}{}\n", forms[i].form(), arms.is_null() ? "" : arms.dump(),
                         forms[i].title,
                         forms[i].fallback ? fmt::format(" (default {})", *forms[i].fallback) : "");
  }
  table += fmt::format("\n{:<46}  {}\n", "--prior", "a law over means: every run draws its own");
  for (const specs::PriorForm& form : specs::prior_forms()) {
    table += fmt::format("{:<46}  {}\n", form.form(), form.title);
  }
  table += fmt::format("\n{:<46}  {}\n", "--actions", "what may be played in a round");
  for (const specs::ActionSetForm& form : specs::action_set_forms()) {
    table += fmt::format("{:<46}  {}\n", form.form, form.meaning);
  }
  return table;
}

}  // namespace

void list(const ListOptions& options) {
  const Json document = options.problems ? reports::problems_json() : reports::policies_json();
  fmt::print("{}", options.json       ? document.dump(2) + "\n"
                   : options.problems ? problems_table(document)
                                      : policies_table(document));
}

}  // namespace tacit::cli
