#include "tacit/service/spec.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/service/budget.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service {
namespace {

constexpr int kUnprocessable = 422;
constexpr std::size_t kMostArms = 10000;
constexpr Time kLongest = 3650 * kDay;

/// An object whose keys are all known.
class GivenFields {
 public:
  GivenFields(const Json& json, std::string path, const std::vector<std::string>& known)
      : json_(json), path_(std::move(path)) {
    if (!json.is_object()) refuse_value(path_.empty() ? "body" : path_, json, "must be an object");
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string shown = name(in_short(key));
      throw Problem(kUnprocessable, shown,
                    fmt::format("{}: there is no such key; did you mean {}? (known: {})", shown,
                                nearest_name(in_short(key), known), fmt::join(known, ", ")));
    }
  }

  std::string name(const std::string& key) const {
    return path_.empty() ? key : fmt::format("{}.{}", path_, key);
  }
  /// Null when it is not there.
  const Json* find(const std::string& key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }
  const Json& at(const std::string& key) const {
    const Json* found = find(key);
    if (found == nullptr) {
      throw Problem(kUnprocessable, name(key), fmt::format("{}: must be given", name(key)));
    }
    return *found;
  }
  std::string text(const std::string& key) const {
    const Json& json = at(key);
    if (!json.is_string()) refuse_value(name(key), json, "must be a text");
    return json.get<std::string>();
  }
  double number(const std::string& key, double low, double high) const {
    const Json& json = at(key);
    const double x = json.is_number() ? json.get<double>() : NAN;
    if (!(x >= low && x <= high)) {
      refuse_value(name(key), json, fmt::format("must be a number from {} to {}", low, high));
    }
    return x;
  }
  double positive(const std::string& key) const {
    const Json& json = at(key);
    const double x = json.is_number() ? json.get<double>() : NAN;
    if (!(x > 0 && std::isfinite(x))) refuse_value(name(key), json, "must be a finite number > 0");
    return x;
  }

 private:
  const Json& json_;
  std::string path_;
};

ArmSpec arm_of(const Json& json, const std::string& field) {
  if (json.is_string()) {
    const auto name = json.get<std::string>();
    check_name(field, name);
    return {name, json.dump(), false};
  }
  if (!json.is_object())
    refuse_value(field, json, "must be a name, or an object with name and value");
  const GivenFields fields(json, field, {"name", "value", "retired"});
  ArmSpec arm{.name = fields.text("name"), .value = "", .retired = false};
  check_name(fields.name("name"), arm.name);
  const auto value = json.find("value");  // null is a value as well
  arm.value = value != json.end() ? value->dump() : Json(arm.name).dump();
  if (const Json* retired = fields.find("retired")) {
    if (!retired->is_boolean())
      refuse_value(fields.name("retired"), *retired, "must be true or false");
    arm.retired = retired->get<bool>();
  }
  return arm;
}

std::vector<ArmSpec> arms_of(const GivenFields& fields) {
  const Json& json = fields.at("arms");
  if (!json.is_array() || json.empty() || json.size() > kMostArms) {
    refuse_value("arms", json, fmt::format("must be a list of 1 to {} arms", kMostArms));
  }
  std::vector<ArmSpec> arms;
  std::set<std::string> names;
  for (const Json& each : json) {
    arms.push_back(arm_of(each, fmt::format("arms[{}]", arms.size())));
    if (!names.insert(arms.back().name).second) {
      refuse_value(fmt::format("arms[{}]", arms.size() - 1), arms.back().name, "is there twice");
    }
  }
  return arms;
}

using ArmsByName = std::map<std::string, Arm, std::less<>>;

Arm read_arm(const ArmsByName& arms, const std::string& field, const Json& json) {
  if (!json.is_string()) refuse_value(field, json, "must be the name of an arm");
  const auto& name = json.get_ref<const std::string&>();
  if (const auto found = arms.find(name); found != arms.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, arm] : arms) names.push_back(known);
  refuse_value(field, json,
               fmt::format("is no arm; did you mean {}?", nearest_name(in_short(name), names)));
}

void read_privacy(const GivenFields& fields, Spec& spec) {
  const Json* user = fields.find("user");
  if (user == nullptr) {
    spec.epsilon = fields.positive("epsilon");
    return;
  }
  if (fields.find("epsilon") != nullptr) {
    throw Problem(
        kUnprocessable, "epsilon",
        "epsilon: is that of one decision, and user says that of a unit: give one of them");
  }
  const GivenFields of_user(*user, "user", {"epsilon", "cap", "period"});
  spec.user_epsilon = of_user.positive("epsilon");
  const double cap = of_user.number("cap", 1, 1e6);
  if (cap != std::floor(cap)) refuse_value("user.cap", of_user.at("cap"), "must be a whole number");
  spec.cap = static_cast<int>(cap);
  // Never more than was said, whatever a division rounds to.
  const double most = not_above(spec.user_epsilon);
  spec.epsilon = most / cap;
  while (std::fma(spec.epsilon, cap, -most) > 0) spec.epsilon = std::nextafter(spec.epsilon, 0.0);
  if (const Json* period = of_user.find("period")) {
    spec.period = duration_of("user.period", *period);
    if (spec.period < kHour) refuse_value("user.period", *period, "must be at least an hour");
  }
}

void read_serving(const GivenFields& fields, Spec& spec) {
  if (const Json* wait = fields.find("wait")) spec.wait = duration_of("wait", *wait);
  if (fields.find("default") != nullptr) spec.missing = fields.number("default", 0, 1);
  if (const Json* age = fields.find("phase_max_age")) {
    spec.phase_max_age = duration_of("phase_max_age", *age);
  }
  if (const Json* sticky = fields.find("sticky_for")) {
    spec.sticky_for = duration_of("sticky_for", *sticky);
  }
  if (const Json* units = fields.find("units_from_clients")) {
    if (*units != "signed" && *units != "any") {
      refuse_value("units_from_clients", *units, "must be signed or any");
    }
    spec.client_units = *units == "any" ? ClientUnits::kAny : ClientUnits::kSigned;
  }
  const auto share = [&](const char* key, double most) {
    return fields.find(key) == nullptr ? 0 : fields.number(key, 0, most);
  };
  spec.floor = share("floor", 1 / static_cast<double>(spec.arms.size()));
  spec.holdout = share("holdout", 0.5);
  if ((spec.floor > 0 || spec.holdout > 0) && spec.actions != "single") {
    throw Problem(kUnprocessable, spec.floor > 0 ? "floor" : "holdout",
                  "floor and holdout: are for single arms, not for sets");
  }
  ArmsByName arms;
  for (const ArmSpec& arm : spec.arms) arms.emplace(arm.name, static_cast<Arm>(arms.size()));
  if (const Json* control = fields.find("control")) {
    spec.control = read_arm(arms, "control", *control);
  }
  if (const Json* fallback = fields.find("fallback")) {
    if (fallback->is_array()) {
      for (const Json& each : *fallback) {
        spec.fallback.push_back(read_arm(arms, "fallback", each));
      }
    } else {
      spec.fallback = {read_arm(arms, "fallback", *fallback)};
    }
  }
}

}  // namespace

std::optional<Arm> Spec::arm_named(std::string_view arm) const {
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (arms[i].name == arm) return static_cast<Arm>(i);
  }
  return {};
}

void refuse_value(const std::string& field, const Json& given, const std::string& allowed) {
  throw Problem(
      kUnprocessable, field,
      fmt::format("{} = {}: {}", field,
                  in_short(given.dump(-1, ' ', true, Json::error_handler_t::replace)), allowed));
}

void refuse_unknown_arm(const std::string& given, const std::vector<std::string>& arms) {
  const std::string shown = in_short(given);
  throw Problem(404, "arm",
                fmt::format("arm = {}: there is no such arm; did you mean {}?", shown,
                            nearest_name(shown, arms)));
}

void check_name(const std::string& field, const std::string& name) {
  constexpr std::size_t kLongestName = 64;
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  };
  if (!name.empty() && name.size() <= kLongestName &&
      std::all_of(name.begin(), name.end(), allowed)) {
    return;
  }
  refuse_value(field, name, "must be 1 to 64 letters, digits, dots, underscores or dashes");
}

void check_new_name(const std::string& field, const std::string& name) {
  if (name.find_first_not_of('.') != std::string::npos) return;
  refuse_value(
      field, name,
      "must have a letter, a digit, an underscore or a dash in it: to browsers a step of dots "
      "alone is none");
}

void check_new_names(const Spec& spec) {
  check_new_name("name", spec.name);
  for (std::size_t i = 0; i < spec.arms.size(); ++i) {
    check_new_name(fmt::format("arms[{}]", i), spec.arms[i].name);
  }
}

Time duration_of(const std::string& field, const Json& json) {
  double seconds = NAN;
  if (json.is_number()) {
    seconds = json.get<double>();
  } else if (json.is_string()) {
    const auto text = json.get<std::string>();
    const std::size_t digits = text.find_first_not_of("0123456789.");
    const std::string unit = digits == std::string::npos ? "" : text.substr(digits);
    const std::vector<std::pair<std::string, Time>> units{
        {"ms", 1}, {"s", kSecond}, {"m", kMinute}, {"h", kHour}, {"d", kDay}};
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const auto& each) { return each.first == unit; });
    if (found != units.end() && digits > 0 && digits <= 15) {
      const std::string number = text.substr(0, digits);
      if (std::count(number.begin(), number.end(), '.') <= 1 && number != ".") {
        seconds = std::stod(number) * static_cast<double>(found->second) / kSecond;
      }
    }
  }
  if (!(seconds >= 0 && seconds * kSecond <= static_cast<double>(kLongest))) {
    refuse_value(
        field, json,
        "must be a number of seconds, or a text like 90s, 10m, 2h or 7d, of ten years at most");
  }
  return static_cast<Time>(std::llround(seconds * kSecond));
}

std::string text_of_duration(Time duration) {
  for (const auto& [unit, name] :
       {std::pair{kDay, "d"}, {kHour, "h"}, {kMinute, "m"}, {kSecond, "s"}}) {
    if (duration % unit == 0 && duration != 0) return fmt::format("{}{}", duration / unit, name);
  }
  return duration == 0 ? "0s" : fmt::format("{}ms", duration);
}

Spec spec_of(const Json& json) {
  const GivenFields fields(json, "",
                           {"name", "population", "policy", "arms", "actions", "parameters",
                            "epsilon", "user", "wait", "default", "phase_max_age", "sticky_for",
                            "units_from_clients", "floor", "holdout", "control", "fallback"});
  Spec spec;
  spec.name = fields.text("name");
  check_name("name", spec.name);
  spec.population = fields.text("population");
  check_name("population", spec.population);
  if (fields.find("policy") != nullptr) spec.policy = fields.text("policy");
  spec.arms = arms_of(fields);
  if (fields.find("actions") != nullptr) spec.actions = fields.text("actions");
  if (const Json* parameters = fields.find("parameters")) {
    if (!parameters->is_object()) refuse_value("parameters", *parameters, "must be an object");
    for (const auto& [name, value] : parameters->items()) {
      spec.parameters.push_back(
          {name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  read_privacy(fields, spec);
  read_serving(fields, spec);
  return spec;
}

Spec stored_spec(const std::string& json) {
  Json stored = Json::parse(json);
  if (!stored.contains("units_from_clients")) stored["units_from_clients"] = "any";
  return spec_of(stored);
}

Json json_of(const Spec& spec) {
  Json json;
  json["name"] = spec.name;
  json["population"] = spec.population;
  json["policy"] = spec.policy;
  json["arms"] = Json::array();
  for (const ArmSpec& arm : spec.arms) {
    Json each{{"name", arm.name}, {"value", Json::parse(arm.value)}};
    if (arm.retired) each["retired"] = true;
    json["arms"].push_back(each);
  }
  json["actions"] = spec.actions;
  json["parameters"] = Json::object();
  for (const auto& [name, value] : spec.parameters) json["parameters"][name] = value;
  if (spec.user_level()) {
    json["user"] = {{"epsilon", spec.user_epsilon}, {"cap", *spec.cap}};
    if (spec.period > 0) json["user"]["period"] = text_of_duration(spec.period);
  } else {
    json["epsilon"] = spec.epsilon;
  }
  json["wait"] = text_of_duration(spec.wait);
  json["default"] = spec.missing;
  json["phase_max_age"] = text_of_duration(spec.phase_max_age);
  json["sticky_for"] = text_of_duration(spec.sticky_for);
  json["units_from_clients"] = spec.client_units == ClientUnits::kAny ? "any" : "signed";
  json["floor"] = spec.floor;
  json["holdout"] = spec.holdout;
  json["control"] = spec.arms[static_cast<std::size_t>(spec.control)].name;
  json["fallback"] = Json::array();
  for (const Arm arm : spec.fallback) {
    json["fallback"].push_back(spec.arms[static_cast<std::size_t>(arm)].name);
  }
  return json;
}

std::string in_words(const privacy::Guarantee& guarantee, const Spec& spec) {
  const auto right = [](double epsilon) {
    constexpr double kHardly = 99;
    const double percent = 100 / (1 + std::exp(-epsilon));
    return fmt::format("at most {:.1f} % of the time (by a coin: 50 %{}): epsilon {:.6g}", percent,
                       percent > kHardly ? "; this protects hardly anybody" : "", epsilon);
  };
  if (guarantee.notion == privacy::Notion::kLocal) {
    return fmt::format(
        "Whoever sees everything that this service ever receives about one decision, knows all "
        "others, and guesses whether its outcome was one thing or the other, is right {}, if the "
        "user's device sends exactly one report a decision, at a time that does not depend on the "
        "outcome. Several decisions about the same person add up.",
        right(guarantee.epsilon));
  }
  std::string words = fmt::format(
      "Whoever sees every decision and everything that this service shows, knows the outcomes of "
      "all decisions but one, and guesses whether that one's was one thing or the other, is right "
      "{}.",
      right(guarantee.epsilon));
  if (spec.user_level()) {
    words += fmt::format(
        " Of a unit at most {} decisions are recorded{}: whoever guesses about all of them "
        "together is right {}.",
        *spec.cap,
        spec.period > 0 ? " every " + text_of_duration(spec.period) + ", and periods add up" : "",
        right(spec.user_epsilon));
  } else {
    words += " Several decisions about the same person add up, also of other experiments.";
  }
  words += " Not hidden: who asked for a decision, and when.";
  return words;
}

}  // namespace tacit::service
