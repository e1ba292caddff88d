// Every private policy with exact noise: the regret of its idealised twin, a guarantee that says so and is
// no weaker, and releases whose cost, read from the ledger, is what the guarantee says.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::simulation {
namespace {

/// Four arms, or lists of two of them.
Request request(const policies::Card& card, Round horizon, std::int64_t runs) {
  Request r;
  r.policy = card.name;
  r.epsilon = 1;
  if (card.takes_delta) r.delta = 1e-3;
  r.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.8, 0.2, 0.6, 0.3},
                                                          problems::Rewards::kBernoulli);
  if (card.plays_sets()) r.actions = std::make_shared<actions::TopK>(4, 2);
  r.horizon = horizon;
  r.runs = runs;
  r.threads = 2;
  r.checkpoints = {horizon};
  return r;
}

std::vector<policies::Card> private_policies() {
  std::vector<policies::Card> cards;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (entry.card.trust != policies::Trust::kNone) cards.push_back(entry.card);
  }
  return cards;
}

TEST(ExactNoise, GivesEveryPolicyTheRegretOfItsIdealisedTwin) {
  const std::vector<policies::Card> cards = private_policies();
  EXPECT_GE(cards.size(), 35U);
  const double critical =
      testing::two_sided_z(testing::kFamilyError / static_cast<double>(cards.size()));
  for (const policies::Card& card : cards) {
    SCOPED_TRACE(card.name);
    Request r = request(card, 600, 300);
    const Summary ideal = simulate(r);
    r.arithmetic = privacy::Arithmetic::kExact;
    r.seed = 2;
    const Summary exact = simulate(r);
    const double difference = ideal.curve.back().mean() - exact.curve.back().mean();
    const double error =
        std::hypot(ideal.curve.back().standard_error(), exact.curve.back().standard_error());
    EXPECT_LT(std::abs(difference), critical * error + 1e-9)
        << ideal.curve.back().mean() << " and " << exact.curve.back().mean();
    if (!ideal.guarantee.is_private()) continue;
    EXPECT_EQ(ideal.guarantee.arithmetic, privacy::Arithmetic::kIdealised);
    EXPECT_EQ(exact.guarantee.arithmetic, privacy::Arithmetic::kExact);
    EXPECT_EQ(exact.guarantee.notion, ideal.guarantee.notion);
    EXPECT_LE(exact.guarantee.epsilon, ideal.guarantee.epsilon * (1 + 1e-12));
    EXPECT_GE(exact.guarantee.epsilon, ideal.guarantee.epsilon * (1 - 1e-3));
  }
}

TEST(ExactNoise, RepeatsWithItsSeedForAnyNumberOfThreadsAndAtAnyPace) {
  Request r = request(policies::find_policy("anytime-lazy-ucb").card, 2000, 20);
  r.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.8, 0.2},
                                                          problems::Rewards::kPoint);
  r.arithmetic = privacy::Arithmetic::kExact;
  const Summary two = simulate(r);
  r.threads = 1;
  EXPECT_EQ(simulate(r).final_regrets, two.final_regrets);
  r.pace = policies::Pace::kPlain;
  EXPECT_EQ(simulate(r).final_regrets, two.final_regrets);
}

TEST(Ledger, AgreesWithTheGuaranteeOfEveryPolicy) {
  for (const policies::Card& card : private_policies()) {
    SCOPED_TRACE(card.name);
    for (const auto arithmetic : {privacy::Arithmetic::kIdealised, privacy::Arithmetic::kExact}) {
      Request r = request(card, 10000, 1);
      r.arithmetic = arithmetic;
      accounting::Ledger ledger;
      r.ledger = &ledger;
      const privacy::Guarantee guarantee = simulate(r).guarantee;
      if (!guarantee.is_private()) continue;
      const double paid = ledger.worst_epsilon();
      EXPECT_GT(paid, 0);
      if (guarantee.delta > 0) continue;  // not by adding up
      EXPECT_LE(paid, guarantee.epsilon * (1 + 1e-9));
      // Nothing is promised that is not paid for, but for blocks of trees that were never filled.
      EXPECT_GE(paid, guarantee.epsilon * 0.6);
    }
  }
}

TEST(Ledger, NotesWhatWasReleasedAndWhen) {
  Request r = request(policies::find_policy("anytime-lazy-ucb").card, 1000, 1);
  accounting::Ledger ledger;
  r.ledger = &ledger;
  simulate(r);
  ASSERT_GT(ledger.entries().size(), 8U);
  Round before = 0;
  for (const accounting::LedgerEntry& entry : ledger.entries()) {
    EXPECT_GE(entry.when, before);
    EXPECT_LE(entry.last, entry.when);
    before = entry.when;
    EXPECT_EQ(entry.cost.epsilon, 1);
    EXPECT_EQ(entry.cost.mechanism, "Laplace(scale 1)");
  }
  EXPECT_EQ(ledger.worst_epsilon(), 1) << "disjoint phases cost their maximum";
}

}  // namespace
}  // namespace tacit::simulation
