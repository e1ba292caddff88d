#include "tacit/reports/report_request.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/nearest_name.hpp"
#include "tacit/storage/strict_toml.hpp"
#include "tacit/theory/bound.hpp"
#include "tacit/theory/identification.hpp"

namespace tacit::reports {
namespace {

using Names = std::vector<std::string>;

void add_new(Names& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Names joined(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// What an experiment has: nothing else can be drawn or claimed.
struct Known {
  const lab::Experiment& experiment;
  Names problems = {}, families = {}, policies = {}, epsilons = {}, errors = {}, variables = {},
        bounds = {};
};

Known known_in(const lab::Experiment& experiment) {
  Known known{.experiment = experiment};
  for (const lab::Configuration& c : experiment.configurations) {
    add_new(known.problems, c.problem_label);
    add_new(known.families, c.problem_family);
    add_new(known.policies, c.policy_label);
    if (c.request.epsilon) add_new(known.epsilons, *c.request.epsilon);
    if (c.request.error) add_new(known.errors, *c.request.error);
    for (const auto& [name, value] : c.variables) add_new(known.variables, name);
  }
  for (const theory::Bound& bound : theory::bounds()) known.bounds.push_back(bound.name);
  known.bounds.insert(known.bounds.end(), {theory::kFewestSamples, theory::kPromisedError});
  return known;
}

void require_one_of(const storage::SourceLine& place, const std::string& key,
                    const std::string& value, const Names& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  if (allowed.empty()) storage::refuse(place, key, value, "there is none in this file");
  constexpr std::size_t kFew = 8;  // that are worth spelling out
  storage::refuse(place, key, value,
                  allowed.size() <= kFew
                      ? fmt::format("must be one of {}; did you mean {}?", fmt::join(allowed, ", "),
                                    nearest_name(value, allowed))
                      : fmt::format("unknown; did you mean {}?", nearest_name(value, allowed)));
}

std::optional<std::string> read_one(storage::StrictTable& table, const char* key,
                                    const Names& allowed) {
  auto given = table.text(key);
  if (given) require_one_of(table.place_of(key), key, *given, allowed);
  return given;
}

Names read_some(storage::StrictTable& table, const char* key, const Names& allowed) {
  Names given = table.list(key).value_or(Names{});
  for (const std::string& value : given) {
    require_one_of(table.place_of(key), key, value, allowed);
  }
  return given;
}

std::string read_file_name(storage::StrictTable& table) {
  std::string name = table.text("name").value_or("");
  if (name.empty() || name.find_first_of("/\\ ") != std::string::npos) {
    storage::refuse(table.place_of("name"), "name", name,
                    "a [[figure]] needs a name fit for a file, without blanks and slashes");
  }
  return name;
}

/// One that is no number is refused where its policy has it, and shows nothing here.
double number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return end != text.c_str() ? number : std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> read_numbers(storage::StrictTable& table, const char* key,
                                 const Names& allowed) {
  std::vector<double> numbers;
  for (const std::string& text : read_some(table, key, allowed)) {
    numbers.push_back(number_of(text));
  }
  return numbers;
}

/// What the problems and policies of a figure are played for.
struct Purposes {
  bool regret = false;
  bool error = false;
  bool budget = false;
};

Purposes purposes_of(const FigureRequest& figure, const lab::Experiment& experiment) {
  const auto has = [](const Names& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Purposes purposes;
  for (const lab::Configuration& c : experiment.configurations) {
    const bool shown = (figure.problems.empty() || has(figure.problems, c.problem_label) ||
                        has(figure.problems, c.problem_family)) &&
                       (figure.policies.empty() || has(figure.policies, c.policy_label));
    if (!shown) continue;
    (c.request.error    ? purposes.error
     : c.request.budget ? purposes.budget
                        : purposes.regret) = true;
  }
  return purposes;
}

/// What is measured decides what can be on the axes; unless told, regret over rounds where there is any.
void read_quantities(storage::StrictTable& table, const Known& known, FigureRequest& figure) {
  const Purposes purposes = purposes_of(figure, known.experiment);
  const auto y = read_one(table, "y", all_of(kQuantities));
  figure.y = y                                     ? meaning(kQuantities, *y).value()
             : purposes.error && !purposes.regret  ? Quantity::kSamples
             : purposes.budget && !purposes.regret ? Quantity::kWrong
                                                   : Quantity::kRegret;
  const bool measured = figure.y == Quantity::kSamples ? purposes.error
                        : figure.y == Quantity::kWrong ? purposes.error || purposes.budget
                                                       : purposes.regret;
  const bool any = purposes.regret || purposes.error || purposes.budget;
  if (y && any && !measured) {
    storage::refuse(
        table.place_of("y"), "y", *y,
        figure.y == Quantity::kSamples ? "is of what is identified with an error, and this "
                                         "figure shows nothing that is"
        : figure.y == Quantity::kWrong ? "is of what is identified, and this figure shows "
                                         "nothing that is"
                                       : "is of runs with a horizon, and this figure shows "
                                         "none; take samples or wrong");
  }
  const auto x = read_one(table, "x", joined(all_of(kAxes), known.variables));
  if (is_identified(figure.y)) figure.x = Axis::kEpsilon;
  if (!x) return;
  figure.x = meaning(kAxes, *x).value_or(Axis::kVariable);
  if (figure.x == Axis::kVariable) figure.x_variable = *x;
  if (figure.x == Axis::kRounds && is_identified(figure.y)) {
    storage::refuse(
        table.place_of("x"), "x", *x,
        "what is identified is not measured over rounds; take epsilon, 1/epsilon, error or a "
        "variable");
  }
  if (figure.x == Axis::kError && !(is_identified(figure.y) && purposes.error)) {
    storage::refuse(
        table.place_of("x"), "x", *x,
        "is of what is identified with an error, and this figure shows nothing that is");
  }
}

/// Titles of panels, and the policies of each.
std::vector<std::pair<std::string, Names>> read_groups(storage::StrictTable& table,
                                                       const Known& known) {
  auto groups = table.lists("groups");
  for (const auto& [title, policies] : groups) {
    for (const std::string& policy : policies) {
      require_one_of(table.place_of("groups"), "groups", policy, known.policies);
    }
  }
  return groups;
}

void read_axes(storage::StrictTable& table, const Known& known, FigureRequest& figure) {
  read_quantities(table, known, figure);
  const Names axes = read_some(table, "axes", all_of(kScales));
  if (axes.size() > 2 || (axes.size() == 2 && axes[0] == axes[1])) {
    storage::refuse(table.place_of("axes"), "axes", fmt::format("{}", fmt::join(axes, ", ")),
                    "must be one kind, or two that differ");
  }
  if (!axes.empty()) figure.scales = meaning(kScales, axes[0]).value();
  if (axes.size() == 2) figure.also = meaning(kScales, axes[1]).value();
  figure.from = table.number("from");
  const bool log_x = figure.scales.log_x || (figure.also && figure.also->log_x);
  if (figure.from && !(*figure.from > 0 && figure.x == Axis::kRounds && log_x)) {
    storage::refuse(table.place_of("from"), "from", table.text("from").value_or(""),
                    "must be a round, at least 1, of a figure over t that has axes logx or loglog");
  }
  figure.groups = read_groups(table, known);
  if (!figure.groups.empty()) {
    figure.panels = Panels::kGroup;
    if (table.has("panels")) {
      storage::refuse(table.place_of("panels"), "panels", table.text("panels").value_or(""),
                      "must be left out where groups has the panels");
    }
  }
  if (const auto panels = read_one(table, "panels", joined(all_of(kPanels), known.variables))) {
    figure.panels = meaning(kPanels, *panels).value_or(Panels::kVariable);
    if (figure.panels == Panels::kVariable) figure.panel_variable = *panels;
  }
}

FigureRequest read_figure(storage::StrictTable& table, const Known& known) {
  FigureRequest figure;
  figure.place = table.place();
  figure.name = read_file_name(table);
  figure.title = table.text("title").value_or("");
  figure.source = table.text("source").value_or("");
  figure.note = table.text("note").value_or("");
  figure.problems = read_some(table, "problems", joined(known.problems, known.families));
  figure.policies = read_some(table, "policies", known.policies);
  figure.epsilons = read_numbers(table, "epsilon", known.epsilons);
  figure.errors = read_numbers(table, "error", known.errors);
  read_axes(table, known, figure);
  figure.bounds = read_some(table, "bounds", known.bounds);
  figure.slopes = table.flag("slopes").value_or(false);
  table.close();
  return figure;
}

Claim read_claim(storage::StrictTable& table, const Known& known,
                 const std::vector<FigureRequest>& figures) {
  const auto figure = table.text("figure");
  const auto says = table.text("says");
  const auto policy = table.text("policy");
  const auto less = table.text("less");
  const auto like = table.text("like");
  const auto steeper = table.text("steeper");
  Claim claim;
  claim.place = table.place();
  claim.than = table.list("than").value_or(Names{});
  claim.above = table.text("above");
  claim.problem = table.text("problem");
  claim.epsilon = table.number("epsilon");
  claim.factor = table.number("factor");
  claim.value = table.number("value");
  claim.slope = table.number("slope");
  claim.steeper_by = table.number("by");
  claim.settles = table.number("settles");
  claim.linear = table.number("linear");
  claim.within = table.number("within").value_or(0);
  table.close();

  if (!figure || !says) {
    storage::refuse(table.place(), figure ? "says" : "figure", "",
                    "a [[claim]] needs figure and says");
  }
  claim.figure = *figure;
  claim.says = *says;
  Names names;
  for (const FigureRequest& each : figures) names.push_back(each.name);
  require_one_of(table.place_of("figure"), "figure", claim.figure, names);
  const int judged = (claim.value ? 1 : 0) + (claim.slope ? 1 : 0) + (claim.settles ? 1 : 0) +
                     (claim.linear ? 1 : 0);
  const int compared = (less ? 1 : 0) + (like ? 1 : 0) + (steeper ? 1 : 0);
  const bool of_one = policy && compared == 0 && judged == 1 && claim.than.empty();
  const bool of_two = !policy && judged == 0 && !claim.than.empty() && compared == 1 &&
                      steeper.has_value() == claim.steeper_by.has_value() &&
                      (!like || claim.factor);
  const bool no_more = (!claim.factor || less || like) && (!claim.above || claim.slope) &&
                       (!claim.problem || claim.value || less || like) &&
                       (!claim.epsilon || claim.value || less || like) &&
                       (!table.has("within") || claim.value || claim.slope);
  if (!(of_one || of_two) || !no_more) {
    storage::refuse(
        table.place(), "claim", claim.figure,
        "must have policy with value (within, problem, epsilon), slope (within, above), settles "
        "or linear; or less and than (factor); or like, than and factor (both: problem, epsilon); "
        "or "
        "steeper, than and by");
  }
  claim.alike = like.has_value();
  claim.policy = policy ? *policy : less ? *less : like ? *like : *steeper;
  require_one_of(table.place(), "policy", claim.policy, known.policies);
  for (const std::string& other : claim.than) {
    require_one_of(table.place_of("than"), "than", other, known.policies);
  }
  if (claim.above) {
    require_one_of(table.place_of("above"), "above", *claim.above, known.policies);
  }
  if (claim.problem) {
    require_one_of(table.place_of("problem"), "problem", *claim.problem, known.problems);
  }
  return claim;
}

}  // namespace

ReportRequest read_report_request(const lab::Experiment& experiment) {
  const toml::table parsed = storage::parse_toml(experiment.text, experiment.file);
  storage::StrictTable top(parsed, experiment.file, "");
  const Known known = known_in(experiment);
  ReportRequest request;
  for (storage::StrictTable& table : top.tables("figure")) {
    FigureRequest figure = read_figure(table, known);
    for (const FigureRequest& earlier : request.figures) {
      if (earlier.name == figure.name) {
        storage::refuse(figure.place, "name", figure.name, "is the name of an earlier [[figure]]");
      }
    }
    request.figures.push_back(std::move(figure));
  }
  for (storage::StrictTable& table : top.tables("claim")) {
    request.claims.push_back(read_claim(table, known, request.figures));
  }
  return request;
}

}  // namespace tacit::reports
