#include "tacit/reports/audits/policy_audit.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/audit/exact_instantaneous.hpp"
#include "tacit/audit/instantaneous.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::reports {
namespace {

using lab::Json;

const policies::Card& card_of(const AuditText& text) {
  return text.own_entry ? text.own_entry->card : policies::find_policy(text.policy).card;
}

/// Whether one action at a time is asked about; else the policy's own notion, central or local, is.
bool is_instantaneous(const AuditText& o, const policies::Card& card) {
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

audit::AuditRequest request_of(const AuditText& o) {
  if (o.policy.empty() && !o.own_entry) {
    throw InvalidParameter(Option{"policy"}, "",
                           "needed; `tacit list` shows them (--notion environment has none)");
  }
  audit::AuditRequest r(card_of(o).name, specs::read_positive(Option{"epsilon"}, o.epsilon));
  r.own_entry = o.own_entry.get();
  if (o.delta) r.delta = specs::read_share(Option{"delta"}, *o.delta);
  if (!o.own_entry) r.parameters = specs::ParameterOptions(o.params, {r.policy}).of(r.policy);
  r.seed = static_cast<std::uint64_t>(specs::read_integer(Option{"seed"}, o.seed, 0, kLastRound));
  const int fewest = o.exact ? 1 : 4;
  if (o.rounds) r.rounds = specs::read_integer(Option{"rounds"}, *o.rounds, fewest, 1 << 20);
  return r;
}

audit::Effort effort_of(const AuditText& o, const audit::Play& play) {
  audit::Effort effort;
  effort.samples = o.samples ? specs::read_integer(Option{"samples"}, *o.samples, 100, 1000000000)
                             : audit::default_samples(play);
  effort.threads = specs::read_threads(o.threads);
  return effort;
}

/// What every answer has.
Json document_of(const audit::AuditRequest& r, const std::optional<accounting::Cost>& claimed,
                 Round rounds, bool local, bool instantaneous) {
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

Json to_json(const SampledAudit& a) {
  const audit::AuditResult& result = a.result;
  Json json =
      document_of(a.request, result.claimed, a.play.setting.horizon, a.local(), a.instantaneous);
  const bool guessed = result.guesses.samples > 0;
  json["lower_bound"] = guessed ? Json(result.guesses.lower_bound) : Json(nullptr);
  json["confidence"] = a.confidence;
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

Json to_json(const ExactAudit& a) {
  Json json = document_of(a.request, a.claimed, a.result.rounds, a.local, a.instantaneous);
  json["lower_bound"] = a.result.epsilon;
  json["confidence"] = 1.0;
  json["samples"] = 0;
  json["exact"] = true;
  json["verdict"] = audit::name_of(a.verdict);
  json["beyond"] = a.result.beyond;
  json["paths"] = a.result.paths;
  json["worst_case"] = a.result.where;
  return json;
}

ExactAudit run_exactly(const AuditText& text, audit::AuditRequest request, bool instantaneous) {
  if (text.own_entry) {
    throw InvalidParameter(Option{"exact"}, request.policy,
                           "nothing is known of its noise: it can be sampled, without --exact");
  }
  const Round asked = std::exchange(request.rounds, 0);
  audit::Play play = audit::play_of(request);
  const policies::Trust trust = play.entry.card.trust;
  if (instantaneous && trust != policies::Trust::kNone && !claim_of(play, true)) {
    throw InvalidParameter(
        Option{"notion"}, text.notion,
        fmt::format("{} is private up to a delta at most, which promises nothing "
                    "of one action given those before it",
                    request.policy));
  }
  audit::ExactResult result = instantaneous ? audit::exact_instantaneous_audit(play, asked)
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
  const audit::Verdict verdict = result.where.empty() ? audit::Verdict::kNothingSeen
                                 : violated           ? audit::Verdict::kViolated
                                                      : audit::Verdict::kHolds;
  return {std::move(request), trust == policies::Trust::kLocal,
          instantaneous,      claimed,
          std::move(result),  verdict};
}

}  // namespace

PolicyAudit audit_policy(const AuditText& text) {
  const audit::AuditRequest request = request_of(text);
  const bool instantaneous = is_instantaneous(text, card_of(text));
  if (text.exact) return run_exactly(text, request, instantaneous);
  audit::Play play = audit::play_of(request);
  play.stop = text.stop;
  const audit::Effort effort = effort_of(text, play);
  if (text.replay && (text.own_entry || !audit::claim_of(play))) {
    throw InvalidParameter(Option{"policy"}, request.policy,
                           text.own_entry ? "lets nothing out but its actions, so there is nothing "
                                            "to replay: leave --replay out"
                                          : "claims no privacy, so there is nothing to replay; "
                                            "`tacit list` shows who does");
  }
  if (text.replay && instantaneous) {
    throw InvalidParameter(Option{"replay"}, "",
                           "is the same for every notion: leave --notion out");
  }
  SampledAudit audit{request, std::move(play), instantaneous, 1 - effort.error};
  audit.result = text.replay     ? audit::replay_audit(audit.play, effort.error)
                 : instantaneous ? audit::instantaneous_audit(audit.play, effort)
                                 : audit::audit(audit.play, effort);
  return audit;
}

Json audit_json(const PolicyAudit& audit) {
  return std::visit([](const auto& one) { return to_json(one); }, audit);
}

}  // namespace tacit::reports
