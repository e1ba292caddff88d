// docs/papers.md has every item of the five papers; what it names exists, and its commands run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/reports/reproduce.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/problem_catalogue.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(TACIT_TEST_DATA).parent_path().parent_path();

struct Item {
  std::string paper;                 // the heading above
  std::vector<std::string> columns;  // number, what it says, here, command, holds
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

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

/// Rows that begin with a number.
std::vector<Item> items() {
  std::vector<Item> all;
  std::ifstream file(kRoot / "docs/papers.md");
  std::string paper;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) paper = line.substr(3);
    if (line.size() < 3 || !line.starts_with("| ") || line[2] < '0' || line[2] > '9') continue;
    all.push_back({paper, columns_of(line)});
  }
  return all;
}

/// What stands between backticks.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find('`'); at != std::string::npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == std::string::npos) break;
    names.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('`', end + 1);
  }
  return names;
}

cli_test::Arguments words_of(const std::string& command) {
  std::istringstream text(command);
  cli_test::Arguments words;
  for (std::string word; text >> word;) words.push_back(word);
  words.erase(words.begin());  // tacit
  return words;
}

/// Everything that the document may name.
class Names {
 public:
  Names() {
    for (const policies::Entry& entry : policies::catalogue()) {
      known_.insert(entry.card.name);
      for (const policies::ParameterInfo& p : entry.parameters({})) parameters_.insert(p.name);
    }
    for (const theory::Bound& bound : theory::bounds()) known_.insert(bound.name);
    for (const reports::PaperFigure& figure : reports::paper_figures()) known_.insert(figure.name);
    for (const specs::ProblemForm& form : specs::problem_forms()) forms_.insert(form.name);
    for (const specs::PriorForm& form : specs::prior_forms()) forms_.insert(form.name);
    for (const specs::ActionSetForm& form : specs::action_set_forms()) {
      forms_.insert(form.form.substr(0, form.form.find(':')));
    }
    for (const char* command :
         {"simulate", "audit", "bounds", "list", "run", "plot", "reproduce"}) {
      help_ += cli_test::run_tacit({command, "--help"}).out;
    }
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "lib/tacit")) {
      if (entry.path().extension() == ".hpp") headers_ += text_of(entry.path());
    }
  }

  bool have(const std::string& name) const {
    if (known_.contains(name) || forms_.contains(name.substr(0, name.find(':')))) return true;
    if (name.starts_with("--")) return help_.find(name.substr(0, name.find(' '))) < help_.size();
    if (name.find("::") != std::string::npos) {
      return headers_.find(name.substr(name.rfind(':') + 1)) < headers_.size();
    }
    const std::size_t equals = name.find('=');
    if (equals != std::string::npos) return parameters_.contains(name.substr(0, equals));
    return fs::exists(kRoot / name) || fs::exists(kRoot / "lib/tacit" / name);
  }
  bool is_figure(const std::string& name) const {
    const auto& all = reports::paper_figures();
    return std::any_of(all.begin(), all.end(),
                       [&](const reports::PaperFigure& figure) { return figure.name == name; });
  }

 private:
  std::set<std::string> known_, forms_, parameters_;
  std::string help_, headers_;
};

TEST(Papers, HaveEveryItem) {
  std::map<std::string, int> count;
  int not_covered = 0;
  for (const Item& item : items()) {
    ASSERT_EQ(item.columns.size(), 5U) << item.paper << " " << item.columns[0];
    EXPECT_EQ(item.columns[0], std::to_string(++count[item.paper])) << item.paper;
    const std::string& holds = item.columns[4];
    EXPECT_FALSE(holds.empty()) << item.paper << " " << item.columns[0];
    if (holds.starts_with("not covered")) {
      ++not_covered;
      EXPECT_GT(holds.size(), std::string("not covered: ").size() + 20) << "a reason is needed";
    } else {
      EXPECT_FALSE(names_in(item.columns[2] + item.columns[3]).empty())
          << item.paper << " " << item.columns[0] << " is nowhere";
    }
  }
  std::vector<int> counts;
  for (const char* paper : {"Chen", "Wang", "Basu", "Chandak", "Hu"}) {
    const auto found = std::find_if(count.begin(), count.end(), [&](const auto& entry) {
      return entry.first.starts_with(paper);
    });
    counts.push_back(found == count.end() ? 0 : found->second);
  }
  EXPECT_EQ(counts, (std::vector<int>{35, 28, 26, 32, 27}));
  EXPECT_LE(not_covered, 8);
}

TEST(Papers, NameWhatExists) {
  const Names names;
  for (const Item& item : items()) {
    for (const std::string& column : item.columns) {
      for (const std::string& name : names_in(column)) {
        if (name.starts_with("tacit ")) continue;
        EXPECT_TRUE(names.have(name)) << item.paper << " " << item.columns[0] << ": " << name;
      }
    }
  }
  EXPECT_FALSE(names.have("no-such-policy"));
  EXPECT_FALSE(names.have("privacy::no_such_function"));
  EXPECT_FALSE(names.have("nothing=1"));
}

/// Figures take minutes; that there are such is enough, tests/figures and CI see that they come out.
TEST(Papers, CommandsRun) {
  const Names names;
  std::set<std::string> seen;
  for (const Item& item : items()) {
    for (const std::string& command : names_in(item.columns[3])) {
      if (!command.starts_with("tacit ") || !seen.insert(command).second) continue;
      const cli_test::Arguments words = words_of(command);
      if (words[0] == "reproduce") {
        for (std::size_t i = 1; i < words.size(); ++i) {
          EXPECT_TRUE(names.is_figure(words[i])) << command;
        }
        continue;
      }
      const cli_test::Result result = cli_test::run_tacit(words);
      EXPECT_EQ(result.exit, 0) << command << "\n" << result.err;
    }
  }
}

}  // namespace
}  // namespace tacit
