#include "tacit/lab/results.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tacit/lab/completeness.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/lab/small_plans_test.hpp"

namespace tacit::lab {
namespace {

/// What was played and what it came to, but for the time that it took.
std::string bytes_of(const Results& results) {
  std::string bytes;
  for (const StoredConfiguration& c : results.contents().configurations) {
    bytes += to_text(c.document);
    for (const Block& block : unbroken_blocks(results, c)) {
      BlockResult result = results.block(c.fingerprint, block);
      result.cpu_seconds = 0;
      bytes += to_bytes(result);
    }
  }
  return bytes;
}

/// Played in one go.
std::string whole(const Plan& p) {
  const Folder folder;
  Results results = Results::write(folder.path(), contents_of(p));
  run(p, results, {});
  return bytes_of(results);
}

double benchmark_of(const Results& results) {
  return results.contents().configurations.at(0).benchmark.value().value;
}

std::string refusal(const std::filesystem::path& folder, const Plan& p) {
  try {
    Results::write(folder, contents_of(p));
  } catch (const UnusableResults& error) {
    return error.what();
  }
  return "accepted";
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
  EXPECT_TRUE(bytes_of(Results::read(folder.path())) == whole(p));
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
  EXPECT_TRUE(bytes_of(Results::read(all.path())) == whole(p));
}

TEST(Results, OfAnotherVersionAreNotMerged) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  Results::write(other.path(), contents_of(p));
  storage::Database((other.path() / Results::kFile).string(), storage::Database::Access::kWrite)
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
    part.begin({.command = "killed", .threads = 1});
  }
  {
    Results whole = Results::write(one.path(), contents_of(p));
    whole.merge(Results::read(other.path()));
    whole.merge(Results::read(other.path()));
  }
  const storage::Database file((one.path() / Results::kFile).string(),
                               storage::Database::Access::kRead);
  EXPECT_EQ(file.number("SELECT count(*) FROM sitting"), 2);
  EXPECT_EQ(file.number("SELECT count(*) FROM sitting WHERE ended IS NULL AND blocks IS NULL"), 1);
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
  EXPECT_TRUE(bytes_of(results) == whole(large));
}

TEST(Results, OfAnotherExperimentAreLeftAlone) {
  const Folder folder;
  const Plan p = plan(kTwo, 5);
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
  }
  const auto bytes = [&] {
    std::ifstream file(folder.path() / Results::kFile, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = bytes();
  EXPECT_NE(refusal(folder.path(), plan("\"ucb1\"", 5)).find("holds another experiment"),
            std::string::npos);
  EXPECT_NE(refusal(folder.path(), plan(kTwo, 5, 2)).find("\"three arms\""), std::string::npos);
  EXPECT_TRUE(bytes() == before);
}

TEST(Results, OfANewerSchemaAnotherVersionOrNoneOfOursAreRefused) {
  const Folder folder;
  const Plan p = plan(kTwo, 2);
  Results::write(folder.path(), contents_of(p));
  const std::string file = (folder.path() / Results::kFile).string();
  const auto change = [&](const std::string& sql) {
    storage::Database(file, storage::Database::Access::kWrite).execute(sql);
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
    EXPECT_TRUE(bytes_of(Results::read(folder.path())) == bytes_of(first));
  }
  EXPECT_EQ(refusal(folder.path(), p), "accepted");
}

/// Two folders with the same runs, one of them changed since.
void expect_not_merged_after(const std::string& change) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  for (const Folder* folder : {&one, &other}) {
    Results results = Results::write(folder->path(), contents_of(p));
    run(p, results, {});
  }
  storage::Database((other.path() / Results::kFile).string(), storage::Database::Access::kWrite)
      .execute(change);
  Results whole = Results::write(one.path(), contents_of(p));
  EXPECT_THROW(whole.merge(Results::read(other.path())), UnusableResults);
}

TEST(Results, ThatDisagreeAreNotMerged) {
  expect_not_merged_after("UPDATE block SET pulls = zeroblob(24) WHERE first_run = 1");
  expect_not_merged_after(
      "UPDATE block SET regrets = zeroblob(length(regrets)) WHERE first_run = 1");
}

TEST(Results, CountRunsUpToTheFirstThatIsMissing) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 5);
  Results results = Results::write(folder.path(), contents_of(p));
  Simulators simulators(p);
  for (const std::int64_t run : {0, 1, 3}) {
    results.add(p.tasks[0].fingerprint, simulators.compute({0, {run, 1}}));
  }
  EXPECT_EQ(completeness_of(results).runs, 2);
  EXPECT_EQ(completeness_of(results).wanted, 5);
}

TEST(Results, BringTheBenchmarkWithTheFirstBlock) {
  const Folder folder, other;
  const Plan p = plan("\"ucb1\"", 1);
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
    EXPECT_EQ(benchmark_of(results), 0.7);
  }
  Results merged = Results::write(other.path(), contents_of(p));
  merged.merge(Results::read(folder.path()));
  EXPECT_EQ(benchmark_of(merged), 0.7);
}

TEST(Results, WhoseDocumentsCannotBeReadSayInWhichFile) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results::write(folder.path(), contents_of(p));
  const std::string file = (folder.path() / Results::kFile).string();
  storage::Database(file, storage::Database::Access::kWrite)
      .execute("UPDATE configuration SET document = '{}'");
  EXPECT_NE(refusal(folder.path(), p).find(file), std::string::npos);
  EXPECT_THROW(Results::read(folder.path()).contents(), storage::StorageError);
}

TEST(Results, AreOneFileWhenNobodyWrites) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), Results::kFile);
  }
  const storage::Database file((folder.path() / Results::kFile).string(),
                               storage::Database::Access::kRead);
  storage::Statement mode(file, "PRAGMA journal_mode");
  ASSERT_TRUE(mode.step());
  EXPECT_EQ(mode.text(0), "delete") << "a log would have to be made to read it";
}

TEST(Results, WaitForAReaderThatIsSoonDone) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results::write(folder.path(), contents_of(p));
  std::atomic<bool> reading{false};
  std::jthread reader([&] {
    const storage::Database file((folder.path() / Results::kFile).string(),
                                 storage::Database::Access::kRead);
    const storage::Transaction snapshot(file, storage::Transaction::Purpose::kRead);
    file.number("SELECT count(*) FROM block");
    reading = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  });
  while (!reading) std::this_thread::yield();
  EXPECT_EQ(refusal(folder.path(), p), "accepted");
}

TEST(Results, AreReadAsOfOneMoment) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results writer = Results::write(folder.path(), contents_of(p));
  const Results reader = Results::read(folder.path());
  {
    const storage::Transaction snapshot = reader.snapshot();
    EXPECT_FALSE(reader.contents().configurations.at(0).benchmark);
    run(p, writer, {});
    EXPECT_TRUE(reader.blocks(p.tasks[0].fingerprint).empty());
  }
  EXPECT_EQ(completeness_of(reader).runs, 2);
}

TEST(Results, OfAnExperimentThatIsRelabelledHaveTheNewLabels) {
  const Folder folder;
  Plan p = plan("\"ucb1\"", 2);
  Results::write(folder.path(), contents_of(p));
  p.tasks[0].document.policy_label = "the usual one";
  const Results results = Results::write(folder.path(), contents_of(p));
  EXPECT_EQ(results.contents().configurations.at(0).document.policy_label, "the usual one");
}

TEST(Transactions, ThatAreNotCommittedChangeNothing) {
  const Folder folder;
  std::filesystem::create_directories(folder.path());
  const storage::Database file((folder.path() / "a").string(), storage::Database::Access::kCreate);
  file.execute("CREATE TABLE t (x)");
  {
    const storage::Transaction transaction(file);
    file.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(file.number("SELECT count(*) FROM t"), 0);
  {
    storage::Transaction transaction(file);
    file.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(file.number("SELECT count(*) FROM t"), 1);
}

}  // namespace
}  // namespace tacit::lab
