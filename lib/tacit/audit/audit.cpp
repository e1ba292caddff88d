#include "tacit/audit/audit.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/core/check.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/noise_of_epsilon.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::audit {
namespace {

using policies::Pace;
using privacy::Arithmetic;

constexpr Round kMostRounds = Round{1} << 20;

/// How many rounds, a power of two, bring the first answer; 0: too many to try.
Round rounds_until_seen(Play play) {
  play.setting.pace = Pace::kSkipping;
  for (Round rounds = 16; rounds <= kMostRounds; rounds *= 2) {
    if (rounds <= play.setting.horizon) continue;
    play.setting.horizon = rounds;
    const Rows rows = constant_rows(rounds, play.setting.arms, 0.5);
    if (!watch(play, rows, nullptr, Look::kReleases).told.empty()) return rounds;
  }
  return 0;
}

/// What was found first, and all that was played.
void add(ReplayResult& all, const ReplayResult& way) {
  all.pairs += way.pairs;
  all.told += way.told;
  all.releases = std::max(all.releases, way.releases);
  if (all.complaint.empty()) {
    all.complaint = way.complaint;
    all.where = way.where;
  }
}

void add(LawResult& all, const LawResult& way) {
  all.samples += way.samples;
  all.released += way.released;
  all.evidence = std::max(all.evidence, way.evidence);
  if (all.complaint.empty()) all.complaint = way.complaint;
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kViolated: return "violated";
    case Verdict::kNotRefuted: return "not refuted";
    case Verdict::kHolds: return "holds";
    case Verdict::kNothingSeen: return "nothing seen";
    case Verdict::kNoClaim: return "no claim";
  }
  return "no claim";
}

double attacker_success(double epsilon, double delta) {
  return 1 - (1 - delta) * theory::adversary_failure(epsilon);
}

std::int64_t default_samples(const Play& play) {
  constexpr double kAtOne = 40000;
  constexpr double kMost = 400000;
  constexpr double kMostRounds = 4e7;
  return static_cast<std::int64_t>(
      std::min({kMost, kAtOne / std::min(1.0, *play.setting.epsilon),
                kMostRounds / static_cast<double>(play.setting.horizon)}));
}

Play play_of(const AuditRequest& request) {
  // Beyond, sums and their noise do not fit into one double.
  constexpr double kLargestEpsilon = 1e6;
  check::positive_up_to("audit", "epsilon", request.epsilon, kLargestEpsilon);
  const policies::Entry& entry =
      request.own_entry != nullptr ? *request.own_entry : policies::find_policy(request.policy);
  Play play = policies::with_noise_of(request.epsilon, [&] {
    return small_play(entry, request.epsilon, request.delta, request.parameters);
  });
  play.seed = request.seed;
  if (request.rounds == 0) return play;
  constexpr Round kFewest = 4;
  check::within("audit", "rounds", static_cast<double>(request.rounds), kFewest,
                static_cast<double>(kMostRounds));
  play.setting.horizon = request.rounds;
  return play;
}

std::string why_not_exactly(const Play& play) {
  try {
    const random::SimulationKey key(play.seed, play.entry.card.name, play.dice_of, play.run);
    simulation::any_channel(play.entry.plan(play.played(), play.parameters), play.setting.arms,
                            {key, Arithmetic::kExact, nullptr});
    return "";
  } catch (const InvalidParameter& refused) {
    return refused.what();
  }
}

std::vector<Play> ways_of_playing(const Play& play) {
  std::vector<Play> ways;
  if (play.entry.is_its_own_curator) {
    ways.push_back(play);
    return ways;
  }
  const bool exactly = why_not_exactly(play).empty();
  for (const Pace pace : {Pace::kPlain, Pace::kSkipping}) {
    for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
      if (arithmetic == Arithmetic::kExact && !exactly) continue;
      ways.push_back(play);
      ways.back().setting.pace = pace;
      ways.back().arithmetic = arithmetic;
    }
  }
  ways.push_back(play);
  ways.back().delay = simulation::Delay::parse("geometric:5:3");
  return ways;
}

std::optional<accounting::Cost> claim_of(const Play& play) {
  const policies::Card& card = play.entry.card;
  if (card.trust == policies::Trust::kNone) return std::nullopt;
  std::optional<accounting::Cost> claim;
  const privacy::Guarantee checked =
      play.entry.guarantee(play.setting, play.parameters, play.arithmetic);
  if (checked.is_private()) claim = accounting::Cost{checked.epsilon, checked.delta};
  // What a paper says of another notion (instantaneous) is not what an attacker here sees.
  const auto audited =
      card.trust == policies::Trust::kLocal ? privacy::Notion::kLocal : privacy::Notion::kCentral;
  if (card.published.notion == audited) {
    const accounting::Cost published{
        card.published.epsilon_multiple * *play.setting.epsilon,
        card.published.up_to_delta ? play.setting.delta.value_or(policies::kDefaultDelta) : 0};
    if (!claim || published.epsilon < claim->epsilon)
      claim = {published.epsilon, std::max(published.delta, claim ? claim->delta : 0)};
  }
  return claim;
}

namespace {

AuditResult replayed(const Play& play, double error) {
  constexpr int kRuns = 100;
  AuditResult result;
  result.claimed = claim_of(play);
  const std::vector<Play> ways = ways_of_playing(play);
  for (const Play& way : ways) {
    add(result.replay, replay(way));
    if (play.entry.starts_from_raw_outcomes) continue;  // declares no law
    add(result.law, law_audit(way, kRuns, error / static_cast<double>(ways.size())));
  }
  const bool found = !result.replay.complaint.empty() || !result.law.complaint.empty();
  const bool seen = result.replay.told > 0;
  result.verdict = found ? Verdict::kViolated : seen ? Verdict::kNotRefuted : Verdict::kNothingSeen;
  if (!seen) result.rounds_until_seen = rounds_until_seen(play);
  return result;
}

AuditResult audited(const Play& play, const Effort& effort) {
  Effort guessing = effort;
  const std::vector<Play> ways = ways_of_playing(play);
  if (!claim_of(play)) {
    AuditResult baseline;
    baseline.guesses = sequential_audit(ways, {*play.setting.epsilon, 0}, effort);
    return baseline;
  }
  if (play.entry.is_its_own_curator) {  // declares no law, and nothing but its actions is seen
    AuditResult result;
    result.claimed = claim_of(play);
    result.guesses = sequential_audit(ways, *result.claimed, effort);
    result.verdict = result.guesses.violated ? Verdict::kViolated : Verdict::kNotRefuted;
    return result;
  }
  AuditResult result = replayed(play, effort.error / 2);
  if (result.verdict == Verdict::kNothingSeen) return result;
  guessing.error = effort.error / 2;
  result.guesses = sequential_audit(ways, *result.claimed, guessing);
  if (result.guesses.violated) result.verdict = Verdict::kViolated;
  return result;
}

}  // namespace

AuditResult replay_audit(const Play& play, double error) {
  return policies::with_noise_of(play.setting.epsilon, [&] { return replayed(play, error); });
}

AuditResult audit(const Play& play, const Effort& effort) {
  return policies::with_noise_of(play.setting.epsilon, [&] { return audited(play, effort); });
}

}  // namespace tacit::audit
