// `tacit audit --notion environment`: released means, without a policy.
#include <string>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "tacit/reports/audits/environment_audit.hpp"

namespace tacit::cli {
namespace {

std::string heading(const audit::EnvironmentPlay& play, const problems::EnvironmentLoss& claimed) {
  return fmt::format(
      "released means at epsilon {}, two of them\n\n"
      "claimed epsilon   {:.6g} for an L1 distance of 1 between the means, and in proportion; "
      "{:.3g} "
      "more\n                  for cutting to the grid\n",
      play.epsilon, claimed.per_unit, claimed.for_cutting);
}

std::string in_words(const reports::EnvironmentAudit& audit,
                     const audit::ExactEnvironment& result) {
  return fmt::format(
      "{}worst case        {:.6g} for a distance of 1, {}\n"
      "                  {:.3g} in all for means a hair apart, from cutting\n\n{}: {}\n",
      heading(audit.play, result.claimed), result.epsilon, result.where, result.nearly_equal,
      audit::name_of(result.violated ? audit::Verdict::kViolated : audit::Verdict::kHolds),
      result.violated ? "epsilon is more than is claimed"
                      : "of these environments, all that can come out was gone through");
}

std::string in_words(const reports::EnvironmentAudit& audit,
                     const audit::EnvironmentResult& result) {
  return fmt::format(
      "{}law of the noise  {} releases: {}\n"
      "guessed           {} releases, each of one of two environments\n"
      "                  {}\n"
      "certified         at least {:.4g} for a distance of 1, with {:.1f}% confidence\n\n{}: {}\n",
      heading(audit.play, result.claimed), result.law.samples,
      result.law.complaint.empty() ? fmt::format("{} noises as declared", result.law.released)
                                   : result.law.complaint,
      result.guesses.samples,
      result.guesses.lower_bound == 0 ? "so many do not tell which of the two it was"
                                      : "most often " + result.guesses.pair,
      result.guesses.lower_bound, 100 * audit.confidence, audit::name_of(result.verdict),
      result.verdict == audit::Verdict::kNotRefuted ? "nothing was found, which is no proof"
      : result.guesses.violated                     ? "epsilon is more than is claimed"
                                                    : "the noise is not as declared");
}

}  // namespace

void audit_environment(const AuditOptions& options) {
  const reports::EnvironmentAudit found = reports::audit_environment(options.text);
  if (options.json) {
    fmt::print("{}\n", reports::audit_json(found).dump(2));
    return;
  }
  fmt::print("{}",
             std::visit([&](const auto& result) { return in_words(found, result); }, found.result));
}

}  // namespace tacit::cli
