// An application that asks "may I stop?": choices and answers until there is a verdict, which then is played.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "held.hpp"
#include "statistics/goodness_of_fit.hpp"

namespace tacit::live {
namespace {

constexpr std::array<double, 3> kVariants{0.4, 0.6, 0.45};

struct Found {
  std::vector<Arm> verdict;
  Round choices = 0;
  std::vector<std::string> shown;
};

/// Chooses and reports until there is a verdict; saved and taken up again by another program every so many choices.
Found play_until_sure(const Setup& setup, std::uint64_t run, Round saved_every = 0) {
  const random::SimulationKey key(5, setup.policy, "variants", run);
  static const privacy::SealingKey sealing = privacy::SealingKey::fresh();
  auto outcomes = key.stream(random::Purpose::kOutcomes);
  Policy policy = Policy::rehearsal(setup, key);
  Users users(setup, key, privacy::Arithmetic::kExact);
  Seen seen;
  std::uint64_t shown_at = 0;
  constexpr Round kMost = 200000;
  while (policy.verdict().empty() && policy.choices() < kMost) {
    if (saved_every > 0 && policy.choices() % saved_every == saved_every - 1) {
      const std::string state = policy.save(sealing);
      policy = Policy::rehearsal(setup, key);
      policy.load(state, sealing);
    }
    const Ticket ticket = policy.choose();
    if (policy.releases() != shown_at) seen.note(policy, ticket);
    shown_at = policy.releases();
    users.answer(policy, ticket, row_of(outcomes, kVariants));
  }
  const Found found{policy.verdict(), policy.choices(), seen.shown};
  for (int i = 0; i < 50; ++i) {
    const Ticket ticket = policy.choose();
    EXPECT_EQ(ticket.arm(), found.verdict[0]) << "what it found";
    users.answer(policy, ticket, row_of(outcomes, kVariants));
  }
  EXPECT_EQ(policy.verdict(), found.verdict) << "for good";
  return found;
}

Setup variants(const char* policy) {
  Setup setup{.policy = policy, .arms = 3};
  if (policies::find_policy(policy).card.trust != policies::Trust::kNone) setup.epsilon = 0.5;
  if (!policies::find_policy(policy).anytime({})) setup.horizon = 1000000;
  return setup;
}

TEST(HeldVerdict, IsReachedAndThenPlayed) {
  for (const char* policy : {"mgf-tt", "ldp-mgf-tt", "top-two", "dp-se"}) {
    EXPECT_EQ(play_until_sure(variants(policy), 0).verdict, std::vector<Arm>{1}) << policy;
  }
}

TEST(HeldVerdict, IsSeldomWrong) {
  live::Setup setup = variants("mgf-tt");
  constexpr double kError = 0.1;
  setup.parameters = {{"error", "0.1"}};
  constexpr std::uint64_t kRuns = 100;
  int wrong = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    wrong += play_until_sure(setup, run).verdict == std::vector<Arm>{1} ? 0 : 1;
  }
  EXPECT_LE(wrong, testing::most_successes(kRuns, kError, testing::kFamilyError));
}

TEST(HeldVerdict, IsTheSameToTheLastBitWhenSavedOnTheWay) {
  for (const char* policy : {"mgf-tt", "ldp-mgf-tt", "top-two"}) {
    for (const std::uint64_t run : {0U, 1U, 2U}) {
      const Found whole = play_until_sure(variants(policy), run);
      for (const Round every : {37, 400}) {
        const Found saved = play_until_sure(variants(policy), run, every);
        EXPECT_EQ(saved.verdict, whole.verdict) << policy;
        EXPECT_EQ(saved.choices, whole.choices) << policy;
        EXPECT_EQ(saved.shown, whole.shown) << policy;
      }
    }
  }
}

TEST(HeldVerdict, IsWhatAllReleasesSayToo) {
  const live::Setup setup = variants("mgf-tt");
  const random::SimulationKey key(5, "live", "agreed", 0);
  auto outcomes = key.stream(random::Purpose::kOutcomes);
  Policy policy = Policy::rehearsal(setup, key);
  while (policy.verdict().empty()) {
    const Ticket ticket = policy.choose();
    policy.report(ticket, row_of(outcomes, kVariants)[static_cast<std::size_t>(ticket.arm())]);
  }
  EXPECT_EQ(policy.best(1, 0.05), policy.verdict()) << "0.05 is its error";
  EXPECT_GT(policy.difference(1, 0, 0.9)->first, 0) << "more than is asked of a pair";
}

TEST(HeldVerdict, IsOfIdentifyingPoliciesAlone) {
  Policy policy = Policy::rehearsal(small(), random::SimulationKey(1, "live", "none", 0));
  for (int i = 0; i < 3000; ++i) {
    const Ticket ticket = policy.choose();
    policy.report(ticket, ticket.arm() == 1 ? 1 : 0);
  }
  EXPECT_TRUE(policy.verdict().empty());
  EXPECT_EQ(policy.best(1, 0.01), std::vector<Arm>{1}) << "what its releases say";
}

}  // namespace
}  // namespace tacit::live
