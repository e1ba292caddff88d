// Odd commands by the thousand: each is answered or refused as every command must be. A share of them, chosen by a seed, or
// all: TACIT_SHARE.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "cli/documents.hpp"
#include "odd_commands.hpp"
#include "watched_program.hpp"

namespace tacit::cli_test {
namespace {

constexpr std::chrono::seconds kWatchdog{10};
constexpr std::size_t kShare = TACIT_SHARE;

/// Any seed takes another share: TACIT_SEED=2 does.
std::size_t seed() {
  const char* given = std::getenv("TACIT_SEED");
  return given == nullptr ? 1 : std::stoul(given);
}

/// By what is typed, but for where the temporary folder happens to be.
bool is_chosen(const OddCommand& command, const std::string& folder) {
  if (kShare == 1) return true;
  std::string text = std::to_string(seed());
  for (const std::string& word : command.arguments) text += "\n" + word;
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.erase(at, folder.size());
  }
  return std::hash<std::string>()(text) % kShare == 0;
}

class OddCommands : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    before_ = std::filesystem::current_path();
    folder_ = new TemporaryFolder;  // what a command writes, it writes here
    std::filesystem::current_path(folder_->path());
    all_ = new Catalogue(catalogue());
  }
  static void TearDownTestSuite() {
    std::filesystem::current_path(before_);
    delete all_;
    delete folder_;
  }

  static void keep_a_share(std::vector<OddCommand>& commands) {
    std::erase_if(commands,
                  [](const OddCommand& command) { return !is_chosen(command, folder_->path()); });
  }
  static void expect_answers_of_a_share(std::vector<OddCommand> commands) {
    keep_a_share(commands);
    expect_answers(std::move(commands));
  }
  /// As many at once as there are cores; fails the test for each with a complaint.
  static void expect_answers(const std::vector<OddCommand>& commands) {
    ASSERT_FALSE(commands.empty());
    std::atomic<std::size_t> next = 0;
    std::mutex telling;
    std::size_t complaints = 0;
    std::ostringstream told;
    const auto work = [&] {
      for (std::size_t i = next++; i < commands.size(); i = next++) {
        const Watched watched = run_watched(commands[i].arguments, kWatchdog);
        const std::string complaint =
            complaint_about(commands[i], watched.ended, watched.result, *all_);
        if (complaint.empty()) continue;
        const std::lock_guard lock(telling);
        constexpr std::size_t kMostTold = 100;
        if (++complaints <= kMostTold)
          told << command_line(commands[i].arguments) << "\n    " << complaint << "\n";
      }
    };
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back(work);
    for (std::thread& worker : workers) worker.join();
    EXPECT_EQ(complaints, 0U) << "of " << commands.size() << "\n" << told.str();
  }

  static std::filesystem::path before_;
  static TemporaryFolder* folder_;
  static Catalogue* all_;
};

std::filesystem::path OddCommands::before_;
TemporaryFolder* OddCommands::folder_ = nullptr;
Catalogue* OddCommands::all_ = nullptr;

TEST_F(OddCommands, EveryPolicyOnEveryProblem) {
  expect_answers_of_a_share(policies_on_problems(*all_));
}

TEST_F(OddCommands, EveryParameterOfEveryPolicy) {
  expect_answers_of_a_share(policies_with_parameters(*all_));
}

TEST_F(OddCommands, IdentificationsAndAudits) {
  expect_answers_of_a_share(identifications_and_audits(*all_));
}

TEST_F(OddCommands, BoundsOfEveryProblem) { expect_answers_of_a_share(bounds_of_problems(*all_)); }

TEST_F(OddCommands, EveryOptionWithOddNumbers) {
  expect_answers_of_a_share(options_with_odd_numbers(*all_, *folder_));
}

TEST_F(OddCommands, EveryBrokenFileInEveryPlace) {
  expect_answers_of_a_share(broken_files_in_places(*all_, *folder_));
}

/// Those that decide in a tenth of all rounds, or less: others would take years.
TEST_F(OddCommands, AsFarAsRoundsAreCounted) {
  std::vector<OddCommand> near = twenty_thousand_rounds(*all_);
  keep_a_share(near);
  std::vector<OddCommand> far;
  for (const OddCommand& command : near) {
    const Watched watched = run_watched(command.arguments, kWatchdog);
    const Json document = Json::parse(watched.result.out, nullptr, /*allow_exceptions=*/false);
    if (!document.is_array() || document.empty()) continue;
    if (document[0].at("decisions").get<double>() > 2000) continue;
    for (OddCommand& further : as_far_as_rounds_are_counted(command))
      far.push_back(std::move(further));
  }
  EXPECT_GE(far.size(), near.size() / 2);
  expect_answers(far);
}

/// What the judge is given has each of the faults.
TEST_F(OddCommands, AreJudgedByAJudgeThatFindsFaults) {
  const OddCommand command{{"simulate", "--policy", "adap-ucb", "--epsilon", "1e300", "--json"},
                           "0.5"};
  const auto complaint = [&](int exit, const std::string& out, const std::string& err) {
    return complaint_about(command, true, {exit, out, err}, *all_);
  };
  const auto row = [](const std::string& epsilon, const std::string& regret) {
    return R"([{"horizon": 10, "guarantee": {"notion": "central", "epsilon": )" + epsilon +
           R"(}, "regret": {"mean": )" + regret + R"(, "quantiles": {"0": 0.0}}}])";
  };
  EXPECT_EQ(complaint(0, row("0.5", "1.0"), ""), "");
  EXPECT_EQ(complaint(2, "", "tacit: epsilon = 1e+300: must be less\n"), "");
  EXPECT_EQ(complaint(2, "", "tacit: policy: missing\n"), "");
  EXPECT_EQ(complaint_about(command, false, {}, *all_), "does not end");
  const std::vector<std::string> found = {
      complaint(0, row("0.6", "1.0"), ""),
      complaint(0, row("null", "1.0"), ""),
      complaint(0, row("0.5", "-1.0"), ""),
      complaint(0, row("0.5", "nan"), ""),
      complaint(0, row("0.5", "1e999"), ""),
      complaint(0, row("0.5", "\"inf\""), ""),
      complaint(0, row("0.5", "1.0") + "x", ""),
      complaint(0, row("0.5", "1.0"), "a warning\n"),
      complaint(1, "", "tacit: std::bad_alloc\n"),
      complaint(-1, "", ""),
      complaint(2, "", ""),
      complaint(2, "", "tacit: epsilon = \n"),
      complaint(2, "", "tacit: epsilon = 1e300: no\nno\n"),
      complaint(2, "[]", "tacit: epsilon = 1e300: must be less\n"),
      complaint(2, "", "tacit: epsilon = inf: must be less\n"),
      complaint(2, "", "tacit: sigma = 0: must be more (gaussian_delta)\n"),
      complaint(2, "", "tacit: epsilon = 1e300: \033[31mno\n"),
  };
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NE(found[i], "") << i;
}

}  // namespace
}  // namespace tacit::cli_test
