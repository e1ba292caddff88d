#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/audit/audit.hpp"
#include "tacit/audit/exact.hpp"
#include "tacit/audit/exact_instantaneous.hpp"
#include "tacit/audit/instantaneous.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Whether one action at a time is asked about; else the policy's own notion, central or local, is.
bool is_instantaneous(const AuditOptions& o, const policies::Card& card) {
  if (o.notion == "instantaneous") return true;
  if (o.notion.empty()) return false;
  if (o.notion != "central" && o.notion != "local") {
    throw InvalidParameter(Option{"notion"}, o.notion,
                           "must be central, local, instantaneous or environment");
  }
  const bool local = card.trust == policies::Trust::kLocal;
  if (card.trust != policies::Trust::kNone && local != (o.notion == "local")) {
    throw InvalidParameter(
        Option{"notion"}, o.notion,
        local ? fmt::format("{} is local, which is more: all reports are seen. Leave it out",
                            card.name)
              : fmt::format("{} is central: its curator sees outcomes as they are", card.name));
  }
  return false;
}

/// Of the notion that is asked about.
std::optional<accounting::Cost> claim_of(const audit::Play& play, bool instantaneous) {
  return instantaneous ? audit::instantaneous_claim_of(play) : audit::claim_of(play);
}

audit::AuditRequest request_of(const AuditOptions& o) {
  if (o.policy.empty()) {
    throw InvalidParameter(Option{"policy"}, "",
                           "needed; tacit list shows them (--notion environment has none)");
  }
  audit::AuditRequest r(policies::find_policy(o.policy).card.name,
                        specs::read_positive(Option{"epsilon"}, o.epsilon));
  if (o.delta) r.delta = specs::read_share(Option{"delta"}, *o.delta);
  r.parameters = specs::ParameterOptions(o.params, {r.policy}).of(r.policy);
  r.seed = static_cast<std::uint64_t>(specs::read_integer(Option{"seed"}, o.seed, 0, kLastRound));
  const int fewest = o.exact ? 1 : 4;
  if (o.rounds) r.rounds = specs::read_integer(Option{"rounds"}, *o.rounds, fewest, 1 << 20);
  return r;
}

audit::Effort effort_of(const AuditOptions& o, const audit::Play& play) {
  audit::Effort effort;
  effort.samples = o.samples ? specs::read_integer(Option{"samples"}, *o.samples, 100, 1000000000)
                             : audit::default_samples(play);
  effort.threads = specs::read_threads(o.threads);
  return effort;
}

/// What every answer has.
Json document_of(const audit::AuditRequest& r, const std::optional<accounting::Cost>& claimed,
                 Round rounds, bool instantaneous) {
  const bool local = policies::find_policy(r.policy).card.trust == policies::Trust::kLocal;
  return {{"policy", r.policy},
          {"notion", instantaneous ? "instantaneous"
                     : local       ? "local"
                                   : "central"},
          {"epsilon", r.epsilon},
          {"delta", claimed ? Json(claimed->delta) : Json(nullptr)},
          {"claimed", claimed ? Json(claimed->epsilon) : Json(nullptr)},
          {"rounds", rounds},
          {"seed", r.seed}};
}

Json to_json(const audit::AuditRequest& r, const audit::Play& play,
             const audit::AuditResult& result, double confidence, bool instantaneous) {
  Json json = document_of(r, result.claimed, play.setting.horizon, instantaneous);
  const bool guessed = result.guesses.samples > 0;
  json["lower_bound"] = guessed ? Json(result.guesses.lower_bound) : Json(nullptr);
  json["confidence"] = confidence;
  json["samples"] = result.guesses.samples;
  json["exact"] = false;
  json["verdict"] = audit::name_of(result.verdict);
  json["replay"] = {{"pairs", result.replay.pairs},
                    {"releases", result.replay.releases},
                    {"complaint", result.replay.complaint},
                    {"tables", result.replay.where}};
  json["law"] = {{"samples", result.law.samples},
                 {"released", result.law.released},
                 {"complaint", result.law.complaint}};
  json["guesses"] = {{"samples", result.guesses.samples},
                     {"violated", result.claimed && result.guesses.violated},
                     {"by", result.guesses.guessed_by},
                     {"tables", result.guesses.pair}};
  if (result.verdict == audit::Verdict::kNothingSeen)
    json["rounds_until_seen"] =
        result.rounds_until_seen > 0 ? Json(result.rounds_until_seen) : Json(nullptr);
  return json;
}

/// As a percentage that does not round to a certainty.
std::string percent(double share) {
  if (share > 0.9999) return fmt::format("all but {:.1g}", 1 - share);
  return fmt::format("{:.{}f}%", 100 * share, share > 0.999 ? 2 : 1);
}

std::string count_of(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string claim_in_words(const std::optional<accounting::Cost>& claimed) {
  if (!claimed) return "claimed epsilon   none\n";
  std::string text = fmt::format("claimed epsilon   {:.4g}\n", claimed->epsilon);
  if (claimed->delta > 0) text += fmt::format("        delta     {:.2g}\n", claimed->delta);
  return text;
}

std::string replay_in_words(const audit::AuditResult& result, bool local) {
  std::string text = fmt::format(
      "replayed          {} of tables, up to {} of every arm\n"
      "                  {}\n",
      count_of(result.replay.pairs, "pair"),
      count_of(result.replay.releases, local ? "report" : "release"),
      result.replay.complaint.empty() ? "nothing but what was released tells of a user"
                                      : result.replay.complaint + " (" + result.replay.where + ")");
  if (result.law.samples > 0) {
    const std::string as_declared = result.law.released > 0
                                        ? count_of(result.law.released, "noise") + " as declared"
                                        : "none that could be looked at";
    text += fmt::format("law of the noise  {}: {}\n", count_of(result.law.samples, "run"),
                        result.law.complaint.empty() ? as_declared : result.law.complaint);
  }
  return text;
}

std::string guesses_in_words(const audit::AuditResult& result, double confidence,
                             bool instantaneous) {
  const audit::SequentialResult& guesses = result.guesses;
  if (guesses.samples == 0) return "";
  std::string text = fmt::format(
      "guessed           {} runs, each on one of two tables that differ in a round{}\n"
      "                  {}\n"
      "certified         at least {:.4g}, with {} confidence\n",
      guesses.samples, instantaneous ? ", by one action" : "",
      guesses.lower_bound == 0
          ? "so many runs do not tell which of the two it was"
          : fmt::format("by {}; most often {}", guesses.guessed_by, guesses.pair),
      guesses.lower_bound, percent(confidence));
  if (!result.claimed || instantaneous) return text;
  return text +
         fmt::format(
             "in plain words    an attacker who knows everything but one user's bit may guess "
             "it right {} of the time\n                  under the claim\n",
             percent(audit::attacker_success(result.claimed->epsilon, result.claimed->delta)));
}

/// What the verdict means, in one sentence.
std::string meaning_of(const audit::AuditResult& result, Round rounds) {
  switch (result.verdict) {
    case audit::Verdict::kViolated:
      if (!result.replay.complaint.empty()) return "something but releases tells of a user";
      return result.guesses.violated ? "epsilon is more than is claimed"
                                     : "the noise is not as declared";
    case audit::Verdict::kNotRefuted: return "nothing was found, which is no proof";
    case audit::Verdict::kHolds:
      return "all that can happen in these rounds was gone through, with the dice of this seed";
    case audit::Verdict::kNothingSeen:
      return result.rounds_until_seen > 0
                 ? fmt::format("nothing leaves within {} rounds; try --rounds {}", rounds,
                               result.rounds_until_seen)
                 : fmt::format("nothing leaves within {} rounds; ask for more with --rounds",
                               rounds);
    case audit::Verdict::kNoClaim: return "no privacy is claimed";
  }
  return "";
}

/// The true worst-case epsilon, in place of a bound from samples.
void run_exact_audit(const AuditOptions& options, audit::AuditRequest request, bool instantaneous) {
  const Round asked = std::exchange(request.rounds, 0);
  audit::Play play = audit::play_of(request);
  if (instantaneous && play.entry.card.trust != policies::Trust::kNone && !claim_of(play, true)) {
    throw InvalidParameter(
        Option{"notion"}, options.notion,
        fmt::format("{} is private up to a delta at most, which promises nothing "
                    "of one action given those before it",
                    request.policy));
  }
  const audit::ExactResult result = instantaneous ? audit::exact_instantaneous_audit(play, asked)
                                                  : audit::exact_audit(play, asked);
  // What is claimed may depend on how long is played.
  play.setting.horizon = result.rounds;
  const accounting::Cost claimed = *claim_of(play, instantaneous);
  const bool violated = result.epsilon > claimed.epsilon * (1 + 1e-9);
  if (violated && claimed.delta > 0) {
    throw InvalidParameter(Option{"exact"}, request.policy,
                           "claims privacy up to a delta over so many rounds; it can be sampled, "
                           "without --exact");
  }
  audit::AuditResult judged;
  judged.verdict = result.where.empty() ? audit::Verdict::kNothingSeen
                   : violated           ? audit::Verdict::kViolated
                                        : audit::Verdict::kHolds;
  judged.guesses.violated = violated;
  if (options.json) {
    Json json = document_of(request, claimed, result.rounds, instantaneous);
    json["lower_bound"] = result.epsilon;
    json["confidence"] = 1.0;
    json["samples"] = 0;
    json["exact"] = true;
    json["verdict"] = audit::name_of(judged.verdict);
    json["beyond"] = result.beyond;
    json["paths"] = result.paths;
    json["worst_case"] = result.where;
    fmt::print("{}\n", json.dump(2));
    return;
  }
  const std::string left_out =
      instantaneous
          ? fmt::format("what is released cut to within {} scales", audit::kReach)
          : fmt::format("but for noises of probability {:.2g} that were left out", result.beyond);
  fmt::print(
      "{} at epsilon {}, computed: noise on whole numbers, {} in {}, "
      "every table of bits\n\n{}"
      "worst case        {:.6g}, {}\n"
      "                  {}\n"
      "enumerated        {}\n\n{}: {}\n",
      request.policy, request.epsilon,
      instantaneous ? "every action given those before it" : "all that can be seen",
      count_of(result.rounds, "round"), claim_in_words(claimed), result.epsilon, left_out,
      result.where.empty() ? "nothing came out" : result.where,
      instantaneous ? fmt::format("{} probabilities of states", result.paths)
                    : count_of(result.paths, "path"),
      audit::name_of(judged.verdict), meaning_of(judged, result.rounds));
}

}  // namespace

void audit(const AuditOptions& options) {
  if (options.notion == "environment") {
    audit_environment(options);
    return;
  }
  const audit::AuditRequest request = request_of(options);
  const bool instantaneous = is_instantaneous(options, policies::find_policy(request.policy).card);
  if (options.exact) {
    run_exact_audit(options, request, instantaneous);
    return;
  }
  const audit::Play play = audit::play_of(request);
  const audit::Effort effort = effort_of(options, play);
  const double confidence = 1 - effort.error;
  if (options.replay && !audit::claim_of(play)) {
    throw InvalidParameter(Option{"policy"}, request.policy,
                           "claims no privacy, so there is nothing to replay; tacit list shows who "
                           "does");
  }
  if (options.replay && instantaneous) {
    throw InvalidParameter(Option{"replay"}, "",
                           "is the same for every notion: leave --notion out");
  }
  const audit::AuditResult result = options.replay  ? audit::replay_audit(play, effort.error)
                                    : instantaneous ? audit::instantaneous_audit(play, effort)
                                                    : audit::audit(play, effort);
  if (options.json) {
    fmt::print("{}\n", to_json(request, play, result, confidence, instantaneous).dump(2));
    return;
  }
  const bool local = play.entry.card.trust == policies::Trust::kLocal;
  const std::string inexact = audit::why_not_exactly(play);
  fmt::print("{} at epsilon {}, {} rounds{}\n\n{}{}{}{}\n{}: {}\n", request.policy, request.epsilon,
             play.setting.horizon, instantaneous ? ", one action at a time" : "",
             claim_in_words(result.claimed),
             inexact.empty() ? "" : "exact noise       not played: " + inexact + "\n",
             result.claimed ? replay_in_words(result, local) : "",
             guesses_in_words(result, confidence, instantaneous), audit::name_of(result.verdict),
             meaning_of(result, play.setting.horizon));
}

}  // namespace tacit::cli
