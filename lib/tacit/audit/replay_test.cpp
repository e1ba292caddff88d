#include "tacit/audit/replay.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tacit/audit/twins_test.hpp"

namespace tacit::audit {
namespace {

using policies::Pace;
using privacy::Arithmetic;

class EveryPrivatePolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPrivatePolicy, ShowsNothingButThroughItsReleases) {
  Play play = small_play(GetParam());
  for (const Pace pace : {Pace::kPlain, Pace::kSkipping}) {
    for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
      play.setting.pace = pace;
      play.arithmetic = arithmetic;
      const ReplayResult result = replay(play);
      if (play.entry.starts_from_raw_outcomes) {
        EXPECT_NE(result.complaint.find("raw outcomes"), std::string::npos) << result.complaint;
        continue;
      }
      EXPECT_EQ(result.complaint, "") << result.where;
      EXPECT_GE(result.releases, GetParam() == "dp-se" ? 1 : 3)  // whose epochs take thousands
          << play.setting.horizon << " rounds";
    }
  }
}

TEST(Replay, OfHybridCountersGuessesAndOtherIndicesFindsNothing) {
  struct Case {
    const char* policy;
    policies::ParameterValue parameter;
    Round releases;
  };
  for (const Case& c :
       {Case{"dp-ucb-tree", {"counter", "hybrid"}, 7}, Case{"dp-ts-tree", {"counter", "hybrid"}, 7},
        Case{"cucb-dp", {"counter", "hybrid"}, 7}, Case{"anytime-lazy-ucb", {"index", "ucb-v"}, 3},
        Case{"dp-se", {"horizon", "doubling"}, 1}}) {
    Play play = audit::small_play(policies::find_policy(c.policy), 3, std::nullopt, {c.parameter});
    for (const Pace pace : {Pace::kPlain, Pace::kSkipping}) {
      for (const Arithmetic arithmetic : {Arithmetic::kIdealised, Arithmetic::kExact}) {
        play.setting.pace = pace;
        play.arithmetic = arithmetic;
        const ReplayResult result = replay(play);
        EXPECT_EQ(result.complaint, "") << c.policy << " " << result.where;
        EXPECT_GE(result.releases, c.releases) << c.policy;
      }
    }
    if (c.releases == 1) continue;  // the second one that an outcome enters does not come
    EXPECT_NE(replay(with_channel<EntersTwice>(play)).complaint, "") << c.policy;
  }
}

TEST(Replay, FindsAnOutcomeThatEntersTwoReleases) {
  for (const char* policy : {"mgf-imed", "anytime-lazy-ucb", "cascade-dp", "lazy-kl-cucb", "ftnl",
                             "dp-ucb-tree", "dp-ucb-int", "cucb-dp"}) {
    const ReplayResult result = replay(with_channel<EntersTwice>(small_play(policy)));
    EXPECT_NE(result.complaint.find("moved"), std::string::npos) << policy << result.complaint;
    EXPECT_EQ(result.complaint.find('\n'), std::string::npos);
  }
}

TEST(Replay, FindsASumThatIsKeptAfterItsRelease) {
  for (const char* policy : {"mgf-imed", "cascade-dp", "lazy-kl-cucb", "ftnl", "dp-ucb-tree"}) {
    const ReplayResult result = replay(with_channel<KeepsData>(small_play(policy)));
    EXPECT_NE(result.complaint.find("moved"), std::string::npos) << policy << result.complaint;
  }
}

TEST(Replay, FindsALearnerThatReadsRawOutcomes) {
  for (const char* policy : {"ts-cf", "ldp-ucb-laplace", "ldp-ucb-bits", "mgf-imed", "dp-ucb-tree",
                             "rnm-ftnl", "cucb-ldp2", "cascade-ldp", "cucb-dp"}) {
    const ReplayResult result = replay(peeking(small_play(policy)));
    EXPECT_NE(result.complaint.find("something but a release"), std::string::npos)
        << policy << ": " << result.complaint;
  }
}

TEST(Replay, FindsASlotThatEndsEarlyForWhatIsInIt) {
  for (const char* policy : {"mgf-imed", "anytime-lazy-ucb", "cascade-dp", "lazy-kl-cucb"}) {
    const ReplayResult result = replay(releasing_early(small_play(policy)));
    EXPECT_NE(result.complaint, "") << policy;
  }
}

TEST_P(EveryPrivatePolicy, ShowsNoMoreWhenAnswersComeLate) {
  Play play = small_play(GetParam());
  if (play.entry.starts_from_raw_outcomes) GTEST_SKIP() << "refused anyway";
  if (GetParam() == "dp-se") GTEST_SKIP() << "its epochs take thousands of rounds";
  for (const char* delay : {"7", "geometric:5", "geometric:5:3"}) {
    play.delay = simulation::Delay::parse(delay);
    const ReplayResult result = replay(play);
    EXPECT_EQ(result.complaint, "") << delay << ": " << result.where;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPrivatePolicy, ::testing::ValuesIn(private_policies()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::audit
