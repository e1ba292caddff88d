// The tables of the README are what its commands print.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

namespace tacit::cli_test {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

/// Rows of a table of regrets or samples, by policy, whose guarantee is that word of a row; without the time that a run took.
std::vector<std::vector<std::string>> rows_of(std::istream& text, std::ptrdiff_t guarantee_at) {
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> words = words_of(line);
    const auto guarantee = std::find_if(words.begin(), words.end(), [](const std::string& word) {
      return word == "central" || word == "none";
    });
    if (guarantee == words.end() || guarantee - words.begin() != guarantee_at ||
        words[1].find_first_not_of("0123456789.") < words[1].size())
      continue;
    words.erase(words.begin() + guarantee_at - 1);
    rows.push_back(words);
  }
  return rows;
}

/// What the README shows of a command, and what the command prints for the policies that it shows.
void expect_shown(std::size_t rows, std::ptrdiff_t guarantee_at, const Arguments& command,
                  const Arguments& rest) {
  std::ifstream readme(TACIT_TEST_DATA "/../../README.md");
  const auto shown = rows_of(readme, guarantee_at);
  ASSERT_EQ(shown.size(), rows);
  std::string policies;
  for (const auto& row : shown) policies += (policies.empty() ? "" : ",") + row[0];
  const Result result = run_tacit(command + Arguments{"--policy", policies} + rest);
  ASSERT_EQ(result.exit, 0) << result.err;
  std::istringstream printed(result.out);
  EXPECT_EQ(rows_of(printed, guarantee_at), shown);
}

TEST(Readme, ShowsWhatItsCommandsPrint) {
  expect_shown(5, 6, {"simulate"},
               {"--epsilon", "0.5", "--problem", "hu-linear", "--horizon", "1e6", "--runs", "40"});
  expect_shown(4, 8, {"identify"},
               {"--epsilon", "1", "--problem", "hu-linear", "--error", "0.01", "--runs", "400"});
}

}  // namespace
}  // namespace tacit::cli_test
