// `tacit audit --notion environment`: released means, without a policy.
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/audit/environment.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeast = 0x1p-10;
constexpr double kMost = 0x1p20;

/// What a policy would need.
void check_options(const AuditOptions& o) {
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

audit::EnvironmentPlay play_of(const AuditOptions& o) {
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

std::string heading(const audit::EnvironmentPlay& play, const problems::EnvironmentLoss& claimed) {
  return fmt::format(
      "released means at epsilon {}, two of them\n\n"
      "claimed epsilon   {:.6g} for an L1 distance of 1 between the means, and in proportion; "
      "{:.3g} "
      "more\n                  for cutting to the grid\n",
      play.epsilon, claimed.per_unit, claimed.for_cutting);
}

void print_exact(const AuditOptions& options, const audit::EnvironmentPlay& play) {
  const audit::ExactEnvironment result = audit::exact_environment_audit(play);
  const char* verdict =
      audit::name_of(result.violated ? audit::Verdict::kViolated : audit::Verdict::kHolds);
  if (options.json) {
    Json json = document_of(play, result.claimed);
    json["lower_bound"] = result.epsilon;
    json["nearly_equal"] = result.nearly_equal;
    json["confidence"] = 1.0;
    json["samples"] = 0;
    json["exact"] = true;
    json["verdict"] = verdict;
    json["worst_case"] = result.where;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print(
      "{}worst case        {:.6g} for a distance of 1, {}\n"
      "                  {:.3g} in all for means a hair apart, from cutting\n\n{}: {}\n",
      heading(play, result.claimed), result.epsilon, result.where, result.nearly_equal, verdict,
      result.violated ? "epsilon is more than is claimed"
                      : "of these environments, all that can come out was gone through");
}

}  // namespace

void audit_environment(const AuditOptions& options) {
  check_options(options);
  const audit::EnvironmentPlay play = play_of(options);
  if (options.exact) {
    print_exact(options, play);
    return;
  }
  audit::Effort effort;
  effort.samples = options.samples
                       ? specs::read_integer(Option{"samples"}, *options.samples, 100, 1000000000)
                       : 40000;
  const audit::EnvironmentResult result = audit::environment_audit(play, effort);
  const char* verdict = audit::name_of(result.verdict);
  if (options.json) {
    Json json = document_of(play, result.claimed);
    json["lower_bound"] = result.guesses.lower_bound;
    json["confidence"] = 1 - effort.error;
    json["samples"] = result.guesses.samples;
    json["exact"] = false;
    json["verdict"] = verdict;
    json["law"] = {{"samples", result.law.samples},
                   {"released", result.law.released},
                   {"complaint", result.law.complaint}};
    json["guesses"] = {{"samples", result.guesses.samples},
                       {"violated", result.guesses.violated},
                       {"by", result.guesses.guessed_by},
                       {"environments", result.guesses.pair}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print(
      "{}law of the noise  {} releases: {}\n"
      "guessed           {} releases, each of one of two environments\n"
      "                  {}\n"
      "certified         at least {:.4g} for a distance of 1, with {:.1f}% confidence\n\n{}: {}\n",
      heading(play, result.claimed), result.law.samples,
      result.law.complaint.empty() ? fmt::format("{} noises as declared", result.law.released)
                                   : result.law.complaint,
      result.guesses.samples,
      result.guesses.lower_bound == 0 ? "so many do not tell which of the two it was"
                                      : "most often " + result.guesses.pair,
      result.guesses.lower_bound, 100 * (1 - effort.error), verdict,
      result.verdict == audit::Verdict::kNotRefuted ? "nothing was found, which is no proof"
      : result.guesses.violated                     ? "epsilon is more than is claimed"
                                                    : "the noise is not as declared");
}

}  // namespace tacit::cli
