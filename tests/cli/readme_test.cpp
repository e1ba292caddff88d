// The table of the README is what its command prints.
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

/// Rows of a table of regrets, by policy; without the time that a run took.
std::vector<std::vector<std::string>> rows_of(std::istream& text) {
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string> words = words_of(line);
    const auto guarantee = std::find_if(words.begin(), words.end(), [](const std::string& word) {
      return word == "central" || word == "none";
    });
    if (guarantee == words.end() || guarantee - words.begin() != 6 ||
        words[1].find_first_not_of("0123456789.") < words[1].size())
      continue;
    words.erase(words.begin() + 5);
    rows.push_back(words);
  }
  return rows;
}

TEST(Readme, ShowsWhatItsCommandPrints) {
  std::ifstream readme(TACIT_TEST_DATA "/../../README.md");
  const auto shown = rows_of(readme);
  ASSERT_EQ(shown.size(), 5U);
  std::string policies;
  for (const auto& row : shown) policies += (policies.empty() ? "" : ",") + row[0];
  const Result result = run_tacit({"simulate", "--policy", policies, "--epsilon", "0.5",
                                   "--problem", "hu-linear", "--horizon", "1e6", "--runs", "40"});
  ASSERT_EQ(result.exit, 0) << result.err;
  std::istringstream printed(result.out);
  EXPECT_EQ(rows_of(printed), shown);
}

}  // namespace
}  // namespace tacit::cli_test
