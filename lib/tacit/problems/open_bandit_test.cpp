#include "tacit/problems/open_bandit.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/independent_arms.hpp"

namespace tacit::problems {
namespace {

TEST(OpenBandit, HasThreeCampaigns) {
  EXPECT_EQ(open_bandit_means("all").size(), 80U);
  EXPECT_EQ(open_bandit_means("men").size(), 34U);
  EXPECT_EQ(open_bandit_means("women").size(), 46U);
}

TEST(OpenBandit, HasTheRatesOfTheDataSet) {
  const auto all = open_bandit_means("all");
  EXPECT_DOUBLE_EQ(all[0], 47.0 / (47 + 12198));
  EXPECT_DOUBLE_EQ(all[61], 820.0 / (820 + 162793));
  EXPECT_DOUBLE_EQ(all[79], 246.0 / (246 + 51964));
  const auto men = open_bandit_means("men");
  EXPECT_DOUBLE_EQ(men[0], 47.0 / (47 + 12198));
  EXPECT_DOUBLE_EQ(men[13], 518.0 / (518 + 111326));
  EXPECT_DOUBLE_EQ(men[33], 54.0 / (54 + 14506));
  const auto women = open_bandit_means("women");
  EXPECT_DOUBLE_EQ(women[0], 12.0 / (12 + 3612));
  EXPECT_DOUBLE_EQ(women[36], 880.0 / (880 + 172026));
  EXPECT_DOUBLE_EQ(women[45], 229.0 / (229 + 47462));
}

TEST(OpenBandit, HasTheTotalRatesOfTheDataSet) {
  const auto total = [](const char* campaign) {
    const auto means = open_bandit_means(campaign);
    return std::accumulate(means.begin(), means.end(), 0.0);
  };
  EXPECT_NEAR(total("all"), 0.253817899160204, 1e-14);
  EXPECT_NEAR(total("men"), 0.101381803615536, 1e-14);
  EXPECT_NEAR(total("women"), 0.154958784667850, 1e-14);
}

TEST(OpenBandit, CanBePlayed) {
  EXPECT_EQ(IndependentArms(open_bandit_means("women"), Rewards::kBernoulli).arms(), 46);
}

TEST(OpenBandit, NamesTheCampaignsThatThereAre) {
  try {
    open_bandit_means("kids");
    FAIL() << "accepted an unknown campaign";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "campaign");
    EXPECT_EQ(error.value(), "kids");
    const std::string what = error.what();
    for (const char* name : {"all", "men", "women"}) {
      EXPECT_NE(what.find(name), std::string::npos) << name;
    }
  }
}

}  // namespace
}  // namespace tacit::problems
