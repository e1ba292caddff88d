#include "tacit/audit/replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/actions/top_k.hpp"
#include "tacit/audit/twins_test.hpp"

namespace tacit::audit {
namespace {

using policies::Pace;
using privacy::Arithmetic;

constexpr Round kMostRounds = 4096;

Play play_of(const std::string& policy, double epsilon = 3) {
  const policies::Entry& entry = policies::find_policy(policy);
  const bool sets = entry.card.plays_sets();
  Play play{.entry = entry,
            .setting = {.arms = sets ? 3 : 2,
                        .epsilon = epsilon,
                        .delta = std::nullopt,
                        .horizon = kMostRounds,
                        .pace = Pace::kPlain,
                        .actions = sets ? std::make_shared<actions::TopK>(3, 2) : nullptr},
            .parameters = {}};
  play.setting.horizon = rounds_for_three_releases(play, kMostRounds);
  return play;
}

std::vector<std::string> private_policies() {
  std::vector<std::string> names;
  for (const policies::Entry& entry : policies::catalogue()) {
    if (entry.card.trust != policies::Trust::kNone) names.emplace_back(entry.card.name);
  }
  return names;
}

std::string name_of_suite(const ::testing::TestParamInfo<std::string>& policy) {
  std::string name = policy.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class EveryPrivatePolicy : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPrivatePolicy, ShowsNothingButThroughItsReleases) {
  Play play = play_of(GetParam());
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

TEST(Replay, FindsAnOutcomeThatEntersTwoReleases) {
  for (const char* policy : {"mgf-imed", "anytime-lazy-ucb", "cascade-dp", "lazy-kl-cucb", "ftnl",
                             "dp-ucb-tree", "dp-ucb-int", "cucb-dp"}) {
    const ReplayResult result = replay(with_channel<EntersTwice>(play_of(policy)));
    EXPECT_NE(result.complaint.find("moved"), std::string::npos) << policy << result.complaint;
    EXPECT_EQ(result.complaint.find('\n'), std::string::npos);
  }
}

TEST(Replay, FindsASumThatIsKeptAfterItsRelease) {
  for (const char* policy : {"mgf-imed", "cascade-dp", "lazy-kl-cucb", "ftnl", "dp-ucb-tree"}) {
    const ReplayResult result = replay(with_channel<KeepsData>(play_of(policy)));
    EXPECT_NE(result.complaint.find("moved"), std::string::npos) << policy << result.complaint;
  }
}

TEST(Replay, FindsALearnerThatReadsRawOutcomes) {
  for (const char* policy :
       {"ts-cf", "ldp-ucb-laplace", "ldp-ucb-bits", "mgf-imed", "dp-ucb-tree", "rnm-ftnl"}) {
    const ReplayResult result = replay(peeking(play_of(policy)));
    EXPECT_NE(result.complaint.find("something but a release"), std::string::npos)
        << policy << ": " << result.complaint;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryPrivatePolicy, ::testing::ValuesIn(private_policies()),
                         name_of_suite);

}  // namespace
}  // namespace tacit::audit
