#include "tacit/lab/results.hpp"

#include <atomic>
#include <filesystem>
#include <memory>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/curves.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/checkpoints.hpp"

namespace tacit::lab {
namespace {

class Folder {
 public:
  Folder() {
    static int made = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("tacit_results_" + std::to_string(getpid()) + "_" + std::to_string(made++));
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

MadeRequest make(const Configuration& c) {
  simulation::Request r;
  r.policy = c.policy;
  if (c.epsilon) r.epsilon = std::stod(*c.epsilon);
  r.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.7, 0.5, 0.3},
                                                          problems::Rewards::kBernoulli);
  r.horizon = std::stol(c.horizon);
  r.runs = std::stol(c.runs);
  r.seed = std::stoul(c.seed);
  r.checkpoints = simulation::parse_checkpoints("log:5", r.horizon);
  return {r, "single"};
}

Plan plan(const std::string& policies, int runs, int seed = 1) {
  return make_plan(
      read_experiment("title = \"three arms\"\nhorizon = 500\nruns = " + std::to_string(runs) +
                          "\nseed = " + std::to_string(seed) +
                          "\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\nname = " + policies +
                          "\nepsilon = [0.5, 1]\n",
                      "f"),
      make);
}

constexpr const char* kTwo = "[\"ucb1\", \"anytime-lazy-ucb\"]";

std::string exported(const std::filesystem::path& folder) {
  return to_csv(curves_of(Results::read(folder)));
}

std::string whole(const Plan& p) {
  const Folder folder;
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
  }
  return exported(folder.path());
}

std::string refusal(const std::filesystem::path& folder, const Plan& p) {
  try {
    Results::write(folder, contents_of(p));
  } catch (const UnusableResults& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Blocks, CoverEveryRunOnceAndStaySmall) {
  for (const std::int64_t runs : {1, 2, 63, 64, 65, 100, 1000, 12345}) {
    std::int64_t next = 0;
    for (const Block& block : blocks_of(runs)) {
      EXPECT_EQ(block.first, next);
      EXPECT_GE(block.runs, 1);
      EXPECT_LE(block.runs, std::max<std::int64_t>(1, block.first / 32));
      next += block.runs;
    }
    EXPECT_EQ(next, runs);
  }
  EXPECT_LT(blocks_of(100000000).size(), 1000U);
}

TEST(Blocks, MoreRunsKeepTheBlocksOfFewer) {
  const auto fewer = blocks_of(1000);
  const auto more = blocks_of(5000);
  for (std::size_t i = 0; i + 1 < fewer.size(); ++i) EXPECT_EQ(fewer[i], more[i]);
}

TEST(Blocks, SurviveTheWayThroughBytes) {
  const BlockResult result{
      .block = {3, 2}, .regrets = {1.5, -0.25}, .pulls = {4}, .decisions = 7, .cpu_seconds = 0.5};
  const BlockResult back = from_bytes(to_bytes(result));
  EXPECT_EQ(back.block, result.block);
  EXPECT_EQ(back.regrets, result.regrets);
  EXPECT_EQ(back.pulls, result.pulls);
  EXPECT_EQ(back.decisions, 7);
  EXPECT_EQ(back.cpu_seconds, 0.5);
  EXPECT_THROW(from_bytes(to_bytes(result).substr(0, 50)), std::runtime_error);
}

TEST(Results, AgreeWithSimulate) {
  const Plan p = plan(kTwo, 90);
  const Folder folder;
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {.threads = 2});
  }
  const auto curves = curves_of(Results::read(folder.path()));
  ASSERT_EQ(curves.size(), 3U);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const simulation::Summary s = simulation::simulate(p.tasks[i].request);
    EXPECT_EQ(curves[i].measured.curve.back().mean(), s.curve.back().mean());
    EXPECT_EQ(curves[i].measured.final_regrets, s.final_regrets);
    EXPECT_EQ(curves[i].measured.mean_pulls, s.mean_pulls);
    EXPECT_EQ(curves[i].measured.decisions, s.decisions);
    EXPECT_EQ(curves[i].benchmark.value, 0.7);
  }
}

TEST(Results, AreTheSameAfterStopsAndForAnyNumberOfThreads) {
  const Plan p = plan(kTwo, 90);
  const Folder folder;
  int sittings = 0;
  for (bool done = false; !done; ++sittings) {
    Results results = Results::write(folder.path(), contents_of(p));
    std::atomic<bool> stop{false};
    std::int64_t seen = 0;
    RunOptions options{.threads = 1 + sittings % 2, .stop = &stop};
    options.report = [&](const Progress&) { stop = ++seen > 20; };
    const Progress progress = run(p, results, options);
    done = progress.done == progress.total;
  }
  EXPECT_GT(sittings, 3);
  EXPECT_EQ(exported(folder.path()), whole(p));
}

TEST(Results, OfShardsMakeTheWhole) {
  const Plan p = plan(kTwo, 90);
  const Folder all;
  for (int i = 1; i <= 3; ++i) {
    const Folder part;
    {
      Results results = Results::write(part.path(), contents_of(p));
      const Progress progress = run(p, results, {.shard = {i, 3}});
      EXPECT_EQ(progress.done, progress.total);
    }
    Results::write(all.path(), contents_of(p)).merge(Results::read(part.path()));
    const Completeness have = completeness_of(Results::read(all.path()));
    EXPECT_EQ(have.runs == have.wanted, i == 3);
  }
  EXPECT_EQ(exported(all.path()), whole(p));
}

TEST(Results, OfAnotherVersionAreNotMerged) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  Results::write(other.path(), contents_of(p));
  Database((other.path() / Results::kFile).string(), Database::Access::kWrite)
      .execute("UPDATE manifest SET value = '9.9.9' WHERE key = 'tacit'");
  Results whole = Results::write(one.path(), contents_of(p));
  EXPECT_THROW(whole.merge(Results::read(other.path())), UnusableResults);
}

TEST(Results, KnowWhoWorkedOnThemWhenMerged) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  {
    Results part = Results::write(other.path(), contents_of(p));
    part.end(part.begin({.command = "run, shard 1/2", .threads = 3}), 7);
  }
  {
    Results whole = Results::write(one.path(), contents_of(p));
    whole.merge(Results::read(other.path()));
    whole.merge(Results::read(other.path()));
  }
  const Database file((one.path() / Results::kFile).string(), Database::Access::kRead);
  EXPECT_EQ(file.number("SELECT count(*) FROM sitting"), 1);
  EXPECT_EQ(file.number("SELECT blocks FROM sitting WHERE threads = 3"), 7);
}

TEST(Results, GrowWithTheExperiment) {
  const Folder folder;
  const Plan small = plan("\"ucb1\"", 70);
  {
    Results results = Results::write(folder.path(), contents_of(small));
    run(small, results, {});
  }
  const Plan large = plan(kTwo, 200);
  Results results = Results::write(folder.path(), contents_of(large));
  const Progress progress = run(large, results, {});
  EXPECT_GE(progress.found, 66) << "what was there is kept";
  EXPECT_EQ(to_csv(curves_of(results)), whole(large));
}

TEST(Results, OfAnotherExperimentAreLeftAlone) {
  const Folder folder;
  const Plan p = plan(kTwo, 5);
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
  }
  const std::string before = exported(folder.path());
  EXPECT_NE(refusal(folder.path(), plan("\"ucb1\"", 5)).find("holds another experiment"),
            std::string::npos);
  EXPECT_NE(refusal(folder.path(), plan(kTwo, 5, 2)).find("\"three arms\""), std::string::npos);
  EXPECT_EQ(exported(folder.path()), before);
}

TEST(Results, OfANewerSchemaAnotherVersionOrNoneOfOursAreRefused) {
  const Folder folder;
  const Plan p = plan(kTwo, 2);
  Results::write(folder.path(), contents_of(p));
  const std::string file = (folder.path() / Results::kFile).string();
  const auto change = [&](const std::string& sql) {
    Database(file, Database::Access::kWrite).execute(sql);
  };
  change("PRAGMA user_version = 2");
  EXPECT_NE(refusal(folder.path(), p).find("schema 2"), std::string::npos);
  EXPECT_THROW(Results::read(folder.path()), UnusableResults);
  change("PRAGMA user_version = 1; UPDATE manifest SET value = '9.9.9' WHERE key = 'tacit'");
  EXPECT_NE(refusal(folder.path(), p).find("9.9.9"), std::string::npos);
  EXPECT_NO_THROW(Results::read(folder.path()));
  change("PRAGMA application_id = 1");
  EXPECT_NE(refusal(folder.path(), p).find("no results file"), std::string::npos);
}

TEST(Results, HaveOneWriterAtATimeAndReadersMeanwhile) {
  const Folder folder;
  const Plan p = plan(kTwo, 2);
  {
    Results first = Results::write(folder.path(), contents_of(p));
    EXPECT_NE(refusal(folder.path(), p).find("another tacit is writing"), std::string::npos);
    run(p, first, {});
    EXPECT_EQ(exported(folder.path()), to_csv(curves_of(first)));
  }
  EXPECT_EQ(refusal(folder.path(), p), "accepted");
}

TEST(Results, ThatDisagreeAreNotMerged) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  for (const Folder* folder : {&one, &other}) {
    Results results = Results::write(folder->path(), contents_of(p));
    run(p, results, {});
  }
  Database((other.path() / Results::kFile).string(), Database::Access::kWrite)
      .execute("UPDATE block SET pulls = zeroblob(24) WHERE first_run = 1");
  Results whole = Results::write(one.path(), contents_of(p));
  EXPECT_THROW(whole.merge(Results::read(other.path())), UnusableResults);
}

TEST(Plan, FingerprintsTellApartWhatHasOtherResults) {
  const Plan one = plan(kTwo, 5);
  EXPECT_EQ(one.tasks[0].fingerprint, plan(kTwo, 9).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[0].fingerprint, plan(kTwo, 5, 2).tasks[0].fingerprint);
  EXPECT_NE(one.tasks[1].fingerprint, one.tasks[2].fingerprint);
}

TEST(Plan, RefusesTheSameTwice) { EXPECT_THROW(plan("[\"ucb1\", \"ucb1\"]", 5), InvalidParameter); }

}  // namespace
}  // namespace tacit::lab
