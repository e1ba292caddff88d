#include "paper_items.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
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
  static const std::vector<std::string> all = {
      "holds", "corrected", "does not hold", "refuted", "open", "nothing to judge", "not covered"};
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
