// Ranked lists: --feedback cascade, the problem of Kveton et al., every policy with cascade feedback, and
// what cannot be ranked.
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

std::vector<std::string> cascade_policies() {
  std::vector<std::string> names;
  for (const Json& row : document_of({"list"})) {
    if (row.at("feedback") == "cascade") names.push_back(row.at("name"));
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

Arguments rank(const Arguments& what, const std::string& policies = joined(cascade_policies())) {
  return Arguments{"simulate",  "--policy", policies, "--epsilon", "0.7",
                   "--horizon", "120",      "--runs", "2"} +
         what;
}

/// Lists of `size` of `items` whose best one is clicked with probability `benchmark`.
void expect_ranked(const Json& document, const std::string& actions, std::size_t items, double size,
                   double benchmark) {
  EXPECT_EQ(document.size(), cascade_policies().size());
  for (const Json& entry : document) {
    SCOPED_TRACE(entry.at("policy").get<std::string>());
    EXPECT_EQ(entry.at("feedback"), "cascade");
    EXPECT_EQ(entry.at("actions"), actions);
    EXPECT_NEAR(entry.at("benchmark"), benchmark, 1e-9);
    const std::vector<double> pulls = entry.at("pulls");
    EXPECT_EQ(pulls.size(), items);
    EXPECT_NEAR(std::accumulate(pulls.begin(), pulls.end(), 0.0), 120 * size, 1e-6);
    for (const double shown : pulls) EXPECT_LE(shown, 120) << "an item is in a list once";
    const double regret = entry.at("regret").at("mean");
    EXPECT_GE(entry.at("regret").at("quantiles").at("0"), -1e-9);
    EXPECT_NEAR(entry.at("return_per_round"), benchmark - regret / 120, 1e-9);
  }
}

TEST(Cascade, TheInstanceOfKvetonEtAlIsPlayedByEveryPolicy) {
  // 1 - 0.8^4, 1 - 0.5^2, and one list of everything.
  for (const Arguments& pace : {Arguments{}, Arguments{"--plain"}}) {
    const auto played = [&](const std::string& problem) {
      return document_of(rank(Arguments{"--problem", problem, "--feedback", "cascade"} + pace));
    };
    expect_ranked(played("kveton"), "top:4", 16, 4, 0.5904);
    expect_ranked(played("kveton:6:2:0.5:0.3"), "top:2", 6, 2, 0.75);
    expect_ranked(played("kveton:3:3:0.5:0.5"), "top:3", 3, 3, 0.875);
    expect_ranked(played("kveton:5:1:1:1"), "top:1", 5, 1, 1);
  }
}

TEST(Cascade, FeedbackIsThePolicysOwnUnlessGiven) {
  Json without = document_of(rank({"--problem", "kveton"}));
  Json with = document_of(rank({"--problem", "kveton", "--feedback", "cascade"}));
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].at("pulls"), without[i].at("pulls"));
    EXPECT_EQ(with[i].at("regret"), without[i].at("regret"));
  }
}

TEST(Cascade, AttractionsAndListsCanBeGiven) {
  const Arguments means = {"--means", "0.5,0.1,0.3,0,1"};
  expect_ranked(document_of(rank(means + Arguments{"--actions", "top:2"})), "top:2", 5, 2, 1);
  expect_ranked(document_of(rank({"--means", "0.5,0.1,0.3", "--actions", "top:2"})), "top:2", 3, 2,
                1 - 0.5 * 0.7);
}

TEST(Cascade, RecordedUsersAreClickedByTheirTastes) {
  // The two most liked items, 0 and 1, have the same two users; 0 and 2 reach all but the last.
  const TemporaryFolder folder;
  const std::string users = folder.file("users", "1,1,0\n1,1,0\n0,0,1\n0,0,0\n");
  expect_ranked(document_of(rank({"--problem", "replay:" + users, "--actions", "top:2"})), "top:2",
                3, 2, 0.75);
}

/// What a policy's entry says of its privacy.
Json guarantee_of(const std::string& policy, const Arguments& more = {}) {
  return document_of(rank(Arguments{"--problem", "kveton:6:4:0.5:0.3"} + more, policy))
      .at(0)
      .at("guarantee");
}

void expect_because(const Json& guarantee, const std::vector<std::string>& mentions) {
  const std::string because = guarantee.at("because");
  for (const std::string& text : mentions) {
    EXPECT_NE(because.find(text), std::string::npos)
        << "must mention \"" << text << "\": " << because;
  }
}

TEST(Cascade, GuaranteesAreWhatWasChecked) {
  struct Checked {
    std::string policy;
    std::string notion;
    std::vector<std::string> because;
  };
  const std::string stop = "where the user stops: one of 4 positions, or none";
  const std::string first = "whether the item shown first was clicked";
  const std::vector<Checked> all = {
      {"cascade-ucb1", "none", {stop, "exact value"}},
      {"cascade-kl-ucb", "none", {stop, "exact value"}},
      {"cascade-dp-hybrid-as-published", "none", {stop, "exact value"}},
      {"cascade-ldp-laplace-as-published", "none", {stop, "exact value"}},
      {"cascade-ldp-gaussian-as-published", "none", {stop, "exact value"}},
      {"cascade-ldp-composed-as-published", "none", {stop, "exact value"}},
      {"cascade-dp", "central", {first, "one release", "Laplace(scale 1.42"}},
      // e^0.7/(e^0.7 + 1), and e^0.7/(e^0.7 + 4): 3 < 3 e^0.7, so that the response is the better one.
      {"cascade-ldp", "local", {first, "one report", "randomised response", "0.668188"}},
      {"cascade-ldp-stop", "local", {stop, "one report", "5-ary randomised response", "0.3349"}},
  };
  std::vector<std::string> names;
  for (const Checked& checked : all) {
    SCOPED_TRACE(checked.policy);
    names.push_back(checked.policy);
    const Json guarantee = guarantee_of(checked.policy);
    EXPECT_EQ(guarantee.at("notion"), checked.notion);
    expect_because(guarantee, checked.because);
    if (checked.notion == "none") {
      EXPECT_TRUE(guarantee.at("epsilon").is_null()) << guarantee;
    } else {
      EXPECT_EQ(guarantee.at("epsilon"), 0.7);
      EXPECT_EQ(guarantee.at("delta"), 0);
    }
  }
  EXPECT_EQ(names, cascade_policies()) << "every policy with cascade feedback has a row here";
}

TEST(Cascade, LongListsAreEncodedInstead) {
  // 8 - 1 > 3 e^0.7.
  const Json entry =
      document_of(rank({"--problem", "kveton:9:8:0.5:0.3"}, "cascade-ldp-stop")).at(0);
  expect_because(entry.at("guarantee"), {"unary encoding of 8 positions"});
  EXPECT_EQ(entry.at("guarantee").at("epsilon"), 0.7);
}

TEST(Cascade, AMultiplierOfTheNoiseIsShownWithTheRun) {
  for (const char* policy :
       {"cascade-dp-hybrid-as-published", "cascade-ldp-laplace-as-published",
        "cascade-ldp-gaussian-as-published", "cascade-ldp-composed-as-published"}) {
    SCOPED_TRACE(policy);
    const Arguments command =
        rank({"--problem", "kveton", "--param", "noise_multiplier=0.01"}, policy);
    EXPECT_EQ(document_of(command).at(0).at("params").at("noise_multiplier"), "0.01");
    EXPECT_NE(run_tacit(command).out.find("noise_multiplier=0.01"), std::string::npos);
    EXPECT_NE(document_of(command).at(0).at("pulls"),
              document_of(rank({"--problem", "kveton"}, policy)).at(0).at("pulls"));
  }
}

TEST(Cascade, OnlyListsOfAnyItemsAreRanked) {
  const TemporaryFolder folder;
  const std::string blocks = folder.file("blocks", "x\nx\ny\ny\n");
  for (const std::string& policy : cascade_policies()) {
    for (const std::string& actions :
         {std::string("matroid:uniform:2"), "matroid:partition:" + blocks}) {
      expect_refused_either_way(rank({"--means", "0.8,0.6,0.5,0.3", "--actions", actions}, policy),
                                {"actions = " + actions, policy, "top:K"});
    }
    expect_refused_either_way(rank({"--problem", "chandak-vectors"}, policy),
                              {"problem = chandak-vectors", policy, "top:K"});
  }
}

TEST(Cascade, OtherFeedbackIsRefused) {
  for (const std::string& policy : cascade_policies()) {
    for (const std::string feedback : {"semi", "bandit", "full"}) {
      expect_refused_either_way(rank({"--problem", "kveton", "--feedback", feedback}, policy),
                                {"feedback = " + feedback, policy + " needs feedback cascade"});
    }
  }
  expect_refused_either_way(rank({"--problem", "kveton", "--feedback", "cascade"}, "cucb"),
                            {"feedback = cascade", "cucb needs feedback semi"});
  expect_refused_either_way(rank({"--problem", "kveton"}, "ucb1"), {"ucb1", "single arm a round"});
}

TEST(Cascade, PrivatePoliciesNeedAnEpsilon) {
  for (const std::string& policy : cascade_policies()) {
    const Arguments command = {"simulate",  "--policy", policy,   "--problem", "kveton",
                               "--horizon", "9",        "--runs", "1"};
    if (policy == "cascade-ucb1" || policy == "cascade-kl-ucb") {
      EXPECT_EQ(run_tacit(command).exit, 0);
      continue;
    }
    expect_refused_either_way(command, {"epsilon", policy});
    for (const std::string epsilon : {"0", "-1", "nan", "inf"}) {
      expect_refused_either_way(command + Arguments{"--epsilon", epsilon}, {"epsilon"});
    }
  }
}

TEST(Cascade, AnInstanceThatCannotBeIsRefused) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> bad = {
      {"kveton:4:9:.2:.1", {"k = 9", "from 1 to the number of items, 4"}},
      {"kveton:4:0:.2:.1", {"k = 0", "from 1 to the number of items, 4"}},
      {"kveton:0:1:.2:.1", {"items = 0"}},
      {"kveton:4:1.5:.2:.1", {"1.5", "integer"}},
      {"kveton:4:2:1.2:.3", {"p = 1.2", "[0, 1]"}},
      {"kveton:4:2:.2:.3", {"gap = 0.3", "p = 0.2"}},
      {"kveton:4:2:.2:0", {"gap = 0"}},
      {"kveton:4:2:.2:-.1", {"gap = -0.1"}},
      {"kveton:4:2:x:.1", {"x", "number"}},
      {"kveton:4:2:nan:.1", {"nan"}},
      {"kveton:4:2:.2", {"must be 4"}},
      {"kveton:4:2:.2:.1:.1", {"must be 4"}},
      {"kveton:", {"kveton[:ITEMS:K:P:GAP]"}},
      {"kvetn", {"did you mean kveton?"}},
  };
  for (const auto& [problem, mentions] : bad) {
    std::vector<std::string> words = mentions;
    words.push_back("problem = " + problem);
    expect_refused_either_way(rank({"--problem", problem}, "cascade-dp"), words);
  }
  expect_refused_either_way(rank({"--problem", "kveton", "--actions", "top:3"}, "cascade-dp"),
                            {"actions = top:3", "top:4"});
}

}  // namespace
}  // namespace tacit::cli_test
