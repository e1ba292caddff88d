// Nothing that users send can be found afterwards: not in the store, its log, the key file or what is logged, and not in the
// process's memory, in any shape that it had on its way. While a phase is open its sum is there, as it must be; nobody's name and
// no single outcome is.
#include <algorithm>
#include <set>
#include <string>

#include "service/at_rest_visitors.hpp"

namespace tacit::service {
namespace {

TEST_P(AtRest, NobodyAndNothingIsFoundOnceAllIsReleased) {
  send_marked();
  // Phases are open.
  EXPECT_EQ(found(open_), std::set<std::string>{});
  // A sum is there, and where it is found it is memory.
  EXPECT_FALSE(found(lonely_).empty());
  EXPECT_EQ(found_in_files(lonely_), std::set<std::string>{});
  for (int i = 0; i < 3; ++i) served_->advance(kMinute);
  served_->rotate();
  EXPECT_EQ(found(closed_), std::set<std::string>{});
  served_->stop();
  EXPECT_EQ(found_in_files(closed_), std::set<std::string>{});
}

TEST_P(AtRest, WhatIsKeptUnsealedIsFound) {
  const std::string name = unit("what is kept");
  const std::string x = outcome("what is kept");
  exchange(served_->port_that_keeps(), request("/", name + " " + x));
  const std::set<std::string> all = found(closed_);
  const auto is_found = [&](const std::string& what, const std::string& where) {
    return std::any_of(all.begin(), all.end(), [&](const std::string& each) {
      return each.find(what) != std::string::npos && each.find(where) != std::string::npos;
    });
  };
  for (const char* what : {"unit of what is kept", "outcome of what is kept"}) {
    for (const char* where : {"memory", "shop.db", "serve.log"}) {
      EXPECT_TRUE(is_found(what, where)) << what << ", " << where;
    }
    if (!std::string(TACIT_GCORE).empty()) {
      EXPECT_TRUE(is_found(what, "core")) << what;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InTheClear, AtRest, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(UnderTls, AtRest, testing::Values(true));

}  // namespace
}  // namespace tacit::service
