// The service is the live policy behind a door: with the same coins and the same noise it shows the same, to the last bit, with
// answers at once and late, and after it was killed.
#include <gtest/gtest.h>

#include <deque>

#include "live/held.hpp"
#include "service/rig.hpp"
#include "tacit/service/serving_rules.hpp"

namespace tacit::service {
namespace {

constexpr double kEpsilon = 3;

Json spec_for(const std::string& policy) {
  Json arms = Json::array();
  for (int arm = 0; arm < live::kArms; ++arm) arms.push_back("arm" + std::to_string(arm));
  Json spec{{"name", "x"},
            {"population", "people"},
            {"policy", policy},
            {"epsilon", kEpsilon},
            {"arms", arms}};
  if (policies::find_policy(policy).card.plays_sets()) {
    spec["actions"] = "top:" + std::to_string(live::kSize);
  }
  return spec;
}

/// Every policy of the catalogue that may be served.
std::vector<std::string> served_policies() {
  std::vector<std::string> names;
  for (const std::string& policy : live::held_policies()) {
    try {
      servable(spec_of(spec_for(policy)));
      names.push_back(policy);
    } catch (const Problem&) {
    }
  }
  return names;
}

TEST(Served, AreThePoliciesThatTheDesignNames) {
  const auto served = served_policies();
  for (const char* policy :
       {"anytime-lazy-ucb", "lazy-dp-ts",   "adap-ucb",   "adap-klucb", "dp-klucb",
        "dp-imed",          "mgf-klucb",    "mgf-imed",   "dpucb-mat",  "dpts-mat",
        "lazy-kl-mat",      "lazy-kl-cucb", "cascade-dp", "ftnl",       "rnm-ftnl",
        "pf-ftnl",          "ldp-ucb-bits", "kl-ucb-cf",  "ts-cf",      "cascade-ldp",
        "cascade-ldp-stop"}) {
    EXPECT_NE(std::find(served.begin(), served.end(), policy), served.end()) << policy;
  }
  for (const char* policy : {"ucb1", "thompson-beta", "kl-ucb", "dp-ucb-tree", "dp-ucb-int",
                             "dp-se", "cucb-dp", "ldp-ucb-laplace", "cascade-kl-ucb"}) {
    EXPECT_EQ(std::find(served.begin(), served.end(), policy), served.end()) << policy;
  }
}

class EveryServedPolicy : public ::testing::TestWithParam<std::string> {
 protected:
  struct Waiting {
    live::Ticket ticket;
    Decision decision;
    std::vector<double> outcomes;
    Round answered_at;
  };

  /// Answers come `delay` decisions later.
  void expect_equal(Round delay) {
    const std::string& policy = GetParam();
    const random::SimulationKey key(3, policy, "law", 0);
    // At once: the clock goes on by the two seconds of grace before every decision. Late: a decision a second, so that a wait of
    // W seconds and those two are W + 1 further choices.
    live::Setup setup = live::setup_of(policy, delay == 0 ? 0 : delay + 1, 0.25);
    setup.epsilon = kEpsilon;
    setup.horizon = std::nullopt;
    live::Policy held = live::Policy::rehearsal(setup, key);

    SimulatedReleaser releaser(key);
    Rig rig(releaser, key);
    rig.population();
    Json spec = spec_for(policy);
    spec["default"] = setup.missing;
    spec["wait"] = delay;
    const Id id = rig.create(spec);

    auto devices =
        random::SimulationKey(9, policy, "devices", 0).stream(random::Purpose::kRounding);
    const auto answer = [&](const Waiting& w) {
      const Event event = rig.event(w.decision);
      if (live::is_local(policy)) {
        const live::Report report = held.device_report(w.ticket, w.outcomes, devices);
        held.take(w.ticket, report);
        rig.engine().take(event, report, rig.clock.now());
      } else {
        held.report(w.ticket, w.outcomes);
        rig.engine().report(event, secret(w.outcomes), rig.clock.now());
      }
    };
    const auto table = live::table_of_outcomes(1);
    std::deque<Waiting> waiting;
    for (Round t = 1; t <= live::kRounds; ++t) {
      rig.clock.advance(delay == 0 ? 2 * kSecond : kSecond);
      rig.tick();
      const live::Ticket ticket = held.choose();
      const Decision decision = rig.decide(id);
      ASSERT_EQ(std::vector<Arm>(ticket.arms().begin(), ticket.arms().end()), decision.arms) << t;
      if (policy != "cascade-ldp-stop") {
        ASSERT_EQ(ticket.recorded(), decision.observe) << t;
      }
      const auto outcomes =
          live::outcomes_of(policy, ticket, table[static_cast<std::size_t>(t - 1)]);
      const bool never = t % 5 == 0;
      if (!never && !outcomes.empty()) waiting.push_back({ticket, decision, outcomes, t + delay});
      for (; !waiting.empty() && waiting.front().answered_at <= t; waiting.pop_front()) {
        answer(waiting.front());
      }
    }
    const auto told = held.show();
    const auto views = rig.experiment(id).views(0.95);
    ASSERT_EQ(told.size(), views.size());
    for (std::size_t arm = 0; arm < told.size(); ++arm) {
      EXPECT_EQ(std::isnan(told[arm].mean), std::isnan(views[arm].mean)) << arm;
      if (!std::isnan(told[arm].mean)) {
        EXPECT_EQ(told[arm].mean, views[arm].mean) << arm;
      }
      EXPECT_EQ(told[arm].n, views[arm].n) << arm;
      EXPECT_EQ(told[arm].interval, views[arm].interval) << arm;
    }
  }
};

TEST_P(EveryServedPolicy, IsTheLivePolicyWithAnswersAtOnce) { expect_equal(0); }
TEST_P(EveryServedPolicy, IsTheLivePolicyWithLateAnswers) { expect_equal(9); }

INSTANTIATE_TEST_SUITE_P(Served, EveryServedPolicy, ::testing::ValuesIn(served_policies()),
                         live::name_of_suite);

}  // namespace
}  // namespace tacit::service
