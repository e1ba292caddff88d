#include "tacit/reports/audits/environment_audit.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::reports {
namespace {

using lab::Json;

constexpr double kLeast = 0x1p-10;
constexpr double kMost = 0x1p20;

/// What a policy would need.
void check_options(const AuditText& o) {
  const auto refuse = [](const char* option, const std::string& given, const char* why) {
    throw InvalidParameter(Option{option}, given, why);
  };
  if (!o.policy.empty()) {
    refuse(
        "policy", o.policy,
        "leave it out: means are released before any policy plays, and what it plays on is that");
  }
  if (o.delta) refuse("delta", *o.delta, "leave it out: means are released with pure privacy");
  if (o.rounds) refuse("rounds", *o.rounds, "leave it out: means are released once");
  if (!o.params.empty()) refuse("param", o.params[0], "leave it out: there is no policy");
  if (o.replay) refuse("replay", "", "leave it out: there is no policy to be told anything");
}

audit::EnvironmentPlay play_of(const AuditText& o) {
  const double epsilon = specs::read_positive(Option{"epsilon"}, o.epsilon);
  if (!(epsilon >= kLeast && epsilon <= kMost)) {
    throw InvalidParameter(Option{"epsilon"}, o.epsilon,
                           "must be from 0.0009765625 (2^-10) to 1048576 (2^20), as for "
                           "--environment-epsilon");
  }
  return {.epsilon = epsilon,
          .seed = static_cast<std::uint64_t>(
              specs::read_integer(Option{"seed"}, o.seed, 0, kLastRound))};
}

Json document_of(const audit::EnvironmentPlay& play, const problems::EnvironmentLoss& claimed) {
  return {{"notion", "environment"},
          {"metric", "L1"},
          {"epsilon", play.epsilon},
          {"claimed", claimed.per_unit},
          {"for_cutting", claimed.for_cutting},
          {"seed", play.seed}};
}

Json to_json(const EnvironmentAudit& audit, const audit::ExactEnvironment& result) {
  Json json = document_of(audit.play, result.claimed);
  json["lower_bound"] = result.epsilon;
  json["nearly_equal"] = result.nearly_equal;
  json["confidence"] = audit.confidence;
  json["samples"] = 0;
  json["exact"] = true;
  json["verdict"] =
      audit::name_of(result.violated ? audit::Verdict::kViolated : audit::Verdict::kHolds);
  json["worst_case"] = result.where;
  return json;
}

Json to_json(const EnvironmentAudit& audit, const audit::EnvironmentResult& result) {
  Json json = document_of(audit.play, result.claimed);
  json["lower_bound"] = result.guesses.lower_bound;
  json["confidence"] = audit.confidence;
  json["samples"] = result.guesses.samples;
  json["exact"] = false;
  json["verdict"] = audit::name_of(result.verdict);
  json["law"] = {{"samples", result.law.samples},
                 {"released", result.law.released},
                 {"complaint", result.law.complaint}};
  json["guesses"] = {{"samples", result.guesses.samples},
                     {"violated", result.guesses.violated},
                     {"by", result.guesses.guessed_by},
                     {"environments", result.guesses.pair}};
  return json;
}

}  // namespace

EnvironmentAudit audit_environment(const AuditText& text) {
  check_options(text);
  const audit::EnvironmentPlay play = play_of(text);
  if (text.exact) return {play, 1, audit::exact_environment_audit(play)};
  audit::Effort effort;
  effort.samples =
      text.samples ? specs::read_integer(Option{"samples"}, *text.samples, 100, 1000000000) : 40000;
  return {play, 1 - effort.error, audit::environment_audit(play, effort)};
}

Json audit_json(const EnvironmentAudit& audit) {
  return std::visit([&](const auto& result) { return to_json(audit, result); }, audit.result);
}

}  // namespace tacit::reports
