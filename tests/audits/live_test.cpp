// Live policies, with secure noise, through the door that everybody has: what they choose, what they show, what devices
// report. Whoever sees that guesses which of two neighbouring tables the users had.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "live/held.hpp"
#include "tacit/audit/audit.hpp"
#include "tacit/audit/certified.hpp"
#include "tacit/audit/learned.hpp"
#include "tacit/audit/neighbours.hpp"
#include "tacit/random/secure.hpp"

namespace tacit::audit {
namespace {

constexpr double kEpsilon = 3;

live::Setup setup_of(const Play& play) {
  return {.policy = std::string(play.entry.card.name),
          .arms = play.setting.arms,
          .epsilon = play.setting.epsilon,
          .horizon = play.setting.horizon,
          .actions = play.setting.actions};
}

/// From the first choice to the last.
Seen play_live(const live::Setup& setup, const Rows& rows, random::SecureSource& devices) {
  live::Policy policy(setup);
  Seen seen;
  const bool local = live::is_local(setup.policy);
  for (const auto& row : rows) {
    const std::uint64_t before = policy.releases();
    const live::Ticket ticket = policy.choose();
    for (const Arm arm : ticket.arms()) seen.actions.push_back(arm);
    if (policy.releases() > before) {
      for (const live::ArmView& view : policy.show()) seen.shown.push_back(view.mean);
    }
    if (ticket.recorded().empty()) continue;
    const std::vector<double> outcomes = live::outcomes_of(setup.policy, ticket, row);
    if (!local) {
      policy.report(ticket, outcomes);
      continue;
    }
    const live::Report report = policy.device_report(ticket, outcomes, devices);
    seen.shown.insert(seen.shown.end(), report.begin(), report.end());
    policy.take(ticket, report);
  }
  return seen;
}

/// Evidence against a claim.
struct Against {
  LearnedGuess learned;
  Certified certified;

  Against(std::size_t pairs, const accounting::Cost& claim, double error)
      : learned(pairs, claim.epsilon), certified(claim.epsilon, claim.delta, error) {}
  void add(std::size_t pair, bool one, const Seen& seen) {
    certified.add(one, {.by_law = 0, .learned = learned.log_odds(pair, seen)});
    learned.learn(pair, one, seen);
  }
};

class EveryLivePolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryLivePolicy, KeepsItsClaimAndNoneThatIsMuchSmaller) {
  const Play play = play_of(AuditRequest(GetParam(), kEpsilon));
  const live::Setup setup = setup_of(play);
  const privacy::Guarantee promised = live::Policy(setup).guarantee();
  std::vector<Pair> pairs;
  for (Pair& pair : neighbouring_tables(setup.arms, *setup.horizon)) {
    if (pair.name == "round 1 all up, among zeros" || pair.name == "round 1 crosswise, among zeros")
      pairs.push_back(std::move(pair));
  }
  ASSERT_EQ(pairs.size(), 2);
  const std::size_t runs = *setup.horizon > 2000 ? 300 : 3000;
  Against claim(2, {promised.epsilon, promised.delta}, 1e-8);
  // A tenth: the same guesses have teeth.
  Against tenth(2, {kEpsilon / 10, promised.delta}, 1e-3);
  random::SecureSource source;
  auto coins = random::SimulationKey(1, "live", "coins", 0).stream(random::Purpose::kOutcomes);
  for (std::size_t run = 0; run < runs; ++run) {
    const std::size_t pair = run % 2;
    const bool one = random::bernoulli(coins, 0.5);
    const Seen seen = play_live(setup, one ? pairs[pair].one : pairs[pair].other, source);
    claim.add(pair, one, seen);
    tenth.add(pair, one, seen);
  }
  EXPECT_LT(claim.certified.epsilon(), promised.epsilon);
  // Too few runs to tell: thousands of rounds a run, a user who is spread over the blocks of a tree, a delta.
  const std::set<std::string> too_few{"dp-se",   "dp-ucb-tree",          "dp-ts-tree",
                                      "cucb-dp", "cucb-dp-as-published", "cucb-ldp-gaussian"};
  if (too_few.contains(GetParam())) return;
  EXPECT_GE(tenth.certified.epsilon(), kEpsilon / 10);
}

std::vector<std::string> live_and_private() {
  std::vector<std::string> names = live::held_policies();
  std::erase_if(names, [](const std::string& name) {
    return policies::find_policy(name).card.trust == policies::Trust::kNone;
  });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryLivePolicy, ::testing::ValuesIn(live_and_private()),
                         live::name_of_suite);

}  // namespace
}  // namespace tacit::audit
