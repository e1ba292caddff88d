// What an operator says of an experiment, and what is refused of it: the same words in a request (JSON) and in a file (TOML).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tacit/core/round.hpp"
#include "tacit/policies/setting.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/service/time.hpp"

namespace tacit::service {

using Json = nlohmann::ordered_json;

struct ArmSpec {
  std::string name;
  std::string value;     // JSON, as an application gets it; the name unless it was given
  bool retired = false;  // chosen no more
};

/// Which names of units are taken from `client` keys where something is kept of units (api/ofrep.hpp).
enum class ClientUnits { kSigned, kAny };

struct Spec {
  std::string name;
  std::string population;
  std::string policy = "mgf-imed";
  std::vector<ArmSpec> arms;
  std::string actions = "single";  // as the command line takes them
  std::vector<policies::ParameterValue> parameters;

  /// Of one decision's record.
  double epsilon = 0;
  /// User level: at most so many decisions of a unit are recorded in a period, so that all of them together cost at most
  /// user_epsilon.
  std::optional<int> cap;
  double user_epsilon = 0;
  Time period = 0;  // 0: the experiment's life

  Time wait = 10 * kMinute;  // how long an outcome may take
  double missing = 0;        // the outcome of a decision that nobody has answered by then
  Time phase_max_age = 0;    // a slot that is filling for longer is closed; 0: never
  Time sticky_for = 0;       // a unit gets the same decision again; 0: a new one each time
  ClientUnits client_units = ClientUnits::kSigned;
  double floor = 0;    // the least share of every arm
  double holdout = 0;  // the share of decisions that get `control` whatever is learned
  Arm control = 0;
  std::vector<Arm> fallback;  // what is shown when the experiment is stopped

  bool user_level() const noexcept { return cap.has_value(); }
  /// What they were shown, or how often they were recorded.
  bool keeps_units() const noexcept { return user_level() || sticky_for > 0; }
  /// What the population is debited: of a decision, or of a unit a period.
  double debit() const noexcept { return cap ? user_epsilon : epsilon; }
  /// Until when an answer to what is shown now counts: a whole second, so that it does not tell how long a request took.
  Time deadline(Time now) const noexcept { return (now + wait + kSecond - 1) / kSecond * kSecond; }
  std::optional<Arm> arm_named(std::string_view arm) const;
};

/// Throws Problem (422) that names the key, what was given, what is allowed, and the nearest right key.
Spec spec_of(const Json& json);
Json json_of(const Spec& spec);
/// As a store has it. One that was written before there was `units_from_clients` takes any, as it did.
Spec stored_spec(const std::string& json);
/// Throws Problem (422) for names that no path leads to. What has one already keeps it.
void check_new_name(const std::string& field, const std::string& name);
void check_new_names(const Spec& spec);

/// "10m", "90s", "1500ms", "2h", "7d", or a number of seconds.
Time duration_of(const std::string& field, const Json& json);
std::string text_of_duration(Time duration);
/// Throws Problem (422): "epsilon = 0: must be ...", with what was given in a few words. For what may be repeated.
[[noreturn]] void refuse_value(const std::string& field, const Json& given,
                               const std::string& allowed);
/// Throws Problem (404), with the nearest of the arms.
[[noreturn]] void refuse_unknown_arm(const std::string& given,
                                     const std::vector<std::string>& arms);
/// A name of an experiment, an arm or a population: letters, digits, . _ and -, at most 64.
void check_name(const std::string& field, const std::string& name);

/// "whoever sees every decision ... is right at most 62.2 % of the time".
std::string in_words(const privacy::Guarantee& guarantee, const Spec& spec);

}  // namespace tacit::service
