#include "paper_items.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace tacit::papers_test {
namespace {

std::vector<std::string> columns_of(const std::string& row) {
  std::vector<std::string> columns;
  std::istringstream text(row.substr(1));
  for (std::string column; std::getline(text, column, '|');) {
    const std::size_t from = column.find_first_not_of(' ');
    const std::size_t to = column.find_last_not_of(' ');
    columns.push_back(from == std::string::npos ? "" : column.substr(from, to - from + 1));
  }
  return columns;
}

std::vector<std::string> lines() {
  std::istringstream text(text_of(root() / "docs/papers.md"));
  std::vector<std::string> all;
  for (std::string line; std::getline(text, line);) all.push_back(line);
  return all;
}

}  // namespace

std::filesystem::path root() {
  return std::filesystem::path(TACIT_TEST_DATA).parent_path().parent_path();
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

const std::vector<std::string>& verdicts() {
  static const std::vector<std::string> all = {"holds", "corrected",        "refuted",
                                               "open",  "nothing to judge", "not covered"};
  return all;
}

std::string Item::verdict() const {
  const std::size_t end = std::min(holds.find_first_of(":;"), holds.size());
  return holds.substr(0, end);
}

std::vector<Item> items() {
  std::vector<Item> all;
  std::string paper;
  for (const std::string& line : lines()) {
    if (line.starts_with("## ")) paper = line.substr(3, line.find(' ', 3) - 3);
    if (line.size() < 3 || !line.starts_with("| ") || std::isdigit(line[2]) == 0) continue;
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() != 5) throw std::runtime_error("not five columns: " + line);
    all.push_back({paper, std::stoi(columns[0]), columns[1], columns[2], columns[3], columns[4]});
  }
  return all;
}

std::map<std::string, std::map<std::string, int>> totals() {
  std::map<std::string, std::map<std::string, int>> counts;
  std::vector<std::string> papers;
  for (const std::string& line : lines()) {
    if (!line.starts_with("| ")) continue;
    const std::vector<std::string> columns = columns_of(line);
    if (columns[0] == "verdict") papers = columns;
    const bool is_verdict =
        std::find(verdicts().begin(), verdicts().end(), columns[0]) != verdicts().end();
    if (!is_verdict && columns[0] != "all") continue;
    for (std::size_t i = 1; i < std::min(columns.size(), papers.size()); ++i) {
      counts[papers[i]][columns[0]] = std::stoi(columns[i]);
    }
  }
  return counts;
}

std::set<int> numbers_after(const std::string& text, const std::string& kind) {
  static const std::string some = "([0-9]+(?:(?: to |, | and )[0-9]+)*)";
  const std::regex named("\\b" + kind + " " + some);
  const std::regex part("( to |, | and |^)([0-9]+)");
  std::set<int> all;
  for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
    const std::string list = (*at)[1];
    int last = 0;
    for (std::sregex_iterator one(list.begin(), list.end(), part); one != end; ++one) {
      const int number = std::stoi((*one)[2]);
      for (int i = (*one)[1] == " to " ? last + 1 : number; i <= number; ++i) all.insert(i);
      last = number;
    }
  }
  return all;
}

std::vector<Count> counts_in(const std::string& text) {
  const std::regex count("`([^`]+)` ([0-9]+) of ([0-9]+)");
  std::vector<Count> all;
  for (std::sregex_iterator at(text.begin(), text.end(), count), end; at != end; ++at) {
    all.push_back({(*at)[1], std::stoi((*at)[2]), std::stoi((*at)[3])});
  }
  return all;
}

std::vector<std::string> said_otherwise(const std::vector<Count>& counts,
                                        const std::filesystem::path& folder) {
  std::vector<std::string> differences;
  for (const Count& count : counts) {
    const std::filesystem::path file = folder / (count.figure + ".txt");
    if (!std::filesystem::exists(file)) continue;
    const std::string text = text_of(file);
    const std::string said = "\nVerdict: " + std::to_string(count.hold) + " of " +
                             std::to_string(count.claims) + " claim";
    if (text.find(said) != std::string::npos) continue;
    const std::size_t at = text.find("\nVerdict: ");
    differences.push_back(count.figure + " has " + std::to_string(count.hold) + " of " +
                          std::to_string(count.claims) + " in docs/papers.md, and in its verdict " +
                          (at == std::string::npos
                               ? "nothing"
                               : text.substr(at + 10, text.find('\n', at + 1) - at - 10)));
  }
  return differences;
}

std::vector<std::string> between(const std::string& text, const std::string& mark) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(mark); at != std::string::npos;) {
    const std::size_t from = at + mark.size();
    const std::size_t end = text.find(mark, from);
    if (end == std::string::npos) break;
    found.push_back(text.substr(from, end - from));
    at = text.find(mark, end + mark.size());
  }
  return found;
}

}  // namespace tacit::papers_test
