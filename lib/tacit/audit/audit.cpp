#include "tacit/audit/audit.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "tacit/audit/distinguish.hpp"
#include "tacit/audit/neighbours.hpp"
#include "tacit/audit/small.hpp"
#include "tacit/core/check.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/simulate.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::audit {
namespace {

simulation::Request request_for(const AuditRequest& audited, const policies::Card& card,
                                const Rows& rows) {
  simulation::Request r;
  r.policy = audited.policy;
  r.epsilon = audited.plays_with.value_or(audited.epsilon);
  if (card.takes_delta) r.delta = audited.delta.value_or(policies::kDefaultDelta);
  r.parameters = audited.parameters;
  r.problem = std::make_shared<problems::Table>(rows);
  r.actions = small_actions(card);
  r.horizon = static_cast<Round>(rows.size());
  r.runs = 1;
  r.seed = audited.seed;
  r.checkpoints = {r.horizon};
  r.pace = policies::Pace::kPlain;
  return r;
}

/// Reports as they came: one user after the other.
Observation in_order(const accounting::Transcript& transcript) {
  Observation seen;
  for (const auto& [arm, value] : transcript.shown) seen.push_back(value);
  return seen;
}

/// Releases by the arm that they are about, the arms in the order in which they were first played, so that a
/// round's user is found in the same place of every run; a fixed number of places an arm.
Observation by_arm(const accounting::Transcript& transcript) {
  constexpr std::size_t kPlacesOfAnArm = 12;
  std::vector<Arm> order{kAllArms};
  for (const Arm arm : transcript.actions) {
    if (std::find(order.begin(), order.end(), arm) == order.end()) order.push_back(arm);
  }
  Observation seen;
  for (const Arm arm : order) {
    const std::size_t first = seen.size();
    for (const auto& [about, value] : transcript.shown) {
      if (about == arm && seen.size() < first + kPlacesOfAnArm) seen.push_back(value);
    }
    // Nothing is ever about all arms and about single ones.
    if (arm == kAllArms && seen.empty()) continue;
    seen.resize(first + kPlacesOfAnArm, std::numeric_limits<double>::quiet_NaN());
  }
  return seen;
}

/// What is seen of many runs on one table.
struct Views {
  std::vector<Observation> actions;
  std::vector<Observation> shown;
};

Views play(const AuditRequest& audited, const policies::Card& card, const Rows& rows) {
  const auto simulator = simulation::prepare(request_for(audited, card, rows));
  const auto runs = static_cast<std::size_t>(audited.samples);
  Views views{std::vector<Observation>(runs), std::vector<Observation>(runs)};
  const auto threads = static_cast<std::size_t>(std::max(1, audited.threads));
  const auto work = [&](std::size_t first) {
    for (std::size_t run = first; run < runs; run += threads) {
      accounting::Transcript transcript;
      accounting::Ledger ledger(&transcript);
      if (audited.twin) {
        audited.twin(rows, run, &ledger);
      } else {
        simulator->run(run, &ledger);
      }
      // Some policies release nothing for thousands of rounds: more actions than fit into memory.
      views.actions[run] = abridged({transcript.actions.begin(), transcript.actions.end()});
      views.shown[run] =
          card.trust == policies::Trust::kLocal ? in_order(transcript) : by_arm(transcript);
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(work, i);
    work(0);
  }
  return views;
}

/// As few as show something of every arm: in a long run one user weighs less, in a short one lazy policies
/// have not released anything.
Round enough_rounds(const AuditRequest& audited, const policies::Card& card) {
  constexpr Round kFewest = 8;
  constexpr Round kMost = 4096;
  const int arms = small_arms(card);
  if (card.trust == policies::Trust::kNone) return kFewest;  // shows nothing, however long
  for (Round rounds = kFewest; rounds < kMost; rounds *= 2) {
    const Rows rows = constant_rows(rounds, arms, 0.5);
    accounting::Transcript transcript;
    accounting::Ledger ledger(&transcript);
    simulation::prepare(request_for(audited, card, rows))->run(0, &ledger);
    if (std::ssize(transcript.shown) >= arms) return rounds;
  }
  return kMost;
}

privacy::Notion audited_notion(const policies::Card& card) {
  return card.trust == policies::Trust::kLocal ? privacy::Notion::kLocal
                                               : privacy::Notion::kCentral;
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds: return "holds";
    case Verdict::kViolated: return "violated";
    case Verdict::kNoClaim: return "no claim";
  }
  return "no claim";
}

double attacker_success(double epsilon, double delta) {
  return 1 - (1 - delta) * theory::adversary_failure(epsilon);
}

std::optional<accounting::Cost> claim_of(const AuditRequest& request) {
  const policies::Entry& entry = policies::find_policy(request.policy);
  const policies::Card& card = entry.card;
  if (card.trust == policies::Trust::kNone) return std::nullopt;
  AuditRequest honest = request;
  honest.plays_with.reset();
  const Round rounds = request.rounds == 0 ? enough_rounds(request, card) : request.rounds;
  const Rows rows = constant_rows(rounds, small_arms(card), 0);
  const privacy::Guarantee checked =
      simulation::prepare(request_for(honest, card, rows))->guarantee();
  std::optional<accounting::Cost> claim;
  if (checked.is_private()) claim = accounting::Cost{checked.epsilon, checked.delta};
  // What a paper says of another notion (instantaneous) is not what an attacker here sees.
  if (card.published.notion == audited_notion(card)) {
    const accounting::Cost published{
        card.published.epsilon_multiple * request.epsilon,
        card.published.up_to_delta ? request.delta.value_or(policies::kDefaultDelta) : 0};
    if (!claim || published.epsilon < claim->epsilon) {
      claim = {published.epsilon, std::max(published.delta, claim ? claim->delta : 0)};
    }
  }
  return claim;
}

AuditResult audit(const AuditRequest& asked) {
  check::positive("audit", "epsilon", asked.epsilon);
  check::at_least("audit", "samples", asked.samples, 1000);
  const policies::Card& card = policies::find_policy(asked.policy).card;
  AuditRequest request = asked;
  if (request.rounds == 0) request.rounds = enough_rounds(request, card);
  AuditResult result;
  result.claimed = claim_of(request);
  const double delta = result.claimed ? result.claimed->delta : 0;
  const std::vector<Pair> pairs = neighbouring_tables(small_arms(card), request.rounds);
  const bool local = card.trust == policies::Trust::kLocal;
  const double tests = static_cast<double>(pairs.size()) * 2 * (local ? 1 : 2);
  const double error = (1 - result.confidence) / tests;
  const auto consider = [&](const char* view, const std::string& pair,
                            const std::vector<Observation>& one,
                            const std::vector<Observation>& other) {
    const Certified found = distinguish(one, other, delta, error);
    if (found.epsilon <= result.lower_bound && !result.view.empty()) return;
    result.lower_bound = found.epsilon;
    result.view = view;
    result.pair = pair;
    result.event = found.event;
    result.one = found.one;
    result.other = found.other;
  };
  for (const Pair& pair : pairs) {
    const Views one = play(request, card, pair.one);
    const Views other = play(request, card, pair.other);
    const std::string back = pair.name + ", backwards";
    const char* shown = local ? "reports" : "releases";
    consider(shown, pair.name, one.shown, other.shown);
    consider(shown, back, other.shown, one.shown);
    if (local) continue;
    consider("actions", pair.name, one.actions, other.actions);
    consider("actions", back, other.actions, one.actions);
  }
  if (result.claimed) {
    result.verdict =
        result.lower_bound > result.claimed->epsilon ? Verdict::kViolated : Verdict::kHolds;
  }
  return result;
}

}  // namespace tacit::audit
