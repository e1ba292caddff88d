#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/audit/exact_instantaneous.hpp"

namespace tacit::cli {
namespace {

using reports::ExactAudit;
using reports::SampledAudit;

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

std::string in_words(const ExactAudit& a) {
  audit::AuditResult judged;
  judged.verdict = a.verdict;
  judged.guesses.violated = a.verdict == audit::Verdict::kViolated;
  const audit::ExactResult& result = a.result;
  const std::string left_out =
      a.instantaneous
          ? fmt::format("what is released cut to within {} scales", audit::kReach)
          : fmt::format("but for noises of probability {:.2g} that were left out", result.beyond);
  return fmt::format(
      "{} at epsilon {}, computed: noise on whole numbers, {} in {}, "
      "every table of bits\n\n{}"
      "worst case        {:.6g}, {}\n"
      "                  {}\n"
      "enumerated        {}\n\n{}: {}\n",
      a.request.policy, a.request.epsilon,
      a.instantaneous ? "every action given those before it" : "all that can be seen",
      count_of(result.rounds, "round"), claim_in_words(a.claimed), result.epsilon, left_out,
      result.where.empty() ? "nothing came out" : result.where,
      a.instantaneous ? fmt::format("{} probabilities of states", result.paths)
                      : count_of(result.paths, "path"),
      audit::name_of(a.verdict), meaning_of(judged, result.rounds));
}

std::string in_words(const SampledAudit& a) {
  const audit::AuditResult& result = a.result;
  const std::string inexact = audit::why_not_exactly(a.play);
  return fmt::format("{} at epsilon {}, {} rounds{}\n\n{}{}{}{}\n{}: {}\n", a.request.policy,
                     a.request.epsilon, a.play.setting.horizon,
                     a.instantaneous ? ", one action at a time" : "",
                     claim_in_words(result.claimed),
                     inexact.empty() ? "" : "exact noise       not played: " + inexact + "\n",
                     result.claimed ? replay_in_words(result, a.local()) : "",
                     guesses_in_words(result, a.confidence, a.instantaneous),
                     audit::name_of(result.verdict), meaning_of(result, a.play.setting.horizon));
}

}  // namespace

void audit(const AuditOptions& options) {
  if (options.text.notion == "environment") {
    audit_environment(options);
    return;
  }
  const reports::PolicyAudit found = reports::audit_policy(options.text);
  if (options.json) {
    fmt::print("{}\n", reports::audit_json(found).dump(2));
  } else {
    fmt::print("{}", std::visit([](const auto& one) { return in_words(one); }, found));
  }
}

}  // namespace tacit::cli
