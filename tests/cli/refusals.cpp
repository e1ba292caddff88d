#include "refusals.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace tacit::cli_test {

void expect_refused(const Arguments& arguments, const std::vector<std::string>& mentions) {
  SCOPED_TRACE(command_line(arguments));
  const Result result = run_tacit(arguments);
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(result.err.ends_with('\n')) << result.err;
  for (const std::string& text : mentions) {
    EXPECT_NE(result.err.find(text), std::string::npos)
        << "must mention \"" << text << "\": " << result.err;
  }
}

void expect_refused_either_way(const Arguments& arguments,
                               const std::vector<std::string>& mentions) {
  expect_refused(arguments, mentions);
  expect_refused(arguments + Arguments{"--json"}, mentions);
}

}  // namespace tacit::cli_test
