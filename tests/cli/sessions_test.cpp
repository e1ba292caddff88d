// Attractions from recorded lists: --problem sessions:FILE.
#include <string>

#include <gtest/gtest.h>

#include "documents.hpp"

namespace tacit::cli_test {
namespace {

/// The problem that a file of sessions makes, with its items in the order in which they turn up.
std::string problem_of(const std::string& rows) {
  const TemporaryFolder folder;
  return document_of({"simulate", "--policy", "cascade-ucb1", "--problem",
                      "sessions:" + folder.file("sessions", rows), "--actions", "top:2",
                      "--horizon", "10", "--runs", "1"})
      .at(0)
      .at("problem");
}

TEST(Sessions, GiveAnItemTheShareOfItsClicksAmongUsersWhoGotThatFar) {
  // beer and bread were looked at twice and clicked once, milk twice without a click; nobody got to wine.
  EXPECT_EQ(problem_of("1,beer,bread,wine\n"
                       "0,bread,beer,milk\n"
                       "2,milk,bread,beer\n"),
            "bernoulli(0.5,0.5,0,0)");
}

TEST(Sessions, WithoutAClickCountForAllTheirItems) {
  EXPECT_EQ(problem_of("2,a,b\n0,a,b\n0,b,a\n0,a,b\n"), "bernoulli(0,0.25)");
}

}  // namespace
}  // namespace tacit::cli_test
