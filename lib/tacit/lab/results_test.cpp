#include "tacit/lab/results.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/curves.hpp"
#include "tacit/lab/instance_of.hpp"
#include "tacit/lab/message_passing.hpp"
#include "tacit/lab/output_file.hpp"
#include "tacit/lab/reproduce.hpp"
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
    part.begin({.command = "killed", .threads = 1});
  }
  {
    Results whole = Results::write(one.path(), contents_of(p));
    whole.merge(Results::read(other.path()));
    whole.merge(Results::read(other.path()));
  }
  const Database file((one.path() / Results::kFile).string(), Database::Access::kRead);
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
  EXPECT_EQ(to_csv(curves_of(results)), whole(large));
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

/// Two folders with the same runs, one of them changed since.
void expect_not_merged_after(const std::string& change) {
  const Folder one, other;
  const Plan p = plan("\"ucb1\"", 2);
  for (const Folder* folder : {&one, &other}) {
    Results results = Results::write(folder->path(), contents_of(p));
    run(p, results, {});
  }
  Database((other.path() / Results::kFile).string(), Database::Access::kWrite).execute(change);
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
  EXPECT_EQ(curves_of(results).at(0).runs, 2);
  EXPECT_EQ(completeness_of(results).runs, 2);
}

TEST(Results, BringTheBenchmarkWithTheFirstBlock) {
  const Folder folder, other;
  const Plan p = plan("\"ucb1\"", 1);
  {
    Results results = Results::write(folder.path(), contents_of(p));
    run(p, results, {});
    EXPECT_EQ(curves_of(results).at(0).benchmark.value, 0.7);
  }
  Results merged = Results::write(other.path(), contents_of(p));
  merged.merge(Results::read(folder.path()));
  EXPECT_EQ(curves_of(merged).at(0).benchmark.value, 0.7);
}

TEST(Results, WithABlockOfTheWrongSizeAreRefused) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results results = Results::write(folder.path(), contents_of(p));
  results.add(p.tasks[0].fingerprint, {.block = {0, 1}, .regrets = {1}, .pulls = {1, 1, 1}});
  EXPECT_THROW(curves_of(results), StorageError);
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
  const Database file((folder.path() / Results::kFile).string(), Database::Access::kRead);
  Statement mode(file, "PRAGMA journal_mode");
  ASSERT_TRUE(mode.step());
  EXPECT_EQ(mode.text(0), "delete") << "a log would have to be made to read it";
}

TEST(Results, WaitForAReaderThatIsSoonDone) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 2);
  Results::write(folder.path(), contents_of(p));
  std::atomic<bool> reading{false};
  std::jthread reader([&] {
    const Database file((folder.path() / Results::kFile).string(), Database::Access::kRead);
    const Transaction snapshot(file, Transaction::Purpose::kRead);
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
    const Transaction snapshot = reader.snapshot();
    EXPECT_FALSE(reader.contents().configurations.at(0).benchmark);
    run(p, writer, {});
    EXPECT_TRUE(reader.blocks(p.tasks[0].fingerprint).empty());
  }
  EXPECT_EQ(curves_of(reader).at(0).runs, 2);
}

TEST(Results, OfAnExperimentThatIsRelabelledHaveTheNewLabels) {
  const Folder folder;
  Plan p = plan("\"ucb1\"", 2);
  Results::write(folder.path(), contents_of(p));
  p.tasks[0].document["policy_label"] = "the usual one";
  const Results results = Results::write(folder.path(), contents_of(p));
  EXPECT_EQ(results.contents().configurations.at(0).document.at("policy_label"), "the usual one");
}

TEST(Transactions, ThatAreNotCommittedChangeNothing) {
  const Folder folder;
  std::filesystem::create_directories(folder.path());
  const Database file((folder.path() / "a").string(), Database::Access::kCreate);
  file.execute("CREATE TABLE t (x)");
  {
    const Transaction transaction(file);
    file.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(file.number("SELECT count(*) FROM t"), 0);
  {
    Transaction transaction(file);
    file.execute("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  EXPECT_EQ(file.number("SELECT count(*) FROM t"), 1);
}

TEST(Coordinator, HandsOutNothingAfterAFailureAndTellsTheFirst) {
  const Folder folder;
  const Plan p = plan("\"ucb1\"", 5);
  Results results = Results::write(folder.path(), contents_of(p));
  Coordinator coordinator(p, results, {});
  EXPECT_TRUE(coordinator.take());
  EXPECT_NO_THROW(coordinator.check());
  coordinator.fail(std::make_exception_ptr(std::runtime_error("first")));
  coordinator.fail(std::make_exception_ptr(std::runtime_error("second")));
  EXPECT_FALSE(coordinator.take());
  try {
    coordinator.check();
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(Coordinator, GuessesTheTimeThatIsLeft) {
  const Folder folder;
  const Plan p = plan(kTwo, 2);
  Results results = Results::write(folder.path(), contents_of(p));
  Coordinator coordinator(p, results, {});
  const auto finish = [&](double seconds) {
    const Piece piece = coordinator.take().value();
    coordinator.finish(piece,
                       {.block = piece.block,
                        .regrets = {0},
                        .pulls = {0},
                        .decisions = 1,
                        .cpu_seconds = seconds},
                       {});
    return coordinator.progress().cpu_left;
  };
  EXPECT_EQ(finish(2), 10) << "the other five runs like the first";
  finish(4);
  EXPECT_EQ(finish(6), 12) << "one more of each";
  finish(2);
  finish(4);
  EXPECT_EQ(finish(6), 0);
}

/// The fields of a line; none of them is quoted.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> all;
  std::istringstream rest(line);
  for (std::string each; std::getline(rest, each, ',');) all.push_back(each);
  return all;
}

TEST(Csv, HasTheStatisticsUnderTheirNames) {
  Plan p = plan("\"ucb1\"", 40);
  p.tasks[0].document["problem_label"] = "three";
  const Folder folder;
  Results results = Results::write(folder.path(), contents_of(p));
  run(p, results, {});
  const std::vector<Curve> curves = curves_of(results);
  std::istringstream lines(to_csv(curves));
  std::string heading, line;
  std::getline(lines, heading);
  for (std::string next; std::getline(lines, next);) line = next;
  const std::vector<std::string> names = fields(heading);
  const std::vector<std::string> values = fields(line);
  ASSERT_EQ(names.size(), values.size()) << line;
  const auto value = [&](const char* name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::stod(values.at(static_cast<std::size_t>(at)));
  };
  const simulation::Moments& last = curves[0].measured.curve.back();
  EXPECT_EQ(value("t"), 500);
  EXPECT_EQ(value("runs"), 40);
  EXPECT_EQ(value("mean"), last.mean());
  EXPECT_EQ(value("stderr"), last.standard_error());
  EXPECT_EQ(value("lo"), last.mean() - last.half_width95());
  EXPECT_EQ(value("hi"), last.mean() + last.half_width95());
  EXPECT_EQ(value("median"), simulation::sorted_quantile(curves[0].regrets.back(), 0.5));
  EXPECT_EQ(value("q05"), simulation::sorted_quantile(curves[0].regrets.back(), 0.05));
  EXPECT_EQ(value("q95"), simulation::sorted_quantile(curves[0].regrets.back(), 0.95));
}

TEST(Csv, QuotesWhatHasCommasOrQuotes) {
  Plan p = plan("\"ucb1\"", 1);
  p.tasks[0].document["problem_label"] = "a, \"b\"";
  const Folder folder;
  Results results = Results::write(folder.path(), contents_of(p));
  run(p, results, {});
  EXPECT_NE(to_csv(curves_of(results)).find("\n\"a, \"\"b\"\"\","), std::string::npos);
}

TEST(Ranks, ThatDisagreeAreNamed) {
  EXPECT_EQ(MessagePassing::disagreement({"a", "a"}), "");
  EXPECT_EQ(MessagePassing::disagreement({"a", "a", ""}), "rank 2 failed");
  EXPECT_EQ(MessagePassing::disagreement({"a", "b", ""}),
            "rank 1 has another experiment, or other files behind it");
}

TEST(Plan, HandsOutTheFirstRunsOfAllFirst) {
  const std::vector<Piece> pieces = pieces_of(plan(kTwo, 3));
  ASSERT_EQ(pieces.size(), 9U);
  EXPECT_EQ(pieces[2].task, 2U);
  EXPECT_EQ(pieces[2].block.first, 0);
  EXPECT_EQ(pieces[8].block.first, 2);
}

TEST(Plan, FingerprintsDependOnCheckpointsNoiseAndTheProblem) {
  const Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"anytime-lazy-ucb\"\nepsilon = 1\n",
      "f");
  const auto fingerprint = [&](const std::string& noise,
                               const std::function<void(simulation::Request&)>& change) {
    Experiment other = e;
    other.configurations[0].noise = noise;
    return make_plan(other,
                     [&](const Configuration& c) {
                       MadeRequest made = make(c);
                       change(made.request);
                       return made;
                     })
        .tasks[0]
        .fingerprint;
  };
  const auto same = [](simulation::Request&) {};
  const std::string usual = fingerprint("ideal", same);
  EXPECT_EQ(usual, fingerprint("ideal", same));
  EXPECT_NE(usual, fingerprint("exact", same));
  EXPECT_NE(usual, fingerprint("ideal", [](auto& r) {
              r.checkpoints = simulation::parse_checkpoints("log:6", r.horizon);
            }));
  EXPECT_NE(usual, fingerprint("ideal", [](auto& r) {
              r.problem = std::make_shared<problems::IndependentArms>(
                  std::vector<double>{0.7, 0.5, 0.3}, problems::Rewards::kBeta);
            }));
}

TEST(Plan, FingerprintsDependOnADeltaThatIsUsed) {
  Experiment e = read_experiment(
      "horizon = 500\nruns = 2\n[[problem]]\nmeans = [0.7, 0.5, 0.3]\n[[policy]]\n"
      "name = \"dp-ucb-int\"\nepsilon = 1\n",
      "f");
  const auto task = [&](double delta) {
    return make_plan(e,
                     [&](const Configuration& c) {
                       MadeRequest made = make(c);
                       made.request.delta = delta;
                       return made;
                     })
        .tasks[0];
  };
  EXPECT_NE(task(1e-6).fingerprint, task(1e-3).fingerprint);
  EXPECT_EQ(task(1e-3).document.at("delta"), 1e-3);
}

/// The bounds of a kind that a plan has on these means at epsilon 1, after 1000 rounds.
std::vector<Json> bounds_on(const std::vector<double>& means, const std::string& policy,
                            const std::string& kind) {
  simulation::Request r;
  r.policy = policy;
  r.epsilon = 1;
  r.problem = std::make_shared<problems::IndependentArms>(means, problems::Rewards::kBernoulli);
  r.horizon = 1000;
  r.runs = 1;
  r.checkpoints = {10, 100, 1000};
  std::vector<Json> found;
  for (const Json& bound : bounds_of(r, simulation::prepare(r)->guarantee())) {
    EXPECT_FALSE(theory::find_bound(bound.at("name").get<std::string>()).conjecture);
    if (bound.at("kind") == kind) found.push_back(bound);
  }
  return found;
}

TEST(BoundsOfAPlan, MinimaxAreForTheirOwnInstanceAtItsHorizon) {
  const theory::Bound& bound = theory::find_bound("basu-theorem-1");
  const auto own = bounds_on(theory::worst_instance(bound, 5, 1, 1000), "ldp-ucb-bits", "minimax");
  ASSERT_FALSE(own.empty());
  for (const Json& each : own) {
    EXPECT_TRUE(each.at("values")[0].is_null());
    EXPECT_TRUE(each.at("values")[1].is_null());
    EXPECT_TRUE(each.at("values")[2].is_number());
  }
  EXPECT_TRUE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", "minimax").empty());
  EXPECT_FALSE(bounds_on({0.75, 0.5, 0.25}, "ldp-ucb-bits", "asymptotic").empty());
}

TEST(OutputFile, GoesWhereALinkLeads) {
  const Folder folder;
  std::filesystem::create_directories(folder.path());
  const auto target = folder.path() / "target";
  const auto link = folder.path() / "link";
  write_file("output", target.string(), "before");
  std::filesystem::create_symlink(target, link);
  write_file("output", link.string(), "after");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::ifstream file(target);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "after");
}

TEST(Items, AreThePapersFiguresWithoutTheirTwins) {
  ASSERT_FALSE(items().empty());
  std::set<std::string> names;
  for (const Item& item : items()) {
    EXPECT_FALSE(item.name.ends_with("-honest")) << item.name;
    EXPECT_FALSE(item.source.empty()) << item.name;
    EXPECT_TRUE(names.insert(item.name).second) << item.name;
  }
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
