// docs/papers.md as rows.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tacit::papers_test {

/// The root of the sources, from which the document's paths and commands are meant.
std::filesystem::path root();

struct Item {
  std::string paper;  // the first word of the heading above
  int number = 0;
  std::string says, here, command, holds;

  std::string place() const { return paper + " " + std::to_string(number); }
  /// How `holds` begins, up to the reason.
  std::string verdict() const;
};

/// Rows that begin with a number. Throws std::runtime_error where one has not five columns.
std::vector<Item> items();

/// The table of totals: how many items of a paper ("all": of all) have a verdict.
std::map<std::string, std::map<std::string, int>> totals();

/// All that a verdict may begin with.
const std::vector<std::string>& verdicts();

/// The numbers that a text gives after a word, a regular expression: "Lemmas 17 to 19 and 23" has 17, 18, 19 and 23 after Lemmas?.
std::set<int> numbers_after(const std::string& text, const std::string& kind);

/// How many of a figure's claims hold.
struct Count {
  std::string figure;
  int hold = 0;
  int claims = 0;

  bool operator==(const Count&) const = default;
};

/// All of "`hu-fig1` 1 of 3" in a text.
std::vector<Count> counts_in(const std::string& text);

/// What the verdicts in a folder of `tacit reproduce` say otherwise, a line each; figures that are not there are passed over.
std::vector<std::string> said_otherwise(const std::vector<Count>& counts,
                                        const std::filesystem::path& folder);

/// What stands between two marks, such as ` or **.
std::vector<std::string> between(const std::string& text, const std::string& mark);

std::string text_of(const std::filesystem::path& path);

}  // namespace tacit::papers_test
