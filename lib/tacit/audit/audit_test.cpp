// Whole audits of a few policies; tests/audits has all of them, and their broken twins.
#include "tacit/audit/audit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tacit/audit/twins_test.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/simulation/simulate.hpp"

namespace tacit::audit {
namespace {

Play play_of(const std::string& policy, double epsilon) {
  return audit::play_of(AuditRequest(policy, epsilon));
}

TEST(Claims, AreTheSmallerOfWhatIsPublishedAndWhatIsChecked) {
  const auto claim = [](const std::string& policy, double epsilon) {
    return claim_of(play_of(policy, epsilon));
  };
  EXPECT_DOUBLE_EQ(claim("rnm-ftnl-as-published", 1)->epsilon, 1) << "2 is checked";
  EXPECT_DOUBLE_EQ(claim("dpucb-mat", 1)->epsilon, 1) << "2 is published";
  EXPECT_DOUBLE_EQ(claim("cascade-ldp-laplace-as-published", 0.5)->epsilon, 0.5);
  EXPECT_FALSE(claim("ucb1", 1));
  EXPECT_GT(claim("cucb-ldp-gaussian", 1)->delta, 0);
  for (const char* policy : {"cucb-ldp-gaussian", "cascade-ldp-gaussian-as-published"}) {
    AuditRequest r(policy, 1);
    r.delta = 0.01;
    EXPECT_DOUBLE_EQ(claim_of(audit::play_of(r))->delta, 0.01);
  }
}

TEST(Claims, AreOfTheNotionThatIsAudited) {
  // Published is 1, for one release; four of them cost k^-(v/2) each.
  AuditRequest r("dp-ucb-int", 1);
  r.rounds = 4;
  const auto costs = [](double v) {
    return 1 + std::pow(2, -v / 2) + std::pow(3, -v / 2) + std::pow(4, -v / 2);
  };
  EXPECT_DOUBLE_EQ(claim_of(audit::play_of(r))->epsilon, costs(1.1));
  r.parameters = {{"v", "1.5"}};
  Play play = audit::play_of(r);
  EXPECT_DOUBLE_EQ(claim_of(play)->epsilon, costs(1.5));
  play.played_with = 0.1;
  EXPECT_DOUBLE_EQ(claim_of(play)->epsilon, costs(1.5)) << "not the twin's";
}

TEST(Audit, RefutesWhatIsBrokenAndNothingElse) {
  const Effort effort{.samples = 10000, .threads = 2};
  for (const char* policy : {"rnm-ftnl", "anytime-lazy-ucb", "ldp-ucb-bits", "cascade-dp",
                             "cascade-ldp", "cucb-dp", "cucb-ldp-gaussian"}) {
    const AuditResult result = audit(play_of(policy, 1), effort);
    EXPECT_EQ(result.verdict, Verdict::kNotRefuted) << policy;
    EXPECT_EQ(result.guesses.samples, effort.samples);
    EXPECT_LT(result.guesses.lower_bound, result.claimed->epsilon);
    EXPECT_GT(result.guesses.lower_bound, policy == std::string("cucb-ldp-gaussian") ? 0.1 : 0.3)
        << policy << ": some of it is found";
  }
  for (const char* policy :
       {"rnm-ftnl-as-published", "cascade-dp-hybrid-as-published",
        "cascade-ldp-laplace-as-published", "cascade-ldp-gaussian-as-published",
        "cascade-ldp-composed-as-published", "cucb-ldp-gaussian-as-published"}) {
    const AuditResult result = audit(play_of(policy, 1), effort);
    EXPECT_EQ(result.verdict, Verdict::kViolated) << policy;
    EXPECT_TRUE(result.guesses.violated) << policy << ", by guesses alone too";
    EXPECT_GE(result.guesses.lower_bound, result.claimed->epsilon);
    EXPECT_LT(result.guesses.samples, effort.samples) << "stopped when it knew";
  }
}

TEST(Audit, SaysWhenNothingWasSeen) {
  for (const auto& [policy, epsilon] : {std::pair{"mgf-imed", 0.003}, {"dp-se", 0.01}}) {
    const Play play = play_of(policy, epsilon);
    const AuditResult result = audit(play, {});
    EXPECT_EQ(result.verdict, Verdict::kNothingSeen) << policy;
    EXPECT_EQ(play.setting.horizon, 4096);
    EXPECT_EQ(result.guesses.samples, 0);
    ASSERT_GT(result.rounds_until_seen, 4096);
    // What it says is true, and not half of it.
    AuditRequest r(policy, epsilon);
    for (const bool half : {false, true}) {
      r.rounds = half ? result.rounds_until_seen / 2 : result.rounds_until_seen;
      const Play longer = audit::play_of(r);
      const Watched run = watch(longer, constant_rows(r.rounds, 2, 0.5), nullptr, Look::kReleases);
      EXPECT_EQ(run.told.empty(), half) << policy;
    }
  }
  AuditRequest short_of_a_phase("mgf-imed", 1);
  short_of_a_phase.rounds = 8;
  const AuditResult result = audit(audit::play_of(short_of_a_phase), {});
  EXPECT_EQ(result.verdict, Verdict::kNothingSeen);
  EXPECT_GT(result.rounds_until_seen, 8);
}

TEST(Audit, ClaimsNothingForBaselines) {
  const AuditResult result = audit(play_of("ucb1", 1), {});
  EXPECT_EQ(result.verdict, Verdict::kNoClaim);
  EXPECT_GE(result.guesses.lower_bound, 1) << "whoever says epsilon 1 of it is wrong";
  EXPECT_EQ(result.replay.pairs, 0);
}

TEST(Audit, FindsALearnerThatReadsRawOutcomesByGuessesAlone) {
  for (const char* policy : {"ts-cf", "ldp-ucb-laplace", "ldp-ucb-bits", "cucb-ldp2"}) {
    const Play play = peeking(play_of(policy, 1));
    const SequentialResult result =
        sequential_audit(std::vector{play}, *claim_of(play), {.samples = 20000});
    EXPECT_TRUE(result.violated) << policy;
    EXPECT_NE(result.guessed_by.find("action"), std::string::npos) << result.guessed_by;
  }
}

TEST(Audit, DependsOnItsSeedAndNotOnThreads) {
  AuditRequest r("dp-ucb-int", 1);
  const auto answer = [&](int threads) {
    const AuditResult result = audit(audit::play_of(r), {.samples = 3000, .threads = threads});
    return std::pair(result.guesses.lower_bound, result.law.evidence);
  };
  const auto two = answer(2);
  EXPECT_EQ(answer(1), two);
  EXPECT_EQ(answer(7), two);
  r.seed = 2;
  EXPECT_NE(answer(2), two);
}

TEST(Audit, RefusesWhatCannotBePlayed) {
  EXPECT_THROW(play_of("ldp-ucb-bits", 0), InvalidParameter);
  EXPECT_THROW(play_of("ucb1", -1), InvalidParameter);
  AuditRequest r("ldp-ucb-bits", 1);
  for (const Round rounds : {Round{-1}, Round{3}, (Round{1} << 20) + 1}) {
    r.rounds = rounds;
    EXPECT_THROW(audit::play_of(r), InvalidParameter) << rounds;
  }
}

class EveryPolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPolicy, IsWatchedAsASimulationPlaysIt) {
  for (Play play : ways_of_playing(small_play(GetParam(), 2))) {
    const Rows rows = constant_rows(play.setting.horizon, play.setting.arms, 1);
    simulation::Request r;
    r.policy = GetParam();
    r.epsilon = play.setting.epsilon;
    r.problem = std::make_shared<problems::Table>(rows);
    r.actions = play.setting.actions;
    r.horizon = play.setting.horizon;
    r.runs = 4;
    r.seed = play.seed = 7;
    r.checkpoints = {r.horizon};
    r.pace = play.setting.pace;
    r.arithmetic = play.arithmetic;
    r.delay = play.delay;
    play.run = 3;
    play.dice_of = r.actions ? r.problem->name() + "/" + r.actions->name() : r.problem->name();
    accounting::Transcript transcript;
    accounting::Ledger ledger(&transcript);
    simulation::prepare(r)->run(3, &ledger);
    EXPECT_EQ(watch(play, rows, nullptr, Look::kActions).actions, transcript.actions);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPolicy, ::testing::ValuesIn(private_policies()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::audit
