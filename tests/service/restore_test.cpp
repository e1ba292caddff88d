// A store is put back from a copy, whatever has happened to it: then it is what the copy was, less what the key file knows better.
// Budgets stay spent, and nothing is released twice.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include <fmt/format.h>

#include "service/restore_history.hpp"

namespace tacit::service {
namespace {

std::map<std::string, int> play(std::uint64_t first, std::uint64_t histories) {
  std::map<std::string, int> seen;
  for (std::uint64_t seed = first; seed < first + histories; ++seed) {
    RestoreHistory history(seed);
    history.play();
    for (const auto& [what, times] : history.seen()) seen[what] += times;
    if (testing::Test::HasFailure()) break;
  }
  for (const auto& [what, times] : seen) fmt::print("  {}: {}\n", what, times);
  return seen;
}

TEST(PutBack, AFewHistoriesEndAsTheyMust) {
  auto seen = play(0, 6);
  EXPECT_GT(seen["sums that must be one number"], 0);
}

TEST(PutBack, TwoHundredHistoriesEndAsTheyMust) {
  auto seen = play(0, 200);
  // All kinds were there.
  for (const char* what :
       {"a log was left", "log beyond 16 MiB", "backup under load", "backup killed", "restored",
        "restored by hand", "restore killed before it was decided", "restore killed half way",
        "restore killed after it was done", "releases were lost",
        "what was under way was abandoned", "what was under way was kept"}) {
    EXPECT_GT(seen[what], 0) << what;
  }
  EXPECT_GT(seen["sums that must be one number"], 10 * seen["sums within bounds"]);
}

}  // namespace
}  // namespace tacit::service
