// What a policy asks for, takes and shows, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "held.hpp"

namespace tacit::live {
namespace {

TEST(Live, SevenPoliciesStartFromRawOutcomesAndSaySoInOneLine) {
  int refused = 0;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (!entry.starts_from_raw_outcomes) continue;
    ++refused;
    const std::string said =
        message_of([&] { Policy({.policy = entry.card.name, .arms = 4, .epsilon = 1}); });
    EXPECT_NE(said.find("starts from raw outcomes"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
  EXPECT_EQ(refused, 7);
}

TEST(Live, AsksForWhatAPolicyNeeds) {
  EXPECT_NE(
      message_of([] { Policy({.policy = "dp-se", .arms = 3, .epsilon = 1}); }).find("horizon"),
      std::string::npos);
  const auto without_a_horizon = [](const char* policy, const char* name, const char* value) {
    return message_of([&] {
      Policy held({.policy = policy, .arms = 3, .epsilon = 1, .parameters = {{name, value}}});
      for (int i = 0; i < 300; ++i) held.report(held.choose(), 1);
    });
  };
  EXPECT_EQ(without_a_horizon("dp-se", "horizon", "doubling"), "");
  EXPECT_EQ(without_a_horizon("dp-ucb-tree", "counter", "hybrid"), "");
  EXPECT_EQ(without_a_horizon("dp-ts-tree", "counter", "hybrid"), "");
  EXPECT_NE(without_a_horizon("dp-ucb-tree", "counter", "signed").find("horizon"),
            std::string::npos);
  EXPECT_NE(without_a_horizon("cucb-dp", "counter", "hybrid").find("horizon"), std::string::npos)
      << "whose radius is of the horizon";
  EXPECT_NE(message_of([] { Policy({.policy = "mgf-imed", .arms = 3}); }).find("epsilon"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              Policy({.policy = "mgf-imde", .arms = 3, .epsilon = 1});
            }).find("did you mean mgf-imed"),
            std::string::npos);
  EXPECT_NE(message_of([] { Policy({.policy = "ucb1", .arms = 0}); }).find("arms"),
            std::string::npos);
  EXPECT_NE(
      message_of([] {
        Policy({.policy = "ucb1", .arms = 3, .actions = std::make_shared<actions::TopK>(3, 2)});
      }).find("single arm"),
      std::string::npos);
  const Policy baseline({.policy = "ucb1", .arms = 3});
  EXPECT_FALSE(baseline.guarantee().is_private());
}

TEST(Live, RefusesForgedAndForeignTicketsAndOutcomesOutOfRange) {
  Policy policy(small());
  Policy other(small());
  const Ticket ticket = policy.choose();
  EXPECT_NE(message_of([&] { other.report(ticket, 1); }).find("not one that this policy gave"),
            std::string::npos);
  std::string text = ticket.text();
  EXPECT_NO_THROW(policy.report(Ticket::from_text(text), 1));
  int accepted = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string altered = text;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    try {
      policy.report(Ticket::from_text(altered), 1);
      accepted +=
          Ticket::from_text(altered).text() == text ? 0 : 1;  // bits that base64 does not use
    } catch (const InvalidParameter&) {
    }
  }
  EXPECT_EQ(accepted, 0);
  EXPECT_THROW(Ticket::from_text(""), InvalidParameter);
  EXPECT_THROW(Ticket::from_text("not a ticket"), InvalidParameter);
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(policy.report(ticket, bad), InvalidParameter);
  EXPECT_THROW(policy.report(ticket, std::vector<double>{1, 1}), InvalidParameter);
  const std::vector<Arm> nobody{3};
  EXPECT_THROW(policy.choose(nobody), InvalidParameter);
  EXPECT_NE(message_of([&] { policy.choose(std::span<const Arm>()); }).find("must name an arm"),
            std::string::npos)
      << "whoever's filter leaves nothing does not mean all";
  EXPECT_EQ(message_of([&] { policy.report(ticket, 2); }),
            "outcome: must be in [0, 1] (anytime-lazy-ucb: report)");
  const std::string long_one = message_of([] { Ticket::from_text(std::string(5000, '\n')); });
  EXPECT_LT(long_one.size(), 100U);
  EXPECT_EQ(long_one.find('\n'), std::string::npos);
}

TEST(Live, RefusesASetupThatNobodyMeans) {
  const auto said = [](live::Setup setup) { return message_of([&] { Policy policy(setup); }); };
  live::Setup setup = small();
  for (const Round wait : {Round{-1}, kLastRound + 1, std::numeric_limits<Round>::max()}) {
    setup.wait = wait;
    EXPECT_NE(said(setup).find("wait"), std::string::npos) << wait;
  }
  setup.wait = kLastRound;
  EXPECT_EQ(said(setup), "");
  Policy patient(setup);
  for (int i = 0; i < 100; ++i) patient.report(patient.choose(), 1);
  EXPECT_EQ(patient.releases(), 0U) << "waits for ever";
  EXPECT_NE(said({.policy = "ucb1", .arms = 2, .epsilon = std::nan("")}).find("epsilon"),
            std::string::npos);
  EXPECT_NE(said({.policy = "ucb1", .arms = 2, .delta = 2}).find("delta"), std::string::npos);
  EXPECT_NE(said({.policy = "mgf-imed",
                  .arms = 2,
                  .epsilon = 1,
                  .parameters = {{"growth", "1.5"}, {"growth", "2"}}})
                .find("second time"),
            std::string::npos);
}

TEST(Live, TakesWhatADeviceCanSayAndNothingElse) {
  const auto of_three = std::make_shared<actions::TopK>(3, 2);
  const struct {
    live::Setup setup;
    std::vector<double> refused;
  } cases[] = {
      {{.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1}, {0.5, -1, 2}},
      {{.policy = "ldp-ucb-laplace", .arms = 3, .epsilon = 1}, {1e308, -1e308, 1e4}},
      {{.policy = "cucb-ldp-gaussian", .arms = 3, .epsilon = 1, .actions = of_three},
       {1e308, -1e6}},
      {{.policy = "cascade-ldp-stop", .arms = 3, .epsilon = 1, .actions = of_three}, {7, 0.5, -3}},
  };
  random::SecureSource source;
  for (const auto& c : cases) {
    Policy policy(c.setup);
    const Ticket ticket = policy.choose();
    const std::size_t numbers = c.setup.policy == "cascade-ldp-stop" ? 1 : ticket.recorded().size();
    const std::vector<double> outcomes(numbers, 1);
    const Report honest = policy.device_report(ticket, outcomes, source);
    for (const double value : c.refused) {
      Report report = honest;
      report[0] = value;
      EXPECT_NE(message_of([&] { policy.take(ticket, report); }).find("must be"), std::string::npos)
          << c.setup.policy << value;
    }
    for (int i = 0; i < 300; ++i) {
      const Ticket next = policy.choose();
      if (next.recorded().empty()) continue;
      EXPECT_NO_THROW(policy.take(next, policy.device_report(next, outcomes, source)));
    }
    // Added up, numbers with Gaussian noise cost more than together.
    const double together = policy.guarantee().epsilon;
    const double added_up = policy.ledger().worst_epsilon();
    const bool gaussian = c.setup.policy == "cucb-ldp-gaussian";
    EXPECT_NEAR(added_up, together, gaussian ? together : 1e-6) << c.setup.policy;
    EXPECT_GE(added_up, together - 1e-6) << c.setup.policy;
    Policy other(c.setup);
    EXPECT_THROW(other.device_report(ticket, outcomes, source), InvalidParameter);
  }
}

TEST(Live, KeepsOutcomesOfLocalPoliciesOnTheDevice) {
  Policy policy({.policy = "ldp-ucb-bits", .arms = 3, .epsilon = 1});
  const Ticket ticket = policy.choose();
  EXPECT_NE(message_of([&] { policy.report(ticket, 1); }).find("device"), std::string::npos);
  EXPECT_THROW(policy.take(ticket, {0.5}), InvalidParameter);
  EXPECT_NO_THROW(policy.take(ticket, {1}));
  EXPECT_EQ(policy.show()[static_cast<std::size_t>(ticket.arm())].n, 1);
  EXPECT_NO_THROW(policy.take(ticket, {0})) << "the first counts";
  EXPECT_NEAR(policy.show()[static_cast<std::size_t>(ticket.arm())].mean,
              0.5 + 0.5 / std::tanh(0.5), 1e-12);
}

TEST(Live, ShowsMeansThatResponsesDoNotPullToAHalf) {
  random::SecureSource source;
  for (const char* name : {"ldp-ucb-bits", "ts-cf", "kl-ucb-cf", "ldp-ucb-laplace"}) {
    Policy policy({.policy = name, .arms = 1, .epsilon = 1});
    const std::vector<double> outcome{0.9};
    constexpr int kUsers = 20000;
    for (int i = 0; i < kUsers; ++i) {
      const Ticket ticket = policy.choose();
      policy.take(ticket, policy.device_report(ticket, outcome, source));
    }
    // A report's deviation is at most 2 here.
    EXPECT_NEAR(policy.show()[0].mean, 0.9, 6 * 2 / std::sqrt(kUsers)) << name;
  }
}

TEST(Live, PlaysEligibleArmsOnly) {
  Policy policy(small());
  const std::vector<Arm> only{1};
  for (int i = 0; i < 50; ++i) {
    const Ticket ticket = policy.choose(only);
    EXPECT_EQ(ticket.arm(), 1);
    policy.report(ticket, 1);
  }
  EXPECT_EQ(policy.show()[0].n, 0);
}

TEST(Live, ShowsIntervalsThatCover) {
  Policy policy({.policy = "mgf-imed", .arms = 2, .epsilon = 1});
  for (int i = 0; i < 2000; ++i) policy.report(policy.choose(), 1);
  policy.advance();
  // Noise is secure, so that no seed makes this pass: a wide interval does.
  for (const ArmView& arm : policy.show(1 - 1e-9)) {
    ASSERT_GT(arm.n, 0);
    ASSERT_TRUE(arm.interval);
    EXPECT_LT(arm.interval->first, arm.interval->second);
    EXPECT_GE(arm.interval->second, 1 - 1e-9) << "every outcome was 1";
  }
}

TEST(Live, OfAHorizonMakesNoMoreChoicesThanItAllows) {
  Policy policy(
      {.policy = "dp-ucb-tree", .arms = 2, .epsilon = 1, .delta = std::nullopt, .horizon = 3});
  for (int i = 0; i < 3; ++i) policy.report(policy.choose(), 1);
  EXPECT_NE(message_of([&] { policy.choose(); }).find("horizon"), std::string::npos);
}

}  // namespace
}  // namespace tacit::live
