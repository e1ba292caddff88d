// Policies that play sets: every form of --actions, every problem that can be played in sets, every
// policy with semi-bandit feedback.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"

namespace tacit::cli_test {
namespace {

constexpr double kGreedy = 1 - 1 / std::numbers::e;

/// Every policy that plays sets, separated by commas. lazy-kl-mat plays bases of matroids only.
std::string set_policies(bool matroid = true) {
  static const Json list = document_of({"list"});
  std::string names;
  for (const Json& row : list) {
    if (row.at("feedback") != "semi" || (!matroid && row.at("name") == "lazy-kl-mat")) continue;
    names += (names.empty() ? "" : ",") + row.at("name").get<std::string>();
  }
  return names;
}

/// A number of pulls that is the same whatever set is played: sum of weight x pulls = value a round.
struct Balance {
  std::vector<double> weights;
  double value;
};

/// A problem in sets, with what can be said of it by hand.
struct Case {
  std::string name;
  Arguments problem;
  std::string actions;  // as the document repeats it
  double benchmark;
  std::vector<Balance> balances;
  std::vector<int> best;  // the arms of the best set
  bool matroid = true;
  double share = 1;  // what an approximate search is measured against
};

/// The files that the cases name, made once.
class Files {
 public:
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  Files() {
    folder_.file("vectors", "1,0,0\n0,1,0\n0,0,1\n1,0,1\n0,1,1\n2,0,0\n0,0,0\n");
    folder_.file("triangle", "a,b\nb,c\nc,a\nc,d\n");
    folder_.file("blocks", "x\nx\ny\ny\n");
    folder_.file("capacities", "x,1\nx,1\ny,2\ny,2\n");
    folder_.file("slots", "p\np,q\nq\nq,r\n");
    folder_.file("nested", "1,0,1\n2,0,1,2,3\n");
    folder_.file("diamond", "from,to\na,b\nb,d\na,c\nc,d\n");
    folder_.file("square", "left,right\nl1,r1\nl1,r2\nl2,r1\nl2,r2\n");
    folder_.file("list", "0,1\n1,2\n3\n");
    folder_.file("ring", "0,1,3\n1,0,2\n2,1,3\n3,2,0\n");
    folder_.file("coverage", "set,item\ns1,i1\ns1,i2\ns2,i2\ns2,i3\ns3,i1\n");
    folder_.file("cascade", "a,b\nb,c\na,c\nc,d\n");
    folder_.file("funnel", "a,b\nb,c\na,c\nd,c\n");
    folder_.file("lengths", "from,to,metres\na,b,1\nb,d,1\na,c,2\nc,d,3\n");
    folder_.file("edges", "a,b,0.9\nb,d,0.8\na,c,0.5\nc,d,0.4\n");
    folder_.file("users", "1,0,1,1\n0,1,1,0\n1,1,0,0\n1,1,0,0\n");
  }

 private:
  TemporaryFolder folder_;
};

std::vector<Case> cases(const Files& files) {
  const Arguments four = {"--means", "0.9,0.6,0.5,0.3"};
  const std::vector<Balance> two = {{{1, 1, 1, 1}, 2}};
  const std::vector<Balance> three = {{{1, 1, 1, 1}, 3}};
  // Both edges of the way over b, or both of the way over c.
  const std::vector<Balance> ways = {{{1, -1, 0, 0}, 0}, {{0, 0, 1, -1}, 0}, {{1, 0, 1, 0}, 1}};
  const auto with = [](const Arguments& problem, const std::string& actions) {
    return problem + Arguments{"--actions", actions};
  };
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const Arguments& problem,
                       const std::string& actions, double benchmark,
                       const std::vector<Balance>& balances,
                       const std::vector<int>& best) -> Case& {
    return all.emplace_back(Case{name, with(problem, actions), actions, benchmark, balances, best});
  };
  const auto not_a_matroid = [](Case& added) { added.matroid = false; };

  add("one arm", four, "single", 0.9, {{{1, 1, 1, 1}, 1}}, {0});
  add("top", four, "top:2", 1.5, two, {0, 1});
  add("all arms", four, "top:4", 2.3, {{{1, 1, 1, 1}, 4}}, {0, 1, 2, 3});
  add("uniform", four, "matroid:uniform:2", 1.5, two, {0, 1});
  add("linear", {"--means", "0.8,0.75,0.6,0.2,0.3,0.4,0.7"},
      "matroid:linear:" + files.at("vectors"), 2.15,
      {{{1, 1, 1, 1, 1, 1, 1}, 3}, {{0, 0, 0, 0, 0, 0, 1}, 0}}, {0, 1, 2});
  add("graphic", four, "matroid:graphic:" + files.at("triangle"), 1.8,
      {{{1, 1, 1, 0}, 2}, {{0, 0, 0, 1}, 1}}, {0, 1, 3});
  add("partition", four, "matroid:partition:" + files.at("blocks"), 1.4,
      {{{1, 1, 0, 0}, 1}, {{0, 0, 1, 1}, 1}}, {0, 2});
  add("partition with capacities", four, "matroid:partition:" + files.at("capacities"), 1.7,
      {{{1, 1, 0, 0}, 1}, {{0, 0, 1, 0}, 1}, {{0, 0, 0, 1}, 1}}, {0, 2, 3});
  add("transversal", four, "matroid:transversal:" + files.at("slots"), 1.8, three, {0, 1, 3});
  add("laminar", four, "matroid:laminar:" + files.at("nested"), 1.4, two, {0, 2});
  not_a_matroid(add("paths", four, "paths:" + files.at("diamond") + ":a:d", -0.5, ways, {0, 1}));
  not_a_matroid(add("paths both ways", four, "paths:" + files.at("diamond") + ":d:a:undirected",
                    -0.5, ways, {0, 1}));
  not_a_matroid(add("matching", four, "matching:" + files.at("square"), 1.2,
                    {{{1, 0, 0, -1}, 0}, {{0, 1, -1, 0}, 0}, {{1, 1, 0, 0}, 1}}, {0, 3}));
  not_a_matroid(add("list", four, "list:" + files.at("list"), 1.5,
                    {{{1, -1, 1, 0}, 0}, {{1, 0, 1, 1}, 1}}, {0, 1}));
  not_a_matroid(add("cut", four, "cut:" + files.at("triangle"), 1.8, {}, {0, 1, 3}));
  not_a_matroid(add("neighbours", four, "neighbours:" + files.at("ring"), 0.9, {{{1, 1, 1, 1}, 3}},
                    {0, 1, 3}));
  add("scale", four, "scale:3:matroid:uniform:2", 4.5, two, {0, 1});
  not_a_matroid(add("approximate", four, "approximate:1:1:top:2", 1.5, two, {0, 1}));
  Case& cover =
      add("cover", {"--means", "0.8,0.6,0.5,0.3,0.9"}, "cover:" + files.at("coverage") + ":2",
          kGreedy * (0.8 + (1 - 0.4 * 0.5) + 0.3),
          {{{1, -1, 0, 0, 0}, 0}, {{0, 0, 1, -1, 0}, 0}, {{1, 0, 1, 0, 1}, 2}}, {0, 1, 2, 3});
  cover.matroid = false;
  cover.share = kGreedy;
  // From a: b with 0.9, c with 1 - 0.5 (1 - 0.9 x 0.6), d with 0.3 of that.
  const double reaches_c = 1 - 0.5 * (1 - 0.9 * 0.6);
  const double share = (kGreedy - 0.1) * (1 - 1.0 / 4);
  Case& influence = add("influence", four, "influence:" + files.at("cascade") + ":1",
                        share * (1 + 0.9 + reaches_c * 1.3), {{{0, 0, 0, 1}, 1}}, {0, 1, 2, 3});
  influence.matroid = false;
  influence.share = share;

  add("users", {"--problem", "replay:" + files.at("users")}, "top:2", 1.5, two, {0, 1});
  add("Hu et al.", {"--problem", "hu-linear"}, "top:2", 1.375, {{{1, 1, 1, 1, 1}, 2}}, {0, 1});
  add("equal gaps", {"--problem", "equal-gaps:4:0.2"}, "top:2", 1, two, {0});
  add("doubling gaps", {"--problem", "doubling-gaps:4:0.1"}, "top:2", 1.7, two, {0, 1});
  not_a_matroid(add("lengths", {"--problem", "lengths:" + files.at("lengths")},
                    "paths:" + files.at("lengths") + ":a:d", -2.0 / 3, ways, {0, 1}));
  not_a_matroid(add("edges", {"--problem", "edges:" + files.at("edges")},
                    "paths:" + files.at("edges") + ":a:d", -0.3, ways, {0, 1}));
  // Means 1, 1/3, 1/3, 1/3: from a to b for certain, to c with 1 - (2/3)^2.
  Case& weighted = add("weighted cascade", {"--problem", "weighted-cascade:" + files.at("funnel")},
                       "influence:" + files.at("funnel") + ":1", share * (2 + 5.0 / 9),
                       {{{0, 1, 0, 1}, 1}}, {0, 1, 2});
  weighted.matroid = false;
  weighted.share = share;
  return all;
}

double total(const Json& pulls, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < pulls.size(); ++i) sum += weights.at(i) * pulls[i].get<double>();
  return sum;
}

void expect_sensible(const Json& entry, const Case& c) {
  SCOPED_TRACE(entry.at("policy").get<std::string>());
  const double horizon = entry.at("horizon");
  EXPECT_EQ(entry.at("feedback"), "semi");
  EXPECT_EQ(entry.at("actions"), c.actions);
  EXPECT_NEAR(entry.at("benchmark"), c.benchmark, 1e-9);
  for (const Balance& balance : c.balances) {
    ASSERT_EQ(entry.at("pulls").size(), balance.weights.size());
    EXPECT_NEAR(total(entry.at("pulls"), balance.weights), balance.value * horizon, 1e-6)
        << entry.at("pulls");
  }
  const double regret = entry.at("regret").at("mean");
  EXPECT_NEAR(entry.at("return_per_round"), c.benchmark - regret / horizon, 1e-9);
  // No set is better than the best: below 0 only by what an approximate search is forgiven.
  const double least = (c.benchmark - c.benchmark / c.share) * horizon;
  EXPECT_GE(entry.at("regret").at("quantiles").at("0"), least - 1e-6);
}

TEST(Sets, EveryFormIsPlayedByEveryPolicy) {
  const Files files;
  for (const Case& c : cases(files)) {
    SCOPED_TRACE(c.name);
    const Arguments base = Arguments{"simulate",  "--policy",  set_policies(c.matroid),
                                     "--epsilon", "1",         "--feedback",
                                     "semi",      "--horizon", "80",
                                     "--runs",    "2",         "--threads",
                                     "1"} +
                           c.problem;
    for (const Arguments& pace : {Arguments{}, Arguments{"--plain"}}) {
      const Json document = document_of(base + pace);
      EXPECT_GE(document.size(), 15U);
      for (const Json& entry : document) expect_sensible(entry, c);
    }
    const Result table = run_tacit(base);
    EXPECT_EQ(table.exit, 0) << table.err;
    EXPECT_NE(table.out.find("\ncucb "), std::string::npos) << table.out;
  }
}

TEST(Sets, TheBestSetIsFound) {
  const Files files;
  for (const Case& c : cases(files)) {
    SCOPED_TRACE(c.name);
    const Json entry = document_of(Arguments{"simulate", "--policy", "cts-beta", "--horizon",
                                             "1500", "--runs", "2", "--threads", "1"} +
                                   c.problem)
                           .at(0);
    for (const int arm : c.best) {
      EXPECT_GT(entry.at("pulls").at(static_cast<std::size_t>(arm)), 750) << entry.at("pulls");
    }
    const double best = c.benchmark / c.share;
    EXPECT_NEAR(entry.at("return_per_round"), best, 0.1);
  }
}

TEST(Sets, ProblemsWithSetsOfTheirOwn) {
  struct Own {
    std::string problem;
    double benchmark;
    double size;
    bool matroid;
    std::string actions;  // begins with
  };
  for (const Own& own :
       {Own{"chandak-vectors", 2.15, 3, true, "matroid:linear(7x3,"},
        Own{"k-path", 2, 4, false, "list(20x5,"}, Own{"k-path:8:2:0.2", 1, 2, false, "list(8x4,"},
        Own{"k-path:8:2:0.6:3", 3, 2, false, "scale(3,list(8x4,"},
        Own{"public-arms:8:2:0.2", 1, 2, false, "list(8x6,"}}) {
    SCOPED_TRACE(own.problem);
    const Json document =
        document_of({"simulate", "--policy", set_policies(own.matroid), "--epsilon", "1",
                     "--problem", own.problem, "--horizon", "60", "--runs", "2"});
    for (const Json& entry : document) {
      EXPECT_NEAR(entry.at("benchmark"), own.benchmark, 1e-9);
      EXPECT_TRUE(entry.at("actions").get<std::string>().starts_with(own.actions))
          << entry.at("actions");
      const std::vector<double> pulls = entry.at("pulls");
      EXPECT_NEAR(std::accumulate(pulls.begin(), pulls.end(), 0.0), 60 * own.size, 1e-6);
      EXPECT_GE(entry.at("regret").at("quantiles").at("0"), -1e-9);
    }
  }
}

TEST(Sets, OpenBanditIsPlayedByItsClickRates) {
  const Json problems = document_of({"list", "--problems"});
  const auto row = std::find_if(problems.begin(), problems.end(),
                                [](const Json& p) { return p.at("name") == "open-bandit"; });
  ASSERT_NE(row, problems.end());
  std::vector<double> means = row->at("means");
  std::sort(means.rbegin(), means.rend());
  const Json entry = document_of({"simulate", "--policy", "cucb", "--problem", "open-bandit",
                                  "--actions", "top:3", "--horizon", "50", "--runs", "2"})
                         .at(0);
  EXPECT_NEAR(entry.at("benchmark"), means[0] + means[1] + means[2], 1e-9);
  for (const char* campaign : {"all", "men", "women"}) {
    document_of({"simulate", "--policy", "cucb", "--problem",
                 std::string("open-bandit:") + campaign, "--actions", "top:3", "--horizon", "5",
                 "--runs", "1"});
  }
}

// Two users rate a hundred movies: both the first three, one the others. The first three are of two
// genres.
TEST(Sets, MovieLensIsReadFromAFolder) {
  const TemporaryFolder folder;
  std::string ratings;
  std::string movies;
  for (int movie = 1; movie <= 100; ++movie) {
    const std::string id = std::to_string(movie);
    ratings += "1::" + id + "::5::978300760\n";
    if (movie <= 3) ratings += "2::" + id + "::1::978300760\n";
    movies += id + "::Film " + id + " (1999)::" +
              (movie == 2   ? "Comedy|Drama"
               : movie == 3 ? "Comedy"
                            : "Drama") +
              "\n";
  }
  folder.file("ratings.dat", ratings);
  folder.file("movies.dat", movies);
  const Json document =
      document_of({"simulate", "--policy", set_policies(), "--epsilon", "1", "--problem",
                   "movielens:" + folder.path(), "--horizon", "30", "--runs", "1"});
  for (const Json& entry : document) {
    EXPECT_NEAR(entry.at("benchmark"), 2, 1e-9);
    const std::vector<double> pulls = entry.at("pulls");
    EXPECT_EQ(pulls.size(), 100U);
    EXPECT_NEAR(std::accumulate(pulls.begin(), pulls.end(), 0.0), 60, 1e-6);
  }
}

TEST(Sets, OneArmIsTheDefault) {
  const Arguments base = {"simulate",  "--policy",  set_policies(), "--epsilon", "1", "--problem",
                          "hu-linear", "--horizon", "200",          "--runs",    "2"};
  const Json without = document_of(base);
  const Json with = document_of(base + Arguments{"--actions", "single"});
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].at("pulls"), without[i].at("pulls"));
    EXPECT_EQ(with[i].at("regret"), without[i].at("regret"));
  }
}

void expect_same_but_for(const Json& a, const Json& b, const std::vector<std::string>& but_for) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    Json left = a[i];
    Json right = b[i];
    for (const std::string& field : but_for) {
      left.erase(field);
      right.erase(field);
    }
    EXPECT_TRUE(left == right) << left.at("policy") << ": " << Json::diff(left, right);
  }
}

Json without_samplers(const Json& entries) {
  Json others = Json::array();
  for (const Json& entry : entries) {
    if (!samples_posteriors_lazily(entry.at("policy"))) others.push_back(entry);
  }
  return others;
}

TEST(Sets, SkippingOrPlainIsTheSameOnATable) {
  // Outcomes are fixed, so every bit must agree but those of samples. The best pair changes half way.
  constexpr int kRounds = 1000;
  std::string rows;
  for (int t = 1; t <= kRounds; ++t) {
    const bool late = t > kRounds / 2;
    rows += "0." + std::to_string(10 + (t * 7919) % 80) + "," + std::to_string(t % 2) + ",0." +
            std::to_string((late ? 60 : 20) + (t * 104729) % 40) + "," + (late ? "0.25" : "0.75") +
            "\n";
  }
  const TemporaryFolder folder;
  const std::string table = folder.file("table", rows);
  const Files files;
  for (const auto& [actions, matroid] :
       std::vector<std::pair<std::string, bool>>{{"single", true},
                                                 {"top:2", true},
                                                 {"matroid:graphic:" + files.at("triangle"), true},
                                                 {"matroid:laminar:" + files.at("nested"), true},
                                                 {"paths:" + files.at("diamond") + ":a:d", false},
                                                 {"matching:" + files.at("square"), false},
                                                 {"list:" + files.at("list"), false}}) {
    SCOPED_TRACE(actions);
    const Arguments base = {"simulate", "--policy",  set_policies(matroid),   "--epsilon",
                            "1",        "--problem", "table:" + table,        "--actions",
                            actions,    "--horizon", std::to_string(kRounds), "--runs",
                            "2"};
    const Json fast = document_of(base);
    const Json plain = document_of(base + Arguments{"--plain"});
    expect_same_but_for(without_samplers(fast), without_samplers(plain), {"seconds", "decisions"});
    for (const Json& entry : plain) EXPECT_EQ(entry.at("decisions"), 2 * kRounds);
    const auto lazy = std::find_if(fast.begin(), fast.end(),
                                   [](const Json& e) { return e.at("policy") == "dpucb-mat"; });
    ASSERT_NE(lazy, fast.end());
    EXPECT_LT(lazy->at("decisions"), 2 * kRounds);
  }
}

TEST(Sets, ThreadsChangeNothing) {
  const Files files;
  for (const auto& [actions, matroid] : std::vector<std::pair<std::string, bool>>{
           {"top:2", true},
           {"paths:" + files.at("diamond") + ":a:d", false},
           {"influence:" + files.at("cascade") + ":1", false}}) {
    SCOPED_TRACE(actions);
    const Arguments base = {"simulate",
                            "--policy",
                            set_policies(matroid),
                            "--epsilon",
                            "1",
                            "--means",
                            "0.8,0.6,0.5,0.3",
                            "--actions",
                            actions,
                            "--horizon",
                            "60",
                            "--runs",
                            "5",
                            "--threads"};
    const Json one = document_of(base + Arguments{"1"});
    expect_same_but_for(one, document_of(base + Arguments{"2"}), {"seconds"});
    expect_same_but_for(one, document_of(base + Arguments{"7"}), {"seconds"});
  }
}

// What a file says counts, not its name, nor how it is laid out.
TEST(Sets, AFileIsItsContent) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/a:b");
  const auto play = [](const std::string& actions) {
    return document_of({"simulate", "--policy", "cucb,cts-beta", "--means", "0.8,0.6,0.5,0.3",
                        "--actions", actions, "--horizon", "200", "--runs", "2"});
  };
  const std::string bare = folder.file("bare", "a,b\nb,d\na,c\nc,d\n");
  const std::string rich = folder.file(
      "a:b/rich", "\xEF\xBB\xBF# edges\r\n from , to\r\n\r\na, b\r\nb,d # last\r\na,c\r\nc,d");
  expect_same_but_for(play("paths:" + bare + ":a:d"), play("paths:" + rich + ":a:d"),
                      {"seconds", "actions"});
  for (const char* heading :
       {"u,v", "from,to", "source,target", "left,right", "set,item", "node,node"}) {
    const std::string headed =
        folder.file("headed", std::string(heading) + "\na,b\nb,d\na,c\nc,d\n");
    expect_same_but_for(play("matroid:graphic:" + bare), play("matroid:graphic:" + headed),
                        {"seconds", "actions"});
  }
  // Each row is scaled to whole numbers by itself.
  const Json whole = play("matroid:linear:" + folder.file("whole", "100,0\n0,1\n10,10\n30,-10\n"));
  const Json decimal =
      play("matroid:linear:" + folder.file("decimal", "1.00,0\n0,1\n1.0,1\n3,-1.0\n"));
  expect_same_but_for(whole, decimal, {"seconds", "actions"});
  EXPECT_NEAR(whole[0].at("benchmark"), 0.8 + 0.6, 1e-9);
}

// A capacity is no arm: the numbers may coincide.
TEST(Sets, ACapacityMayBeTheNumberOfAnArm) {
  const TemporaryFolder folder;
  const std::string nested = folder.file("nested", "3,0,1,2,3\n1,0,1\n");
  const Json entry =
      document_of({"simulate", "--policy", "cucb", "--means", "0.9,0.6,0.5,0.3", "--actions",
                   "matroid:laminar:" + nested, "--horizon", "50", "--runs", "2"})
          .at(0);
  EXPECT_NEAR(entry.at("benchmark"), 0.9 + 0.5 + 0.3, 1e-9);
}

TEST(Sets, AFileWhoseNameIsNotTextIsRepeatedAsFarAsPossible) {
  const TemporaryFolder folder;
  const std::string path = folder.file("\xff", "0,1\n2,3\n");
  const Json entry = document_of({"simulate", "--policy", "cucb", "--means", "0.8,0.6,0.5,0.3",
                                  "--actions", "list:" + path, "--horizon", "5", "--runs", "1"})
                         .at(0);
  EXPECT_TRUE(entry.at("actions").get<std::string>().starts_with("list:" + folder.path()));
}

TEST(Sets, TheTableSaysWhenRegretIsAgainstAShareOfTheBest) {
  const Files files;
  const auto table = [](const Arguments& problem) {
    return run_tacit(Arguments{"simulate", "--policy", "cucb", "--horizon", "10", "--runs", "1"} +
                     problem)
        .out;
  };
  const std::string greedy = table(
      {"--means", "0.8,0.6,0.5,0.3,0.9", "--actions", "cover:" + files.at("coverage") + ":2"});
  EXPECT_NE(greedy.find("0.6321 times the best"), std::string::npos) << greedy;
  const std::string exact = table({"--problem", "hu-linear", "--actions", "top:2"});
  EXPECT_EQ(exact.find("times the best"), std::string::npos) << exact;
  EXPECT_NE(exact.find("top:2"), std::string::npos) << exact;
}

// --- guarantees ---

std::map<std::string, Json> by_policy(const Arguments& more) {
  std::map<std::string, Json> entries;
  for (const Json& entry :
       document_of(Arguments{"simulate", "--policy", set_policies(), "--epsilon", "0.5",
                             "--problem", "hu-linear", "--horizon", "1024", "--runs", "1"} +
                   more)) {
    entries[entry.at("policy")] = entry;
  }
  return entries;
}

void expect_because(const Json& entry, const std::vector<std::string>& mentions) {
  const std::string because = entry.at("guarantee").at("because");
  for (const std::string& text : mentions) {
    EXPECT_NE(because.find(text), std::string::npos) << entry.at("policy") << ": " << because;
  }
}

TEST(SetGuarantees, AreComputedFromWhatEachPolicyRecords) {
  struct Expected {
    std::string notion;
    double epsilon;    // of the guarantee
    double published;  // epsilon that the paper has
    std::vector<std::string> because;
  };
  const std::string all = "the outcomes of at most 2 played arms";
  const std::string one = "the outcome of the one recorded arm";
  // Scales of noise: K/eps = 4 or 1/eps = 2, times how many releases a round enters.
  const std::map<std::string, Expected> expected = {
      {"cucb-ldp1", {"local", 0.5, 0.5, {all, "one report", "Laplace(scale 4)"}}},
      {"cucb-ldp2", {"local", 0.5, 0.5, {one, "one report", "Laplace(scale 2)"}}},
      {"cucb-dp", {"central", 0.5, 0.5, {all, "at most 3 releases", "Laplace(scale 12)"}}},
      {"cucb-dp-weakest", {"central", 0.5, 0.5, {one, "at most 3 releases", "Laplace(scale 6)"}}},
      {"cucb-ldp-gaussian", {"local", 0.5, 0.5, {all, "one report", "Gaussian"}}},
      {"dpucb-mat", {"central", 0.5, 1, {all, "one release", "Laplace(scale 4)"}}},
      {"dpts-mat", {"central", 0.5, 1, {all, "one release", "Laplace(scale 4)"}}},
      {"lazy-kl-mat", {"central", 0.5, 0.5, {one, "one release", "Laplace(scale 2)"}}},
      {"lazy-kl-cucb", {"central", 0.5, 0.5, {one, "one release", "Laplace(scale 2)"}}},
  };
  const auto entries = by_policy({"--actions", "top:2"});
  for (const auto& [policy, e] : expected) {
    SCOPED_TRACE(policy);
    ASSERT_EQ(entries.count(policy), 1U);
    const Json& entry = entries.at(policy);
    EXPECT_EQ(entry.at("guarantee").at("notion"), e.notion);
    EXPECT_NEAR(entry.at("guarantee").at("epsilon"), e.epsilon, 1e-12);
    EXPECT_EQ(entry.at("published").at("notion"), e.notion);
    EXPECT_NEAR(entry.at("published").at("epsilon"), e.published, 1e-12);
    const double delta = policy == "cucb-ldp-gaussian" ? 1e-6 : 0;
    EXPECT_NEAR(entry.at("guarantee").at("delta"), delta, 1e-12);
    expect_because(entry, e.because);
  }
  for (const char* baseline : {"cucb", "cts-beta", "cts-gaussian", "omm", "kl-osm"}) {
    const Json& entry = entries.at(baseline);
    EXPECT_TRUE(entry.at("epsilon").is_null()) << baseline;
    EXPECT_EQ(entry.at("guarantee").at("notion"), "none") << baseline;
    EXPECT_TRUE(entry.at("guarantee").at("epsilon").is_null()) << baseline;
    expect_because(entry, {all, "its exact value"});
  }
  // A policy that is not looked at above must be written down.
  EXPECT_EQ(entries.size(), expected.size() + 5 + 2);
}

TEST(SetGuarantees, OfWhatWasPublishedWrongly) {
  const auto entries = by_policy({"--actions", "top:2"});
  // Noise for 2 log2 T releases, where a round enters 1 + log2 T at most.
  const Json& tree = entries.at("cucb-dp-as-published");
  EXPECT_EQ(tree.at("guarantee").at("notion"), "central");
  EXPECT_NEAR(tree.at("guarantee").at("epsilon"), 0.5 * 11 / 20, 1e-12);
  EXPECT_EQ(tree.at("published").at("epsilon"), 0.5);
  const Json& raw = entries.at("cucb-ldp-gaussian-as-published");
  EXPECT_EQ(raw.at("guarantee").at("notion"), "none");
  EXPECT_TRUE(raw.at("guarantee").at("epsilon").is_null());
  EXPECT_TRUE(raw.at("guarantee").at("delta").is_null());
  EXPECT_EQ(raw.at("published").at("notion"), "local");
  EXPECT_EQ(raw.at("published").at("epsilon"), 0.5);
  expect_because(raw, {"raw outcomes"});
}

TEST(SetGuarantees, DeltaIsTheOneGiven) {
  const auto entries = by_policy({"--actions", "top:2", "--delta", "1e-3"});
  for (const auto& [policy, entry] : entries) {
    SCOPED_TRACE(policy);
    if (policy == "cucb-ldp-gaussian") {
      EXPECT_NEAR(entry.at("guarantee").at("epsilon"), 0.5, 1e-12);
      EXPECT_EQ(entry.at("guarantee").at("delta"), 1e-3);
    }
    if (policy.starts_with("cucb-ldp-gaussian")) {
      EXPECT_EQ(entry.at("delta"), 1e-3);
      EXPECT_EQ(entry.at("published").at("delta"), 1e-3);
    } else {
      EXPECT_TRUE(entry.at("delta").is_null());
    }
  }
}

TEST(SetGuarantees, NoiseGrowsWithTheSizeOfASet) {
  const Files files;
  const std::string policies = "dpucb-mat,cucb-ldp1,lazy-kl-cucb";
  const Json document = document_of(
      {"simulate", "--policy", policies, "--epsilon", "0.5", "--means", "0.8,0.6,0.5,0.3",
       "--actions", "matroid:graphic:" + files.at("triangle"), "--horizon", "20", "--runs", "1"});
  ASSERT_EQ(document.size(), 3U);
  expect_because(document[0], {"at most 3 played arms", "Laplace(scale 6)"});
  expect_because(document[1], {"at most 3 played arms", "Laplace(scale 6)"});
  expect_because(document[2], {"one recorded arm", "Laplace(scale 2)"});
}

TEST(SetGuarantees, RecordSaysHowManyOutcomesAreRecorded) {
  for (const std::string policy : {"lazy-kl-mat", "lazy-kl-cucb"}) {
    for (const std::string prefix : {"", "lazy-kl-mat.", "lazy-kl-cucb."}) {
      if (!prefix.empty() && prefix != policy + ".") continue;
      const auto entry = [&](const std::string& record) {
        return document_of({"simulate", "--policy", policy, "--epsilon", "0.5", "--problem",
                            "hu-linear", "--actions", "top:2", "--horizon", "100", "--runs", "1",
                            "--param", prefix + "record=" + record})
            .at(0);
      };
      const Json all = entry("all");
      EXPECT_EQ(all.at("params").at("record"), "all");
      EXPECT_EQ(all.at("guarantee").at("epsilon"), 0.5);
      expect_because(all, {"at most 2 played arms", "Laplace(scale 4)"});
      const Json one = entry("one");
      EXPECT_EQ(one.at("params").at("record"), "one");
      EXPECT_EQ(one.at("guarantee").at("epsilon"), 0.5);
      expect_because(one, {"one recorded arm", "Laplace(scale 2)"});
    }
  }
}

TEST(SetGuarantees, AreListedAsMultiples) {
  std::map<std::string, Json> rows;
  for (const Json& row : document_of({"list"})) rows[row.at("name")] = row;
  for (const char* policy : {"dpucb-mat", "dpts-mat"}) {
    EXPECT_EQ(rows.at(policy).at("published").at("epsilon"), "2") << policy;
    EXPECT_EQ(rows.at(policy).at("checked").at("epsilon"), "1") << policy;
  }
  const std::string half = rows.at("cucb-dp-as-published").at("checked").at("epsilon");
  EXPECT_NEAR(std::stod(half), 0.5, 0.01);
  EXPECT_EQ(rows.at("cucb-dp-as-published").at("published").at("epsilon"), "1");
  const Json& raw = rows.at("cucb-ldp-gaussian-as-published");
  EXPECT_EQ(raw.at("published").at("epsilon"), "1");
  EXPECT_TRUE(raw.at("checked").at("epsilon").is_null());
  EXPECT_EQ(raw.at("checked").at("notion"), "none");
}

TEST(EnvironmentEpsilon, IsTakenBySetsAndLists) {
  const auto played = [](const char* problem, const char* policy, const Arguments& more) {
    return document_of(Arguments{"simulate", "--policy", policy, "--problem", problem, "--horizon",
                                 "200", "--runs", "3", "--environment-epsilon", "20"} +
                       more)
        .at(0);
  };
  for (const auto& [problem, policy] :
       {std::pair{"chandak-vectors", "omm"}, {"kveton", "cascade-ucb1"}, {"k-path", "cucb"}}) {
    const Json released = played(problem, policy, {});
    EXPECT_EQ(released.at("environment").at("notion"), "environment") << problem;
    EXPECT_EQ(released.at("environment").at("randomness"), "secure") << problem;
    EXPECT_FALSE(released.contains("environment_epsilon"));
    const Arguments truth{"--environment-regret", "true"};
    const Json against_truth = played(problem, policy, truth);
    EXPECT_EQ(against_truth.at("environment").at("randomness"), "simulated") << problem;
    EXPECT_EQ(against_truth.at("environment_epsilon"), 20) << problem;
    EXPECT_EQ(against_truth.at("regret"), played(problem, policy, truth).at("regret"))
        << "from the seed";
    EXPECT_NE(against_truth.at("problem"), released.at("problem")) << problem;
  }
}

}  // namespace
}  // namespace tacit::cli_test
