#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/audit/audit.hpp"
#include "tacit/audit/exact.hpp"
#include "tacit/audit/law.hpp"
#include "tacit/audit/replay.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

using Json = nlohmann::ordered_json;

audit::AuditRequest request_of(const AuditOptions& o) {
  audit::AuditRequest r(policies::find_policy(o.policy).card.name,
                        specs::read_positive(Option{"epsilon"}, o.epsilon));
  if (o.delta) r.delta = specs::read_share(Option{"delta"}, *o.delta);
  r.parameters = specs::ParameterOptions(o.params, {r.policy}).of(r.policy);
  r.samples = specs::read_integer(Option{"samples"}, o.samples, 1000, 10000000);
  r.seed = static_cast<std::uint64_t>(specs::read_integer(Option{"seed"}, o.seed, 0, kLastRound));
  r.threads = specs::read_threads(o.threads);
  return r;
}

Json to_json(const audit::AuditRequest& r, const audit::AuditResult& result) {
  return {{"policy", r.policy},
          {"epsilon", r.epsilon},
          {"delta", result.claimed ? Json(result.claimed->delta) : Json(nullptr)},
          {"claimed", result.claimed ? Json(result.claimed->epsilon) : Json(nullptr)},
          {"lower_bound", result.lower_bound},
          {"confidence", result.confidence},
          {"exact", false},
          {"verdict", audit::name_of(result.verdict)},
          {"samples", r.samples},
          {"seed", r.seed},
          {"attack",
           {{"view", result.view},
            {"tables", result.pair},
            {"event", result.event},
            {"probability_one", result.one},
            {"probability_other", result.other}}}};
}

/// As a percentage that does not round to a certainty.
std::string percent(double share) {
  const bool extreme = (share > 0 && share < 0.001) || (share > 0.999 && share < 1);
  return fmt::format("{:.{}f}%", 100 * share, extreme ? 4 : 1);
}

std::string to_text(const audit::AuditRequest& r, const audit::AuditResult& result) {
  std::string text =
      fmt::format("{} at epsilon {}, {} runs on each table\n\n", r.policy, r.epsilon, r.samples);
  text += fmt::format("claimed epsilon   {}\n",
                      result.claimed ? fmt::format("{:.4g}", result.claimed->epsilon) : "none");
  if (result.claimed && result.claimed->delta > 0) {
    text += fmt::format("        delta     {:.2g}\n", result.claimed->delta);
  }
  text += fmt::format("certified         at least {:.4g}, with {} confidence\n", result.lower_bound,
                      percent(result.confidence));
  text += fmt::format("strongest attack  on the {}; {}\n", result.view, result.pair);
  text += fmt::format(
      "                  {}: seen in {} of the runs on the one table, {} on the other\n",
      result.event, percent(result.one), percent(result.other));
  if (result.claimed) {
    text += fmt::format(
        "in plain words    an attacker who knows everything but one user's bit may guess it right "
        "{} of the time\n                  under the claim{}\n",
        percent(audit::attacker_success(result.claimed->epsilon, result.claimed->delta)),
        result.verdict == audit::Verdict::kViolated
            ? fmt::format("; after that event this one is right {} of the time",
                          percent(audit::attacker_success(result.lower_bound)))
            : "");
  }
  return text + fmt::format("\n{}\n", audit::name_of(result.verdict));
}

/// The true worst-case epsilon, in place of a bound from samples.
void run_exact_audit(const AuditOptions& options, audit::AuditRequest request) {
  audit::Play play = audit::small_play(policies::find_policy(request.policy), request.epsilon,
                                       request.delta, request.parameters);
  play.seed = request.seed;
  const audit::ExactResult result = audit::exact_audit(play, request.rounds);
  // What is claimed may depend on how long is played.
  request.rounds = result.rounds;
  const accounting::Cost claimed = *audit::claim_of(request);
  const bool violated = result.epsilon > claimed.epsilon * (1 + 1e-9);
  if (violated && claimed.delta > 0) {
    throw InvalidParameter(Option{"exact"}, request.policy,
                           "claims privacy up to a delta over so many rounds; it can be sampled, "
                           "without --exact");
  }
  const char* verdict = result.where.empty() ? "nothing seen"
                                             : audit::name_of(violated ? audit::Verdict::kViolated
                                                                       : audit::Verdict::kHolds);
  if (options.json) {
    fmt::print("{}\n", Json{{"policy", request.policy},
                            {"epsilon", request.epsilon},
                            {"rounds", result.rounds},
                            {"claimed", claimed.epsilon},
                            {"lower_bound", result.epsilon},
                            {"confidence", 1.0},
                            {"exact", true},
                            {"verdict", verdict},
                            {"beyond", result.beyond},
                            {"paths", result.paths},
                            {"worst_case", result.where}}
                           .dump(2));
    return;
  }
  fmt::print(
      "{} at epsilon {}, computed: noise on whole numbers, all that can be seen in {} rounds, "
      "every "
      "table of bits\n\n"
      "claimed epsilon   {:.4g}\n"
      "worst case        {:.6g}, but for noises of probability {:.2g} that were left out\n"
      "                  {}\n"
      "enumerated        {} paths\n\n{}\n",
      request.policy, request.epsilon, result.rounds, claimed.epsilon, result.epsilon,
      result.beyond, result.where.empty() ? "nothing came out" : result.where, result.paths,
      verdict);
}

/// Both paces; then, if nothing was found, the law of the noise.
void run_replay(const AuditOptions& options, const audit::AuditRequest& request) {
  constexpr int kRuns = 100;
  constexpr double kError = 1e-3;
  const policies::Entry& entry = policies::find_policy(request.policy);
  if (entry.card.trust == policies::Trust::kNone) {
    throw InvalidParameter(Option{"replay"}, request.policy,
                           "claims no privacy; tacit list shows who does");
  }
  audit::Play play = audit::small_play(entry, request.epsilon, request.delta, request.parameters);
  play.seed = request.seed;
  audit::ReplayResult replayed;
  int pairs = 0;
  for (const policies::Pace pace : {policies::Pace::kPlain, policies::Pace::kSkipping}) {
    if (!replayed.complaint.empty()) break;
    play.setting.pace = pace;
    replayed = audit::replay(play);
    pairs += replayed.pairs;
  }
  play.setting.pace = policies::Pace::kPlain;
  const audit::LawResult law =
      replayed.complaint.empty() ? audit::law_audit(play, kRuns, kError) : audit::LawResult{};
  const bool seen = replayed.releases > 0;
  const char* verdict = !replayed.complaint.empty() || !law.complaint.empty() ? "violated"
                        : seen                                                ? "not refuted"
                                                                              : "nothing seen";
  if (options.json) {
    fmt::print("{}\n", Json{{"policy", request.policy},
                            {"epsilon", request.epsilon},
                            {"rounds", play.setting.horizon},
                            {"replay",
                             {{"pairs", pairs},
                              {"releases", replayed.releases},
                              {"complaint", replayed.complaint},
                              {"tables", replayed.where}}},
                            {"law",
                             {{"samples", law.samples},
                              {"released", law.released},
                              {"confidence", 1 - kError},
                              {"complaint", law.complaint}}},
                            {"verdict", verdict}}
                           .dump(2));
    return;
  }
  fmt::print("{} at epsilon {}, {} rounds\n\n", request.policy, request.epsilon,
             play.setting.horizon);
  fmt::print("replayed          {} pairs of tables, up to {} {} of every arm\n", pairs,
             replayed.releases,
             entry.card.trust == policies::Trust::kLocal ? "reports" : "releases");
  fmt::print("                  {}\n", replayed.complaint.empty()
                                           ? "nothing but what was released tells of a user"
                                           : replayed.complaint + " (" + replayed.where + ")");
  if (law.samples > 0) {
    const char* as_declared = law.released > 0 ? "as declared" : "nothing came out";
    fmt::print("law of the noise  {} runs: {}\n", law.samples,
               law.complaint.empty() ? as_declared : law.complaint.c_str());
  }
  fmt::print("\n{}\n", verdict);
}

}  // namespace

void audit(const AuditOptions& options) {
  const audit::AuditRequest request = request_of(options);
  if (options.exact) {
    run_exact_audit(options, request);
    return;
  }
  if (options.replay) {
    run_replay(options, request);
    return;
  }
  const audit::AuditResult result = audit::audit(request);
  if (options.json) {
    fmt::print("{}\n", to_json(request, result).dump(2));
  } else {
    fmt::print("{}", to_text(request, result));
  }
}

}  // namespace tacit::cli
