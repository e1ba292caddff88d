// What can really be told about one user: a lower bound on a policy's epsilon, by playing it.
//
// The policy is played many times on pairs of tables that differ in one round (neighbours.hpp), and what an
// attacker sees is told apart (distinguish.hpp): the actions under central privacy, the reports and their
// number under local privacy; and, a stronger view of a central policy, what its mechanisms let out. Every pair, in
// both directions and every view, gets an equal share of the error (Bonferroni).
//
// A lower bound above the claim proves the claim wrong, but for the error. One below it proves nothing: the
// argument for a guarantee is in docs/guarantees.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/accounting/composition.hpp"
#include "tacit/accounting/ledger.hpp"
#include "tacit/audit/neighbours.hpp"
#include "tacit/policies/setting.hpp"

namespace tacit::audit {

struct AuditRequest {
  AuditRequest(std::string audited, double at_epsilon)
      : policy(std::move(audited)), epsilon(at_epsilon) {}

  std::string policy;
  double epsilon;
  std::optional<double> delta;
  std::vector<policies::ParameterValue> parameters;
  std::int64_t samples = 40000;  // runs on each table
  std::uint64_t seed = 1;
  int threads = 1;
  Round rounds = 0;  // 0: as few as show something of every arm
  /// A broken twin: the policy plays with this epsilon, and is held to the claim at `epsilon`.
  std::optional<double> plays_with;
  /// Another: no policy of the catalogue, but something that plays a table in its place, once, and shows what
  /// it does in the ledger.
  std::function<void(const Rows& rows, std::uint64_t run, accounting::Ledger* ledger)> twin;
};

enum class Verdict { kHolds, kViolated, kNoClaim };
const char* name_of(Verdict verdict);

struct AuditResult {
  std::optional<accounting::Cost> claimed;  // none: nothing is claimed
  double lower_bound = 0;
  double confidence = 0.999;
  Verdict verdict = Verdict::kNoClaim;
  // The strongest attack found.
  std::string view;   // what it looks at
  std::string pair;   // between which tables it tells
  std::string event;  // what it waits for
  double one = 0;     // how often it happens on the two tables
  double other = 0;
};

/// The smaller of what is published and what is checked, of the notion that is audited (central or local).
std::optional<accounting::Cost> claim_of(const AuditRequest& request);

AuditResult audit(const AuditRequest& request);

/// How often an attacker who knows everything but one user's bit can guess it at most: 1/(1 + e^-epsilon)
/// (Chandak's thesis, Thms 4 and 5); with a delta, (1 + delta e^-epsilon)/(1 + e^-epsilon).
double attacker_success(double epsilon, double delta = 0);

}  // namespace tacit::audit
