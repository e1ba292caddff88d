// `tacit run`, `merge` and `export`: the same bytes however the work was cut up, and one clear line
// for everything that cannot be done.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

/// Some seconds of work in blocks of a few milliseconds.
constexpr const char* kExperiment = R"(
title = "cut into pieces"
horizon = 4000
runs = 80
checkpoints = "log:10"
epsilon = [0.5, 2]

[[problem]]
name = "hu-linear"

[[problem]]
name = "equal-gaps:{arms}:0.2"
with = { arms = [2, 20] }

[[policy]]
name = ["ucb1", "anytime-lazy-ucb", "ldp-ucb-bits", "dp-ucb-tree"]
)";

std::string exported(const std::string& folder, const std::string& form = "--csv") {
  const Result result = run_tacit({"export", folder, form});
  EXPECT_EQ(result.exit, 0) << result.err;
  EXPECT_EQ(result.err, "") << "incomplete";
  return result.out;
}

/// The exit code of a shell command; -1 when a signal ended it.
int shell(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class RunCommand : public testing::Test {
 protected:
  std::string in(const std::string& name) const { return folder_.path() + "/" + name; }
  Result run(const std::string& output, const Arguments& more = {}) const {
    return run_tacit(Arguments{"run", experiment_, "-o", in(output)} + more);
  }
  std::string whole() const {
    EXPECT_EQ(run("whole").exit, 0);
    return exported(in("whole"));
  }

  TemporaryFolder folder_;
  std::string experiment_ = folder_.file("pieces.toml", kExperiment);
};

TEST_F(RunCommand, GoesOnAfterBeingKilledTwentyTimes) {
  const std::string expected = whole();
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    // From before the first block to well within the work.
    const int milliseconds = 3 + 37 * i % 61;
    const int code = shell("timeout -s KILL 0." +
                           std::string(milliseconds < 10    ? "00"
                                       : milliseconds < 100 ? "0"
                                                            : "") +
                           std::to_string(milliseconds) + " " TACIT_PROGRAM " run " + experiment_ +
                           " -o " + in("killed") + " 2>/dev/null");
    killed += code == 137 ? 1 : 0;
  }
  EXPECT_GE(killed, 5) << "the work is too short to be interrupted";
  EXPECT_EQ(run("killed").exit, 0);
  EXPECT_EQ(exported(in("killed")), expected);
}

TEST_F(RunCommand, FinishesWhatIsInFlightWhenASignalComesTwiceAtOnceAndEndsAtASecondOne) {
  // Blocks that take a minute, so that nothing but a signal ends it. Two of one kind at once would be one.
  const std::string slow = folder_.file("slow.toml", R"(
title = "slow"
horizon = 1000000000
runs = 1
checkpoints = "log:10"

[[problem]]
name = "hu-linear"

[[policy]]
name = "ucb1"
)");
  const std::string log = in("signals.log");
  const int code = shell(TACIT_PROGRAM " run " + slow + " -o " + in("signals") + " 2>" + log +
                         " & pid=$!; until grep -q configuration " + log +
                         "; do sleep 0.05; done; kill -INT $pid; kill -TERM $pid; sleep 0.1; "
                         "grep -qE '(running|sleeping)' /proc/$pid/status || exit 99; "
                         "sleep 0.4; kill -INT $pid; wait $pid");
  EXPECT_EQ(code, 130) << "99: it ended at once; else not at the second signal of a user";
}

TEST_F(RunCommand, GivesTheSameBytesForThreadsShardsAndRanks) {
  const std::string expected = whole();
  EXPECT_EQ(run("one", {"--threads", "1"}).exit, 0);
  EXPECT_EQ(exported(in("one")), expected);

  Arguments parts{"merge"};
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string part = "part" + std::string(1, shard[0]);
    EXPECT_EQ(run(part, {"--shard", shard}).exit, 0);
    parts.push_back(in(part));
  }
  EXPECT_EQ(run_tacit(parts + Arguments{"-o", in("merged")}).exit, 0);
  EXPECT_EQ(exported(in("merged")), expected);
  EXPECT_EQ(exported(in("merged"), "--json"), exported(in("whole"), "--json"));

  if (shell("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "no mpirun here";
  // Open MPI leaves memory behind when it ends, which is not for a sanitizer of ours to say.
  const std::string mpirun =
      "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "mpirun --oversubscribe -np 2 "
      "--mca btl self,vader --mca oob_tcp_if_include lo --mca plm isolated ";
  EXPECT_EQ(shell(mpirun + TACIT_PROGRAM " run " + experiment_ + " -o " + in("ranks") + " 2>" +
                  in("ranks.log")),
            0);
  EXPECT_EQ(exported(in("ranks")), expected);
  EXPECT_NE(shell(mpirun + TACIT_PROGRAM " run " + experiment_ + " --threads 2 -o " + in("ranks2") +
                  " >" + in("ranks.log") + " 2>&1"),
            0);
  EXPECT_EQ(shell("grep -c 'tacit: threads = 2' " + in("ranks.log") + " | grep -qx 1"), 0)
      << "one line, by the first rank";
}

TEST_F(RunCommand, IsQuietAndSaysWhatItDoes) {
  const Result first = run("quiet", {"--shard", "1/40"});
  EXPECT_EQ(first.exit, 0);
  EXPECT_EQ(first.out, "");
  EXPECT_EQ(std::count(first.err.begin(), first.err.end(), '\n'), 2) << first.err;
  const Result again = run("quiet", {"--shard", "1/40"});
  EXPECT_NE(again.err.find("nothing was left to do"), std::string::npos) << again.err;
  const Result unfinished = run_tacit({"export", in("quiet")});
  EXPECT_EQ(unfinished.exit, 0);
  EXPECT_NE(unfinished.err.find("runs so far"), std::string::npos) << unfinished.err;
}

TEST_F(RunCommand, ExportsWhatSimulatePrints) {
  const std::string small =
      folder_.file("small.toml",
                   "horizon = 1e4\nruns = 20\n[[problem]]\nname = \"hu-equal\"\n[[policy]]\nname = "
                   "\"dp-se\"\nepsilon = 1\n");
  ASSERT_EQ(run_tacit({"run", small, "-o", in("small")}).exit, 0);
  const Json ours = Json::parse(exported(in("small"), "--json")).at(0);
  const Json theirs =
      Json::parse(run_tacit({"simulate", "--policy", "dp-se", "--epsilon", "1", "--problem",
                             "hu-equal", "--horizon", "1e4", "--runs", "20", "--json"})
                      .out)
          .at(0);
  for (const char* key : {"policy", "epsilon", "guarantee", "published", "params", "regret",
                          "pulls", "curve", "benchmark", "runs", "seed", "horizon", "decisions"}) {
    EXPECT_EQ(ours.at(key), theirs.at(key)) << key;
  }
}

TEST_F(RunCommand, RefusesWhatItCannotRun) {
  const auto refused = [&](const std::string& text, const std::vector<std::string>& mentions) {
    expect_refused({"run", folder_.file("bad.toml", text), "-o", in("bad")}, mentions);
    EXPECT_FALSE(std::filesystem::exists(in("bad"))) << "nothing is made before all is right";
  };
  const std::string good = kExperiment;
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  refused(changed("runs = 80", "run = 80"), {"run: unknown", "did you mean runs?", "line 4"});
  refused(changed("horizon = 4000", "horizon = 0.5"), {"horizon = 0.5", "integer", "line 3"});
  refused(changed("horizon = 4000", "horizon = [1, 2]"), {"horizon = a list", "line 3"});
  refused(changed("[0.5, 2]", "[-1]"), {"epsilon = -1", "line 6"});
  refused(changed("hu-linear", "hu-liner"), {"hu-liner", "hu-linear", "line 9"});
  refused(changed("hu-linear", "k-path"),
          {"problem = k-path", "ucb1 plays a single arm", "line 9"});
  refused(changed("log:10", "lag:10"), {"checkpoints = lag:10", "line 5"});
  refused(changed("title = ", "title "), {"line 2"});
  expect_refused({"run", in("nowhere.toml")}, {"nowhere.toml", "cannot be read"});
  expect_refused({"run", folder_.path()}, {"cannot be read"});
  expect_refused({"run", experiment_, "--shard", "4/3"}, {"shard = 4/3", "2/3"});
  expect_refused({"run", experiment_, "--shard", "2"}, {"shard = 2"});
  expect_refused({"run"}, {"experiment"});
}

TEST_F(RunCommand, OverwritesNothing) {
  ASSERT_EQ(run("mine", {"--shard", "1/40"}).exit, 0);
  const std::string before = run_tacit({"export", in("mine")}).out;
  const std::string other = folder_.file(
      "other.toml",
      "horizon = 10\nruns = 1\n[[problem]]\nname = \"hu-equal\"\n[[policy]]\nname = \"ucb1\"\n");
  expect_refused({"run", other, "-o", in("mine")}, {"another experiment", "cut into pieces"});
  ASSERT_EQ(run_tacit({"run", other, "-o", in("other")}).exit, 0);
  expect_refused({"merge", in("mine"), in("other"), "-o", in("both")}, {"another experiment"});
  EXPECT_FALSE(std::filesystem::exists(in("both")));
  expect_refused({"merge", in("mine"), "-o", in("other")}, {"another experiment"});
  EXPECT_EQ(run_tacit({"export", in("mine")}).out, before);

  expect_refused({"export", in("nowhere")}, {"holds no results.sqlite"});
  std::filesystem::create_directory(in("text"));
  folder_.file("text/results.sqlite",
               "not a database, but longer than its header would be, at all");
  expect_refused({"export", in("text")}, {"is no file of tacit's, or a damaged one"});
  expect_refused({"run", experiment_, "-o", in("text")},
                 {"is no file of tacit's, or a damaged one"});
  expect_refused({"run", experiment_, "-o", experiment_}, {"pieces.toml"});
  expect_refused({"run", experiment_, "-o", "/proc/tacit"}, {"/proc/tacit: cannot be made"});
  expect_refused({"export", in("mine"), "-o", in("no/where.csv")}, {"output", "cannot be written"});
}

TEST_F(RunCommand, KeepsWhatItHasWhenTheDiskIsFull) {
  // A limit on the size of files stands for the full disk: the write fails just so.
  const std::string command = TACIT_PROGRAM " run " + experiment_ + " -o " + in("full");
  EXPECT_EQ(
      shell("bash -c 'trap \"\" XFSZ; ulimit -f 200; " + command + " 2>" + in("full.log") + "'"),
      1);
  EXPECT_EQ(shell("tail -n 1 " + in("full.log") + " | grep -q 'results.sqlite: '"), 0);
  EXPECT_EQ(run_tacit({"export", in("full")}).exit, 0);
  EXPECT_EQ(run("full").exit, 0);
  EXPECT_EQ(exported(in("full")), whole());
}

}  // namespace
}  // namespace tacit::cli_test
