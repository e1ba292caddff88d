// Bad input about sets and the files that describe them: exit 2 and one line that names the option,
// the file and, where one is at fault, the line.
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

using Words = std::vector<std::string>;

Arguments play(const Arguments& what, const std::string& policy = "cucb") {
  return Arguments{"simulate",  "--policy", policy,   "--epsilon", "1",
                   "--horizon", "50",       "--runs", "1"} +
         what;
}

Arguments four_arms(const std::string& actions) {
  return {"--means", "0.8,0.6,0.5,0.3", "--actions", actions};
}

void expect_actions_refused(const std::string& actions, const Words& mentions) {
  expect_refused_either_way(play(four_arms(actions)), Words{"actions"} + mentions);
}

/// Writes the content to a file and plays FORM:FILE with what comes after it.
void expect_content_refused(const std::string& form, const std::string& content,
                            const Words& mentions, const std::string& after = "") {
  const TemporaryFolder folder;
  const std::string path = folder.file("file", content);
  SCOPED_TRACE(content);
  expect_actions_refused(form + ":" + path + after, Words{path} + mentions);
}

void expect_problem_refused(const std::string& form, const std::string& content,
                            const Words& mentions) {
  const TemporaryFolder folder;
  const std::string path = folder.file("file", content);
  SCOPED_TRACE(content);
  expect_refused_either_way(play({"--problem", form + ":" + path, "--actions", "top:1"}),
                            Words{"problem", path} + mentions);
}

TEST(BadSets, TheCommandsThatTheCasesChangeAreGood) {
  EXPECT_EQ(run_tacit(play(four_arms("top:2"))).exit, 0);
  EXPECT_EQ(run_tacit(play({"--problem", "hu-linear", "--actions", "top:1"})).exit, 0);
}

TEST(BadSets, HowManyArms) {
  for (const std::string form : {"top:", "matroid:uniform:"}) {
    for (const std::string k : {"0", "5", "-1", "1.5", "x", "nan", "99999999999999999999"}) {
      expect_actions_refused(form + k, {form + k, "'" + k + "'", "from 1 to 4"});
    }
    expect_actions_refused(form, {form, "is written " + form + "K"});
  }
}

TEST(BadSets, AnUnknownFormIsAnsweredWithTheNearest) {
  // What follows the form's name, such as a long path, must not decide.
  const std::vector<std::pair<std::string, std::string>> nearest = {
      {"top", "top:K"},
      {"Top:2", "top:K"},
      {"tpo:2", "top:K"},
      {"path:/some/where/roads.csv:a:d", "paths:FILE:SOURCE:TARGET[:undirected]"},
      {"matchings:/some/where/uniform.csv", "matching:FILE"},
      {"lists:x", "list:FILE"},
      {"covers:x:2", "cover:FILE:K"},
      {"influense:x:2", "influence:FILE:K"},
      {"matriod:graphic:x", "matroid:graphic:FILE"},
      {"matroid:linaer:/some/where/graphic.csv", "matroid:linear:FILE"},
      {"matroid:uniformly:2", "matroid:uniform:K"},
      {"graphic:x", "matroid:graphic:FILE"},
      {"laminar:x", "matroid:laminar:FILE"},
      {"matroid", "matroid:linear:FILE"},
      {"matroid:", "matroid:linear:FILE"},
      {"singel", "single"},
  };
  for (const auto& [given, form] : nearest) {
    expect_actions_refused(given, {given, "did you mean " + form + "?", "single, top:K, "});
  }
  expect_actions_refused("", {"single, top:K, ", "influence:FILE:K"});
}

TEST(BadSets, FormsThatLackAPart) {
  const TemporaryFolder folder;
  const std::string edges = folder.file("edges", "a,b\nb,c\nc,d\nd,a\n");
  for (const std::string part : {"", ":a", ":a:", "::b"}) {
    expect_actions_refused("paths:" + edges + part, {edges, "is written paths:FILE:SOURCE:TARGET"});
  }
  expect_actions_refused("paths::a:b", {"is written paths:FILE:SOURCE:TARGET"});
  for (const std::string form : {"cover", "influence"}) {
    for (const std::string part : {"", ":"}) {
      expect_actions_refused(form + ":" + edges + part, {edges, "is written " + form + ":FILE:K"});
    }
    expect_actions_refused(form + "::1", {"is written " + form + ":FILE:K"});
  }
  // One part too many, rather than a file with a colon in its name.
  expect_actions_refused("paths:" + edges + ":a:b:undirecte",
                         {"no file '" + edges + ":a'", "is written paths:FILE:SOURCE:TARGET"});
  expect_actions_refused("influence:" + edges + ":1:undirected",
                         {"no file '" + edges + ":1'", "is written influence:FILE:K"});
  for (const std::string form :
       {"matroid:linear:", "matroid:graphic:", "matroid:partition:", "matroid:transversal:",
        "matroid:laminar:", "matching:", "list:"}) {
    expect_actions_refused(form, {form, "is written " + form + "FILE"});
  }
}

TEST(BadSets, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  const std::string missing = folder.path() + "/missing";
  const std::string empty = folder.file("empty", "");
  const std::string comments = folder.file("comments", "# nothing\n\n   \n");
  const std::vector<std::pair<std::string, std::string>> forms = {{"matroid:linear:", ""},
                                                                  {"matroid:graphic:", ""},
                                                                  {"matroid:partition:", ""},
                                                                  {"matroid:laminar:", ""},
                                                                  {"matroid:transversal:", ""},
                                                                  {"matching:", ""},
                                                                  {"list:", ""},
                                                                  {"paths:", ":a:b"},
                                                                  {"cover:", ":1"},
                                                                  {"influence:", ":1"}};
  for (const auto& [form, after] : forms) {
    expect_actions_refused(form + missing + after, {missing, "no such file"});
    expect_actions_refused(form + folder.path() + after, {folder.path(), "folder"});
    expect_actions_refused(form + empty + after, {empty, "no data"});
  }
  expect_actions_refused("list:" + comments, {comments, "no data"});
  for (const std::string problem :
       {"replay:", "table:", "lengths:", "edges:", "weighted-cascade:"}) {
    const auto refused = [&](const std::string& path, const std::string& why) {
      expect_refused_either_way(play({"--problem", problem + path, "--actions", "top:1"}),
                                {"problem", path, why});
    };
    refused(missing, "no such file");
    refused(folder.path(), "folder");
    refused(empty, "no data");
    refused("", "is written " + problem + "FILE");
  }
}

TEST(BadSets, AFileThatMayNotBeRead) {
  const TemporaryFolder folder;
  const std::string path = folder.file("closed", "0,1\n2,3\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (std::ifstream(path).good()) GTEST_SKIP() << "this user may read everything";
  expect_actions_refused("list:" + path, {path, "cannot be read"});
}

TEST(BadSets, TheNumberOfArmsInAFile) {
  const Words numbers = {"3 arms", "4"};
  expect_content_refused("matroid:linear", "1,0\n0,1\n1,1\n", numbers);
  expect_content_refused("matroid:graphic", "a,b\nb,c\nc,a\n", numbers);
  expect_content_refused("matroid:partition", "x\nx\ny\n", numbers);
  expect_content_refused("matroid:transversal", "p\nq\nr\n", numbers);
  expect_content_refused("matching", "a,b\nb,c\nc,a\n", numbers);
  expect_content_refused("paths", "a,b\nb,c\nc,a\n", numbers, ":a:c");
  expect_content_refused("cover", "a,b\nb,c\nc,a\n", numbers, ":2");
  expect_content_refused("influence", "a,b\nb,c\nc,a\n", numbers, ":2");
}

TEST(BadSets, Vectors) {
  expect_content_refused("matroid:linear", "# v\n1,0\n0,1\n\n1\n0,1\n",
                         {"line 5: 1", "line 2: 2", "same number"});
  expect_content_refused("matroid:linear", "0,0\n0,0\n0.0,0\n-0,0\n", {"every row is zero"});
  for (const std::string bad :
       {"x", "1e3", "nan", "inf", "0x1", "1 2", ".-5", "-", ".", "1234567890123456789012"}) {
    expect_content_refused("matroid:linear", "1,0\n0," + bad + "\n1,1\n0,0\n",
                           {"actions = " + bad, "number", "line 2"});
  }
  expect_content_refused("matroid:linear", "1,0\n0,\n1,1\n0,0\n", {"an empty field", "line 2"});
  expect_content_refused("matroid:linear", "1,0\n123456789012345678,0.001\n1,1\n0,0\n",
                         {"too many digits", "line 2"});
}

TEST(BadSets, EdgeLists) {
  const auto refused = [](const std::string& content, const Words& mentions) {
    expect_content_refused("paths", content, mentions, ":a:b");
  };
  refused("a,b\nb\nc,d\nd,a\n", {"actions = b:", "from,to", "line 2"});
  refused("a,b\n\nb,c,1,2\n", {"b,c,1,2", "from,to,number", "line 3"});
  refused("a,b\nb,\nc,d\nd,a\n", {"an empty field", "name", "line 2"});
  refused("a,b\nb,c,1\n", {"b,c,1", "all edges", "line 2"});
  refused("a,b,1\nb,c\n", {"b,c", "all edges", "line 2"});
  refused("a,b,1\nb,c,x\n", {"actions = x", "not a number", "line 2"});
  refused("a,b,1\nb,c,-2\n", {"actions = -2", ">= 0", "line 2"});
  refused("from,to\n", {"no edge"});
  const std::vector<std::pair<std::string, std::string>> others = {
      {"matroid:graphic", ""}, {"matching", ""}, {"cover", ":1"}, {"influence", ":1"}};
  for (const auto& [form, after] : others) {
    expect_content_refused(form, "a,b\nb\nc,d\nd,a\n", {"actions = b:", "from,to", "line 2"},
                           after);
    expect_content_refused(form, "a,b,1\nb,c,x\n", {"actions = x", "not a number", "line 2"},
                           after);
  }
  expect_content_refused("matroid:graphic", "a,a\nb,b\nc,c\nd,d\n",
                         {"every edge leads from a node to itself"});
}

TEST(BadSets, ALongRowStillLeavesRoomForTheLine) {
  std::string row = "a";
  for (int i = 0; i < 1000; ++i) row += ",node" + std::to_string(i);
  expect_content_refused("matching", "a,b\n" + row + "\n", {"a,node0,", "line 2"});
}

TEST(BadSets, Blocks) {
  expect_content_refused("matroid:partition", "x,1\ny,1\nx,2\ny,1\n",
                         {"actions = x", "2 of this block", "1 on line 1", "line 3"});
  expect_content_refused("matroid:partition", "x,2\ny,1\nx\ny,1\n", {"2 on line 1", "line 3"});
  for (const std::string bad : {"1.5", "-1", "q", "nan", "1e30", "3000000000"}) {
    expect_content_refused("matroid:partition", "x,1\nx,1\ny," + bad + "\ny,1\n",
                           {"actions = " + bad, "whole number from 0", "line 3"});
  }
  expect_content_refused("matroid:partition", "x,\nx,1\ny\ny\n", {"an empty field", "line 1"});
  expect_content_refused("matroid:partition", ",1\nx,1\ny\ny\n", {"its block", "line 1"});
  expect_content_refused("matroid:partition", "x,1,1\nx,1\ny\ny\n", {"x,1,1", "line 1"});
  expect_content_refused("matroid:partition", "x,0\nx,0\ny,0\ny,0\n", {"no arm may be played"});
}

TEST(BadSets, Slots) {
  expect_content_refused("matroid:transversal", "p\np,,q\nq\nr\n", {"an empty field", "line 2"});
}

TEST(BadSets, NestedSets) {
  expect_content_refused("matroid:laminar", "1,0,2\n# crosses\n\n1,2,3\n",
                         {"actions = 1,2,3", "crosses the set of line 1", "line 4"});
  expect_content_refused("matroid:laminar", "3,0,1,2\n2,1,2,3\n1,1,2\n",
                         {"crosses the set of line 1", "line 2"});
  expect_content_refused("matroid:laminar", "1,0,7\n", {"actions = 7", "0 to 3", "line 1"});
  expect_content_refused("matroid:laminar", "1,0,1\n1,2,2\n", {"actions = 2", "once", "line 2"});
  expect_content_refused("matroid:laminar", "1,0,1\n1\n", {"capacity,arm", "line 2"});
  expect_content_refused("matroid:laminar", "1,0,x\n", {"actions = x", "arm", "line 1"});
  for (const std::string bad : {"-1", "1.5", "many"}) {
    expect_content_refused("matroid:laminar", bad + ",0,1\n",
                           {"actions = " + bad, "whole number from 0", "line 1"});
  }
  expect_content_refused("matroid:laminar", "0,0,1,2,3\n", {"no arm may be played"});
}

TEST(BadSets, Paths) {
  const TemporaryFolder folder;
  const std::string path =
      folder.file("roads", "alpha,beta\nbeta,gamma\ndelta,omega\nomega,delta\n");
  const auto refused = [&](const std::string& ends, const Words& mentions) {
    expect_actions_refused("paths:" + path + ends, Words{path} + mentions);
  };
  refused(":alpha:omega", {"no path", "'alpha'", "'omega'"});
  refused(":alpha:omega:undirected", {"no path", "'alpha'", "'omega'"});
  refused(":gamma:alpha", {"no path", "'gamma'", "'alpha'", ":undirected"});
  EXPECT_EQ(run_tacit(play(four_arms("paths:" + path + ":gamma:alpha:undirected"))).exit, 0);
  refused(":alpha:alpha", {"source and target are both 'alpha'"});
  refused(":alpah:gamma", {"'alpah'", "did you mean alpha?"});
  refused(":alpha:game", {"'game'", "did you mean gamma?"});
  // Only what can help is offered.
  const Result apart = run_tacit(play(four_arms("paths:" + path + ":alpha:omega")));
  EXPECT_EQ(apart.err.find(":undirected"), std::string::npos) << apart.err;
}

TEST(BadSets, Lists) {
  expect_content_refused("list", "0,1\n1,4\n", {"actions = 4", "0 to 3", "line 2"});
  expect_content_refused("list", "0,1\n2,3,2\n", {"actions = 2", "once", "line 2"});
  expect_content_refused("list", "0,1\n\n# again\n1,0\n",
                         {"actions = 1,0", "set of line 1", "line 4"});
  for (const std::string bad : {"x", "-1", "1.0", "99999999999"}) {
    expect_content_refused("list", "0,1\n2," + bad + "\n",
                           {"actions = " + bad, "not an arm", "line 2"});
  }
  expect_content_refused("list", "0,1\n2,\n", {"an empty field", "not an arm", "line 2"});
  expect_content_refused("neighbours", "0,1\n1,2\n2\n", {"has 3 rows", "4 arms"});
  expect_content_refused("neighbours", "0,1\n1,2\n3\n3,0\n",
                         {"actions = 3", "row of arm 2", "line 3"});
  expect_content_refused("neighbours", "0,1\n1,2\n2,3\n3,2\n",
                         {"actions = 3,2", "the set of line 3", "line 4"});
  expect_content_refused("neighbours", "0,4\n1\n2\n3\n", {"actions = 4", "0 to 3", "line 1"});
}

TEST(BadSets, CoverAndInfluence) {
  for (const std::string k : {"3", "0", "-1", "1.5", "x"}) {
    expect_content_refused("cover", "s1,i1\ns1,i2\ns2,i2\ns2,i3\n",
                           {"'" + k + "'", "from 1 to 2", "sets"}, ":" + k);
  }
  expect_content_refused("cover", "s1,i1\ns1,i2\ns2,i2\ns1,i1\n",
                         {"actions = s1,i1", "edge of line 1", "line 4"}, ":1");
  // d leads nowhere: four nodes, three seeds.
  for (const std::string k : {"5", "4", "0", "-1", "1.5", "x"}) {
    expect_content_refused("influence", "a,b\nb,c\na,c\nc,d\n",
                           {"'" + k + "'", "from 1 to 3", "nodes"}, ":" + k);
  }
  expect_content_refused("influence", "a,a\na,a\na,a\na,a\n", {"one node"}, ":1");
}

TEST(BadSets, OutcomesInFiles) {
  expect_problem_refused("replay", "1,0\n0,1\n1\n", {"line 3: 1", "line 1: 2", "same number"});
  expect_problem_refused("replay", "1,0\n0,0.5\n", {"problem = 0.5", "0 or 1", "line 2"});
  expect_problem_refused("replay", "1,0\n0,\n", {"an empty field", "0 or 1", "line 2"});
  expect_problem_refused("table", "0.1,0.2\n\n0.1\n", {"line 3: 1", "line 1: 2", "same number"});
  expect_problem_refused("table", "0.1,0.2\n0.1,1.5\n", {"problem = 1.5", "[0, 1]", "line 2"});
  expect_problem_refused("table", "0.1,0.2\n0.1,x\n", {"problem = x", "not a number", "line 2"});
}

TEST(BadSets, NumbersOfEdges) {
  for (const std::string problem : {"lengths", "edges"}) {
    expect_problem_refused(problem, "a,b,0.5\nb,c,-1\n", {"problem = -1", ">= 0", "line 2"});
    expect_problem_refused(problem, "a,b,0.5\nb,c,inf\n", {"problem = inf", "finite", "line 2"});
    expect_problem_refused(problem, "a,b,0.5\nb,c,nan\n", {"problem = nan", "finite", "line 2"});
    expect_problem_refused(problem, "a,b,0.5\nb,c,far\n", {"problem = far", "number", "line 2"});
    expect_problem_refused(problem, "a,b,0.5\nb,c,\n", {"an empty field", "number", "line 2"});
    expect_problem_refused(problem, "a,b\nb,c\n", {"third column"});
    expect_problem_refused(problem, "a,b,0.5\nb,c\n", {"b,c", "all edges", "line 2"});
    expect_problem_refused(problem, "from,to\n", {"no edge"});
  }
  expect_problem_refused("edges", "from,to,mean\n# two\na,b,0.5\nb,c,1.5\n",
                         {"problem = 1.5", "[0, 1]", "line 4"});
  expect_problem_refused("weighted-cascade", "a,b\nb\n", {"problem = b", "from,to", "line 2"});
}

TEST(BadSets, NumbersOfNamedProblems) {
  const std::vector<std::pair<std::string, Words>> problems = {
      {"k-path:20", {"must be 3 or 4"}},
      {"k-path:20:4:0.4:1:1", {"must be 3 or 4"}},
      {"k-path:20:4:0.4:0", {"B = 0"}},
      {"k-path:20:4:9:2", {"gap = 9", "(0, 2.8)"}},
      {"k-path:x:4:0.4", {"x: must be a number"}},
      {"k-path:20.5:4:0.4", {"20.5", "integer"}},
      {"k-path:20:3:0.4", {"multiple of k = 3"}},
      {"k-path:20:0:0.4", {"k = 0"}},
      {"k-path:20:4:9", {"gap = 9", "(0, 1.4)"}},
      {"k-path:", {"k-path[:ARMS:K:GAP[:B]]"}},
      {"public-arms:3:2:0.1", {"arms = 3", ">= 4"}},
      {"equal-gaps:1:0.1", {"arms = 1"}},
      {"doubling-gaps:30:0.1", {"0.1", "at most"}},
      {"open-bandit:mne", {"mne", "all, men or women"}},
      {"chandak-vectors:7", {"is written chandak-vectors"}},
      {"chandak", {"did you mean chandak-vectors?"}},
  };
  for (const auto& [problem, mentions] : problems) {
    expect_refused_either_way(play({"--problem", problem}),
                              Words{"problem = " + problem} + mentions);
  }
}

TEST(BadSets, APolicyThatPlaysSingleArms) {
  const TemporaryFolder folder;
  const std::string path = folder.file("list", "0,1\n2,3\n");
  for (const std::string& actions : {std::string("top:2"), "list:" + path}) {
    for (const std::string policies : {"ucb1", "cucb,ucb1", "anytime-lazy-ucb", "ftl"}) {
      const std::string single = policies == "cucb,ucb1" ? "ucb1" : policies;
      expect_refused_either_way(play(four_arms(actions), policies),
                                {"actions = " + actions + ":", single, "single arm", "semi"});
    }
  }
  // Nobody gave --actions here.
  for (const std::string problem : {"chandak-vectors", "k-path:8:2:0.2"}) {
    expect_refused_either_way(play({"--problem", problem}, "ucb1"),
                              {"problem = " + problem + ":", "ucb1", "single arm", "semi"});
  }
}

TEST(BadSets, APolicyForMatroids) {
  const TemporaryFolder folder;
  const std::string edges = folder.file("edges", "a,b\nb,d\na,c\nc,d\n");
  const std::string list = folder.file("list", "0,1\n2,3\n");
  for (const std::string& actions : {"paths:" + edges + ":a:d", "matching:" + edges, "list:" + list,
                                     "cover:" + edges + ":1", "influence:" + edges + ":1"}) {
    expect_refused_either_way(
        play(four_arms(actions), "lazy-kl-mat"),
        {"actions = " + actions + ":", "lazy-kl-mat needs a matroid or top:K", "lazy-kl-cucb"});
  }
  expect_refused_either_way(play({"--problem", "k-path"}, "lazy-kl-mat"),
                            {"problem = k-path:", "lazy-kl-mat needs a matroid or top:K"});
}

TEST(BadSets, ActionsForAProblemThatHasItsOwn) {
  for (const std::string problem : {"chandak-vectors", "k-path", "public-arms"}) {
    for (const std::string actions : {"top:2", "single", "nonsense"}) {
      expect_refused_either_way(play({"--problem", problem, "--actions", actions}),
                                {"actions = " + actions, problem + " has its own", "leave it out"});
    }
  }
}

TEST(BadSets, FeedbackThatIsNotThePolicys) {
  const Arguments pairs = {"--problem", "hu-linear", "--actions", "top:2", "--feedback"};
  for (const std::string feedback : {"bandit", "full"}) {
    expect_refused_either_way(play(pairs + Arguments{feedback}),
                              {"feedback = " + feedback, "cucb needs feedback semi"});
  }
  expect_refused_either_way(play(pairs + Arguments{"smei"}), {"feedback = smei", "semi"});
  expect_refused_either_way(play({"--problem", "hu-linear", "--feedback", "semi"}, "ucb1"),
                            {"feedback = semi", "ucb1 needs feedback bandit"});
  EXPECT_EQ(run_tacit(play(pairs + Arguments{"semi"})).exit, 0);
}

TEST(BadSets, Parameters) {
  const auto with = [](const std::string& policy, const std::string& param) {
    return play({"--problem", "hu-linear", "--actions", "top:2", "--param", param}, policy);
  };
  for (const std::string policy : {"lazy-kl-mat", "lazy-kl-cucb"}) {
    expect_refused_either_way(with(policy, "record=two"), {"record = two", "one, all", policy});
    expect_refused_either_way(with(policy, "recrod=all"), {"recrod", "did you mean record?"});
  }
  expect_refused_either_way(with("cucb", "record=all"), {"record", "no parameters"});
  for (const std::string delta : {"0", "1", "-1", "x"}) {
    expect_refused_either_way(
        play({"--problem", "hu-linear", "--actions", "top:2", "--delta", delta},
             "cucb-ldp-gaussian"),
        {"delta = " + delta});
  }
}

TEST(BadSets, MovieLens) {
  const TemporaryFolder folder;
  const std::string path = folder.path();
  const auto refused = [&](const std::string& at, const Words& mentions) {
    expect_refused_either_way(play({"--problem", "movielens:" + at}),
                              Words{"problem = movielens:" + at} + mentions);
  };
  const std::string ratings = path + "/ratings.dat";
  const std::string movies = path + "/movies.dat";
  refused("", {"is written movielens:FOLDER"});
  refused(path + "/missing", {path + "/missing/ratings.dat", "cannot be read", "grouplens.org"});
  refused(path, {ratings, "cannot be read", "grouplens.org"});

  const std::string wanted = "UserID::MovieID::Rating::Timestamp";
  for (const std::string bad : {"1::x::3::4", "1::2::3", "1,2,3,4", "", "1::2::3::4::5"}) {
    folder.file("ratings.dat", "1::1::3::4\n" + bad + "\n");
    refused(path, {ratings + ":2", wanted});
  }
  folder.file("ratings.dat", "1::1::3::4\n1::2::6::4\n");
  refused(path, {ratings + ":2", "1..5"});
  folder.file("ratings.dat", "1::1::3::4\n2::1::3::4\n1::1::5::4\n");
  refused(path, {ratings + ":3", "line 1"});

  folder.file("ratings.dat", "1::1::3::4\n");
  refused(path, {movies, "cannot be read"});
  for (const std::string bad : {"2::Title (1999)", "x::Title (1999)::Drama", "", "2::::Drama"}) {
    folder.file("movies.dat", "1::Title (1998)::Drama\n" + bad + "\n");
    refused(path, {movies + ":2", "MovieID::Title (Year)::Genre"});
  }
  folder.file("movies.dat", "1::Title (1998)::Drama|Opera\n");
  refused(path, {movies + ":1", "Opera"});
  folder.file("movies.dat", "1::Title (1998)::Drama\n");
  refused(path, {"movies played = 100", "at most 1", ratings});
}

}  // namespace
}  // namespace tacit::cli_test
