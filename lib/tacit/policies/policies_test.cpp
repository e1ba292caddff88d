#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/single.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/policies/recipes.hpp"

namespace tacit::policies {
namespace {

constexpr auto kIdealised = privacy::Arithmetic::kIdealised;

Setting setting(std::optional<double> epsilon, int arms = 5) {
  return {.arms = arms,
          .epsilon = epsilon,
          .delta = std::nullopt,
          .horizon = 1000000,
          .pace = Pace::kSkipping};
}

TEST(Largest, BreaksTiesUniformlyAndByTheRoundAlone) {
  const random::Dice dice(random::SimulationKey(1, "ties", "test", 0));
  const std::vector<double> scores{1, 3, 3, 2, 3};
  std::vector<std::int64_t> counts(5);
  for (Round t = 1; t <= 30000; ++t) {
    const actions::Choice choice = actions::largest(scores, t, dice);
    EXPECT_EQ(choice.tied, 3);
    EXPECT_EQ(choice.arm, actions::largest(scores, t, dice).arm);
    ++counts[static_cast<std::size_t>(choice.arm)];
  }
  EXPECT_EQ(counts[0] + counts[3], 0);
  EXPECT_LT(testing::chi_square({counts[1], counts[2], counts[4]}, {1 / 3.0, 1 / 3.0, 1 / 3.0}),
            testing::chi_square_critical(3, testing::kFamilyError));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(actions::largest(std::vector{1.0, infinity}, 1, dice).arm, 1);
}

template <class... Recipe>
constexpr std::size_t count(RecipeList<Recipe...>) {
  return sizeof...(Recipe);
}

TEST(Catalogue, SaysWhetherAPolicyNeedsTheHorizonWithItsParameters) {
  for (const Entry& entry : catalogue()) {
    EXPECT_EQ(entry.anytime({}), entry.card.anytime) << entry.card.name;
  }
  const auto anytime = [](const char* policy, const char* name, const char* value) {
    return find_policy(policy).anytime({{name, value}});
  };
  EXPECT_TRUE(anytime("dp-se", "horizon", "doubling"));
  EXPECT_FALSE(anytime("dp-se", "beta", "0.1"));
  EXPECT_TRUE(anytime("dp-ucb-tree", "counter", "hybrid"));
  EXPECT_TRUE(anytime("dp-ts-tree", "counter", "hybrid"));
  EXPECT_FALSE(anytime("dp-ucb-tree", "counter", "refined"));
  EXPECT_FALSE(anytime("cucb-dp", "counter", "hybrid")) << "its radius is of the horizon";
  EXPECT_THROW(anytime("dp-se", "horizon", "guessed"), InvalidParameter);
}

TEST(Catalogue, HasEveryPolicyOnceAndAllWhoseAnswersAreKnown) {
  std::set<std::string> names;
  for (const Entry& entry : catalogue()) names.insert(entry.card.name);
  EXPECT_EQ(names.size(), catalogue().size()) << "two have the same name";
  EXPECT_EQ(names.size(), count(Recipes{}));
  std::ifstream known(TACIT_TEST_DATA "/../golden/traces.csv");
  ASSERT_TRUE(known);
  std::set<std::string> answered;
  for (std::string line; std::getline(known, line);) {
    if (!line.starts_with("#")) answered.insert(line.substr(0, line.find(',')));
  }
  for (const std::string& name : names) {
    EXPECT_TRUE(answered.contains(name))
        << name << " has no rows in tests/golden/traces.csv: CONTRIBUTING.md, How to add a policy";
  }
  for (const std::string& name : answered) {
    EXPECT_TRUE(names.contains(name))
        << "tests/golden/traces.csv knows " << name << ", and nobody else";
  }
}

TEST(Catalogue, HasEveryPolicyInTheDocumentThatArguesForGuarantees) {
  std::ifstream file(TACIT_TEST_DATA "/../../docs/guarantees.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  for (const Entry& entry : catalogue()) {
    EXPECT_NE(text.find("`" + std::string(entry.card.name) + "`"), std::string::npos)
        << entry.card.name;
  }
}

/// Policies that their papers call private, and that protect nobody.
constexpr std::array<const char*, 5> kLeaking{
    "cucb-ldp-gaussian-as-published", "cascade-dp-hybrid-as-published",
    "cascade-ldp-laplace-as-published", "cascade-ldp-gaussian-as-published",
    "cascade-ldp-composed-as-published"};

TEST(Catalogue, GuaranteesScaleWithEpsilonAndAreWhatWasDerived) {
  // Epsilon of the guarantee over the parameter, where it is proportional to it.
  std::map<std::string, double> multiples;
  for (const Entry& entry : catalogue()) {
    if (entry.card.trust != Trust::kNone) multiples[entry.card.name] = 1;
  }
  multiples["rnm-ftnl-as-published"] = 2;
  multiples["cucb-dp-as-published"] = 20 / (2 * std::log2(1e6));  // 20 levels, noise for 2 log2 T
  multiples.erase("dp-ucb-int");
  for (const char* leaking : kLeaking) multiples.erase(leaking);
  for (const auto& [name, multiple] : multiples) {
    for (const double epsilon : {0.25, 1.0, 4.0}) {
      for (const int arms : {2, 7}) {
        Setting s = setting(epsilon, arms);
        const auto expect = [&, n = name, m = multiple] {
          const auto g = find_policy(n).guarantee(s, {}, kIdealised);
          EXPECT_NEAR(g.epsilon, m * epsilon, 1e-9) << n;
          EXPECT_EQ(g.delta, n == "cucb-ldp-gaussian" ? 1e-6 : 0) << n;
          EXPECT_FALSE(g.because.empty());
        };
        expect();
        if (find_policy(name).card.feedback != feedback::Kind::kSemi &&
            find_policy(name).card.feedback != feedback::Kind::kCascade) {
          continue;
        }
        s.actions = std::make_shared<actions::TopK>(arms, 2);  // the same, whatever the set
        expect();
      }
    }
  }
}

TEST(Catalogue, NotionFollowsFromTrust) {
  for (const Entry& entry : catalogue()) {
    const auto g = entry.guarantee(setting(1.0), {}, kIdealised);
    const auto expected = entry.card.trust == Trust::kNone      ? privacy::Notion::kNone
                          : entry.card.trust == Trust::kCentral ? privacy::Notion::kCentral
                                                                : privacy::Notion::kLocal;
    if (std::count(kLeaking.begin(), kLeaking.end(), std::string_view(entry.card.name)) > 0) {
      EXPECT_EQ(g.notion, privacy::Notion::kNone) << entry.card.name;
      EXPECT_NE(g.because.find("exact value"), std::string::npos) << g.because;
    } else {
      EXPECT_EQ(g.notion, expected) << entry.card.name;
    }
    EXPECT_EQ(entry.card.published.notion == privacy::Notion::kNone,
              entry.card.trust == Trust::kNone)
        << entry.card.name;
  }
}

TEST(Catalogue, OnlyBaselinesDoWithoutEpsilon) {
  for (const Entry& entry : catalogue()) {
    if (entry.card.trust == Trust::kNone) {
      EXPECT_NO_THROW(entry.guarantee(setting(std::nullopt), {}, kIdealised)) << entry.card.name;
      continue;
    }
    EXPECT_THROW(entry.guarantee(setting(std::nullopt), {}, kIdealised), InvalidParameter)
        << entry.card.name;
    for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
      EXPECT_THROW(entry.guarantee(setting(bad), {}, kIdealised), InvalidParameter)
          << entry.card.name;
    }
  }
}

TEST(Catalogue, ParametersAreReadAndRefused) {
  const Entry& adap = find_policy("adap-ucb");
  EXPECT_EQ(adap.parameters({{"a", "2.5"}})[0].value, "2.5");
  for (const char* bad : {"0", "-1", "nan", "inf", "x", "", "2x"}) {
    EXPECT_THROW(adap.parameters({{"a", bad}}), InvalidParameter) << bad;
  }
  EXPECT_THROW(find_policy("ucb1").parameters({{"a", "1"}}), InvalidParameter);
  EXPECT_EQ(find_policy("mgf-klucb").parameters({{"level", "justified"}})[2].value, "justified");
  try {
    find_policy("mgf-klucb").parameters({{"grow", "3"}});
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean growth?"), std::string::npos);
  }
}

TEST(Catalogue, SuggestsTheNearestName) {
  try {
    find_policy("anytime-lasy-ucb");
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_NE(std::string(error.what()).find("anytime-lazy-ucb"), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::policies
