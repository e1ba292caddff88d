// The audit of a policy: everything that can be seen of it is tried against what it claims.
//
//   replay      what is seen depends on a user through releases alone (replay.hpp); deterministic
//   law         what comes out minus what went in has the declared law (law.hpp)
//   guesses     which of two neighbouring tables was played, from all that is seen (sequential.hpp)
//
// Each in every way of playing: both paces, ideal and exact noise, answers that come late. Half of the error goes to
// the law, half to the guesses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/accounting/composition.hpp"
#include "tacit/audit/law.hpp"
#include "tacit/audit/replay.hpp"
#include "tacit/audit/sequential.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::audit {

struct AuditRequest {
  AuditRequest(std::string audited, double at_epsilon)
      : policy(std::move(audited)), epsilon(at_epsilon) {}

  std::string policy;
  double epsilon;
  std::optional<double> delta;
  std::vector<policies::ParameterValue> parameters;
  std::uint64_t seed = 1;
  Round rounds = 0;  // 0: as few as show something of every arm
  /// One that is in no catalogue, in the place of what is found there; it outlives the audit.
  const policies::Entry* own_entry = nullptr;
};

/// On two arms, or on two out of three.
Play play_of(const AuditRequest& request);

/// Both paces, each with ideal and with exact noise; and with answers that come late. Without exact noise where the policy
/// has none: why_not_exactly() says why.
std::vector<Play> ways_of_playing(const Play& play);
/// "" where it has.
std::string why_not_exactly(const Play& play);

/// The smaller of what is published and what is checked, of the notion that is audited (central or local). None:
/// nothing is claimed.
std::optional<accounting::Cost> claim_of(const Play& play);

/// More for small epsilons, where a run tells less; fewer where runs are long.
std::int64_t default_samples(const Play& play);

enum class Verdict {
  kViolated,     // the claim, or what the proof of it rests on, is false but for the error
  kNotRefuted,   // nothing was found in samples, which proves nothing
  kHolds,        // all that can happen within these rounds was gone through (exact.hpp)
  kNothingSeen,  // no release, no report within these rounds
  kNoClaim,
};
const char* name_of(Verdict verdict);

struct AuditResult {
  std::optional<accounting::Cost> claimed;
  Verdict verdict = Verdict::kNoClaim;
  ReplayResult replay;  // of all ways
  LawResult law;        // of all ways
  SequentialResult guesses;
  Round rounds_until_seen =
      0;  // where nothing was: how many it would take; 0: more than were tried
};

/// All of it, however early something is found: each says what it found.
AuditResult audit(const Play& play, const Effort& effort);
/// Replay and law alone. For policies that claim something.
AuditResult replay_audit(const Play& play, double error);

/// How often an attacker who knows everything but one user's bit can guess it at most: 1/(1 + e^-epsilon)
/// (Chandak's thesis, Thms 4 and 5); with a delta, (1 + delta e^-epsilon)/(1 + e^-epsilon).
double attacker_success(double epsilon, double delta = 0);

}  // namespace tacit::audit
