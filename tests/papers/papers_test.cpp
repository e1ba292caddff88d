// docs/papers.md has every item of the five papers; what it names exists, its commands run and print the figures that it gives, and
// it counts right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "known_names.hpp"
#include "paper_items.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/reports/reproduce.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::papers_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kPapers = {"Chen", "Wang", "Basu", "Chandak", "Hu"};
const std::map<std::string, int> kItems = {
    {"Chen", 37}, {"Wang", 34}, {"Basu", 38}, {"Chandak", 33}, {"Hu", 34}};
constexpr int kMostNotCovered = 8;

bool is_command(const std::string& name) { return name.starts_with("tacit "); }

std::vector<std::string> commands_of(const Item& item) {
  std::vector<std::string> commands =
      between(item.says + item.here + item.command + item.holds, "`");
  std::erase_if(commands, [](const std::string& name) { return !is_command(name); });
  return commands;
}

cli_test::Arguments words_of(const std::string& command) {
  std::istringstream text(command);
  cli_test::Arguments words;
  for (std::string word; text >> word;) words.push_back(word);
  words.erase(words.begin());  // tacit
  return words;
}

/// Figures take minutes: that they are asked for in the right words is enough here, tests/figures sees that they come out.
bool is_reproduce(const std::string& command) { return command.starts_with("tacit reproduce "); }

std::vector<std::string> figures_asked_for(const Item& item) {
  std::vector<std::string> figures;
  for (const std::string& command : commands_of(item)) {
    if (!is_reproduce(command)) continue;
    const cli_test::Arguments words = words_of(command);
    figures.insert(figures.end(), words.begin() + 1, words.end());
  }
  return figures;
}

/// The argument of an option; empty where it is not given.
std::string argument(const cli_test::Arguments& words, const std::string& option) {
  const auto found = std::find(words.begin(), words.end(), option);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

/// What a simulation may take, so that whoever tries all commands of the document is not kept waiting.
constexpr double kMostRounds = 1e7;
double rounds_of(const cli_test::Arguments& words) {
  const std::string policies = argument(words, "--policy");
  return static_cast<double>(std::count(policies.begin(), policies.end(), ',') + 1) *
         std::stod(argument(words, "--horizon")) * std::stod(argument(words, "--runs"));
}

/// Whether a text has this figure, not as a part of a longer one.
bool shows(const std::string& text, const std::string& figure) {
  const auto goes_on = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(figure); at != std::string::npos;
       at = text.find(figure, at + 1)) {
    const bool begins = at == 0 || (!goes_on(at - 1) && text[at - 1] != '.');
    const std::size_t end = at + figure.size();
    const bool ends = !goes_on(end) && !(end < text.size() && text[end] == '.' && goes_on(end + 1));
    if (begins && ends) return true;
  }
  return false;
}

TEST(Papers, HaveEveryItem) {
  std::map<std::string, int> count;
  for (const Item& item : items()) EXPECT_EQ(item.number, ++count[item.paper]) << item.paper;
  EXPECT_EQ(count, kItems);
}

/// What the papers number, by its name in one or several.
struct Numbered {
  std::string paper, kind;
  std::set<int> numbers;
};

const std::vector<Numbered> kNumbered = {
    {"Chen", "Definitions?", {1, 2, 3, 4, 5}},
    {"Chen", "Assumptions?", {1, 2, 3}},
    {"Chen", "Fact", {1}},
    {"Chen", "Algorithms?", {1, 2, 3}},
    {"Chen", "Theorems?", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"Chen", "Lemmas?", {1, 2, 3, 4, 5, 6, 7}},
    {"Wang", "Definitions?", {1, 2}},
    {"Wang", "Assumption", {1, 2}},
    {"Wang", "Algorithms?", {1, 2, 3, 4}},
    {"Wang", "Theorems?", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
    {"Wang", "Lemmas?", {1, 2, 3, 4, 5, 6}},
    {"Basu", "Definitions?", {1, 2, 3, 4, 5}},
    {"Basu", "Theorems?", {1, 2, 3, 4, 5}},
    {"Basu", "Lemmas?", {1, 2, 3, 4, 5, 6, 7}},
    {"Basu", "Corollar(?:y|ies)", {1, 2, 3}},
    {"Basu", "Fact", {1}},
    {"Basu", "Remark", {1}},
    {"Chandak", "Definitions?", {1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"Chandak", "Claim", {1, 12}},
    {"Chandak", "Algorithms?", {1, 2, 3, 4, 5}},
    {"Chandak", "Theorems?", {4, 5, 6, 7, 8, 9, 10, 11}},
    {"Chandak", "Lemmas?", {2, 3, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28}},
    {"Chandak", "Corollary", {13}},
    {"Hu", "Definition", {1}},
    {"Hu", "Algorithms?", {1, 2, 3, 4}},
    {"Hu", "Theorems?", {2, 3, 4, 5, 8, 9, 12}},
    {"Hu", "Corollar(?:y|ies)", {10, 11}},
    {"Hu", "Lemmas?", {6, 7, 19, 20, 21, 22, 23, 24}},
    {"Hu", "Facts?", {13, 14, 15, 16, 17, 18}},
};

TEST(Papers, NameEverythingThatHasANumber) {
  for (const Numbered& numbered : kNumbered) {
    std::set<int> named;
    for (const Item& item : items()) {
      if (item.paper == numbered.paper) named.merge(numbers_after(item.says, numbered.kind));
    }
    for (const int number : numbered.numbers) {
      EXPECT_TRUE(named.contains(number))
          << numbered.paper << ": " << numbered.kind << " " << number << " has no row";
    }
  }
  EXPECT_EQ(numbers_after("Theorem 9, Lemmas 17 to 19 and 23: of 5", "Lemmas?"),
            (std::set<int>{17, 18, 19, 23}));
  EXPECT_TRUE(numbers_after("Lemma 2", "Theorems?").empty());
}

/// What no theorem says but the text does, and what the authors could protest if it was judged otherwise.
struct Judged {
  std::string paper, says, verdict;
};

const std::vector<Judged> kJudged = {
    {"Chen", "bounds of equal gaps apply to all", "corrected"},
    {"Chen", "no policy has less than m B_inf^2", "corrected"},
    {"Chen", "nearly dominated by the first", "corrected"},
    {"Wang", "Theorem 3: it is eps-local", "refuted"},
    {"Wang", "Theorem 5: it is (eps, delta)-local", "refuted"},
    {"Wang", "every item is (eps, delta)-local", "refuted"},
    {"Wang", "Theorem 9: it is (eps, delta)-local", "corrected"},
    {"Wang", "at p = 1/K and eps -> 0", "corrected"},
    {"Wang", "a negligible effect on the lower bound", "refuted"},
    {"Wang", "Figure 1(a) to (d)", "holds"},
    {"Wang", "Figure 1(e)", "holds"},
    {"Wang", "Figure 1(f)", "holds"},
    {"Basu", "is a constant eps, however long", "corrected"},
    {"Basu", "under any prior", "corrected"},
    {"Basu", "worse by a factor of 1/(e eps)", "corrected"},
    {"Basu", "better than Theorem 1 by e^(eps/2)", "refuted"},
    {"Basu", "Theorem 2: instantaneous policies", "refuted"},
    {"Basu", "Corollary 1", "holds"},
    {"Basu", "Corollary 2", "refuted"},
    {"Basu", "5.4: local privacy is dearer", "holds"},
    {"Basu", "5.4: as eps falls regret grows", "holds"},
    {"Basu", "5.4: instantaneous privacy is dearer", "refuted"},
    {"Basu", "regret is multiplied by a factor", "corrected"},
    {"Basu", "optimal private policy for adversarial rewards", "open"},
    {"Hu", "Figure 2: the same", "open"},
    {"Hu", "both have the same coefficient", "corrected"},
    {"Hu", "where gaps double Theorem 9 gives", "corrected"},
};

TEST(Papers, JudgeWhatIsSaidInTheTextAndJudgeFairly) {
  for (const Judged& judged : kJudged) {
    int found = 0;
    for (const Item& item : items()) {
      if (item.paper != judged.paper || item.says.find(judged.says) == std::string::npos) continue;
      ++found;
      EXPECT_EQ(item.verdict(), judged.verdict) << item.place() << ": " << item.says;
    }
    EXPECT_GT(found, 0) << judged.paper << ": " << judged.says << " has no row";
  }
}

/// What is true, and could be sharper, is not corrected.
TEST(Papers, CallWhatIsTrueAndLooseTheSameEverywhere) {
  const std::vector<std::pair<std::string, std::string>> loose = {{"Chen", "Theorem 7"},
                                                                  {"Basu", "Lemma 2"},
                                                                  {"Basu", "Theorems 4 and 5"},
                                                                  {"Chandak", "Theorem 8"},
                                                                  {"Chandak", "Theorem 10"}};
  for (const auto& [paper, says] : loose) {
    const auto all = items();
    const auto item = std::find_if(all.begin(), all.end(), [&, p = paper, s = says](const Item& i) {
      return i.paper == p && i.says.find(s) != std::string::npos &&
             i.says.find("Tables") == std::string::npos;
    });
    ASSERT_NE(item, all.end()) << says;
    EXPECT_TRUE(item->holds.starts_with("holds: loose")) << item->place() << ": " << item->holds;
  }
  for (const Item& item : items()) {
    EXPECT_TRUE(item.verdict() != "corrected" || item.holds.find("loose") == std::string::npos)
        << item.place() << ": " << item.holds;
  }
}

TEST(Papers, JudgeEveryItemInOneOfAFewWords) {
  int not_covered = 0;
  for (const Item& item : items()) {
    const std::string verdict = item.verdict();
    EXPECT_NE(std::find(verdicts().begin(), verdicts().end(), verdict), verdicts().end())
        << item.place() << ": " << item.holds;
    const bool needs_a_reason = verdict != "holds" && verdict != "nothing to judge";
    EXPECT_FALSE(needs_a_reason && item.holds.size() < verdict.size() + 20)
        << item.place() << " says why: " << item.holds;
    EXPECT_FALSE(item.says.empty()) << item.place();
    if (verdict == "not covered") {
      ++not_covered;
    } else {
      EXPECT_FALSE(between(item.here, "`").empty()) << item.place() << " is nowhere";
    }
  }
  EXPECT_LE(not_covered, kMostNotCovered);
}

TEST(Papers, AreCountedRight) {
  std::map<std::string, std::map<std::string, int>> counted;
  for (const std::string& paper : kPapers) {
    for (const std::string& verdict : verdicts()) {
      counted[paper][verdict] = 0;
      counted["all"][verdict] = 0;
    }
  }
  for (const Item& item : items()) {
    for (const std::string& column : {item.paper, std::string("all")}) {
      ++counted[column][item.verdict()];
      ++counted[column]["all"];
    }
  }
  EXPECT_EQ(totals(), counted);
}

TEST(Papers, NameWhatExists) {
  const KnownNames known;
  for (const Item& item : items()) {
    for (const std::string& column : {item.says, item.here, item.command, item.holds}) {
      EXPECT_EQ(std::count(column.begin(), column.end(), '`') % 2, 0) << item.place();
      for (const std::string& name : between(column, "`")) {
        EXPECT_TRUE(is_command(name) || known.have(name)) << item.place() << ": " << name;
      }
    }
  }
}

TEST(Papers, NamesThatDoNotExistAreNoticed) {
  const KnownNames known;
  for (const char* name :
       {"no-such-policy", "theory::no_such_function", "privacy::adversary_failure",
        "ActionSet::no_such_member", "NoSuchClass::value", "nothing=1", "record=none",
        "--environment", "--no-such-option", "tops:3", "matroid:round:FILE", "docs/none.md",
        "hu-fig3", ""}) {
    EXPECT_FALSE(known.have(name)) << name;
  }
  for (const char* name : {"theory::adversary_failure", "ActionSet::value", "record=one", "a=1.5",
                           "--environment-epsilon", "top:3", "worst:hu-theorem-12", "hu-fig1"}) {
    EXPECT_TRUE(known.have(name)) << name;
  }
}

/// Whatever comes from one of the papers has its row.
TEST(Papers, LeaveNothingOut) {
  std::set<std::string> named;
  for (const Item& item : items()) {
    for (const std::string& name : between(item.here + item.command + item.holds, "`")) {
      named.insert(name);
    }
    for (const std::string& figure : figures_asked_for(item)) named.insert(figure);
  }
  const std::regex of_theirs("\\b(Chen|Wang|Basu|Hu) et al\\.|\\bChandak's thesis");
  for (const reports::PaperFigure& figure : reports::paper_figures()) {
    const bool is_theirs = std::regex_search(figure.source, of_theirs);
    EXPECT_TRUE(!is_theirs || named.contains(figure.name)) << figure.name;
  }
  for (const theory::Bound& bound : theory::bounds()) {
    const bool is_theirs = std::any_of(kPapers.begin(), kPapers.end(), [&](std::string paper) {
      paper[0] = static_cast<char>(std::tolower(paper[0]));
      return bound.name.starts_with(paper + "-");
    });
    EXPECT_TRUE(!is_theirs || named.contains(bound.name)) << bound.name;
  }
  const std::regex theirs("^(Chen et al\\. 2020|Wang et al\\.|Chandak|Hu[, ])");
  for (const policies::Entry& entry : policies::catalogue()) {
    const bool is_theirs = std::regex_search(entry.card.paper, theirs);
    EXPECT_TRUE(!is_theirs || named.contains(entry.card.name)) << entry.card.name;
  }
}

/// `hu-fig1` 1 of 3: three claims are judged by that figure.
TEST(Papers, CountTheClaimsOfFigures) {
  for (const Item& item : items()) {
    std::set<std::string> told;
    for (const auto& [figure, hold, claims] : counts_in(item.holds)) {
      told.insert(figure);
      const int judged = claims_of(figure);
      EXPECT_TRUE(judged < 0 || judged == claims)
          << item.place() << ": " << figure << " " << judged;
      EXPECT_LE(hold, claims) << item.place() << ": " << figure;
      EXPECT_TRUE(item.verdict() != "holds" || hold == claims) << item.place() << ": " << figure;
    }
    for (const std::string& figure : figures_asked_for(item)) {
      EXPECT_TRUE(claims_of(figure) <= 0 || told.contains(figure))
          << item.place() << " does not say how many claims of " << figure << " hold";
    }
  }
}

/// What `tacit reproduce all -o FOLDER` came to, where TACIT_REPRODUCED names that folder: scripts/reproduce_papers.sh.
TEST(Papers, SayWhatWasReproduced) {
  const char* folder = std::getenv("TACIT_REPRODUCED");
  if (folder == nullptr) GTEST_SKIP() << "TACIT_REPRODUCED names no folder";
  int compared = 0;
  for (const Item& item : items()) {
    for (const Count& count : counts_in(item.holds)) {
      if (fs::exists(fs::path(folder) / (count.figure + ".txt"))) ++compared;
    }
    for (const std::string& difference : said_otherwise(counts_in(item.holds), folder)) {
      ADD_FAILURE() << item.place() << ": " << difference;
    }
  }
  EXPECT_GT(compared, 0) << folder << " has no verdicts";
}

TEST(Papers, VerdictsThatSayOtherwiseAreNoticed) {
  const fs::path folder = fs::path(testing::TempDir()) / "papers_verdicts";
  fs::create_directories(folder);
  std::ofstream(folder / "fig.txt") << "fig: Title\n\nVerdict: 1 of 3 claims hold, 2 open\n";
  std::ofstream(folder / "shown.txt") << "shown: Title\n\nVerdict: nothing is claimed\n";
  EXPECT_EQ(counts_in("holds: `fig` 1 of 3, `shown` 10 of 12; 2 of 2"),
            (std::vector<Count>{{"fig", 1, 3}, {"shown", 10, 12}}));
  EXPECT_TRUE(said_otherwise({{"fig", 1, 3}, {"elsewhere", 1, 2}}, folder).empty());
  EXPECT_EQ(said_otherwise({{"fig", 1, 2}, {"fig", 11, 3}, {"shown", 1, 1}}, folder).size(), 3U);
  EXPECT_EQ(said_otherwise({{"fig", 2, 3}}, folder),
            std::vector<std::string>{"fig has 2 of 3 in docs/papers.md, and in its verdict 1 of 3 "
                                     "claims hold, 2 open"});
}

TEST(Papers, CommandsRunAndPrintTheFiguresInBold) {
  std::filesystem::current_path(root());  // the commands name files of the sources
  const KnownNames known;
  std::map<std::string, std::string> printed;
  for (const Item& item : items()) {
    std::string output;
    for (const std::string& command : commands_of(item)) {
      cli_test::Arguments words = words_of(command);
      if (is_reproduce(command)) {
        for (std::size_t i = 1; i < words.size(); ++i) {
          EXPECT_TRUE(known.is_figure(words[i])) << item.place() << ": " << command;
        }
        words.emplace_back("--list");  // is read as it would be, and plays nothing
      } else if (words[0] == "simulate") {
        ASSERT_LE(rounds_of(words), kMostRounds) << item.place() << ": " << command;
      }
      if (!printed.contains(command)) {
        const cli_test::Result result = cli_test::run_tacit(words);
        EXPECT_EQ(result.exit, 0) << item.place() << ": " << command << "\n" << result.err;
        printed[command] = result.out;
      }
      if (!is_reproduce(command)) output += printed[command];
    }
    for (const std::string& figure : between(item.holds, "**")) {
      EXPECT_TRUE(shows(output, figure)) << item.place() << " prints no " << figure;
    }
  }
}

TEST(Papers, FiguresThatAreNotPrintedAreNoticed) {
  EXPECT_TRUE(shows("cucb  42.9  5.4", "42.9"));
  EXPECT_TRUE(shows("B_1 1, B_inf 2, gamma_g 0.7", "B_inf 2"));
  EXPECT_TRUE(shows("violated: epsilon", "violated"));
  EXPECT_FALSE(shows("cucb  142.9  5.4", "42.9"));
  EXPECT_FALSE(shows("cucb  42.91  5.4", "42.9"));
  EXPECT_FALSE(shows("B_inf 20", "B_inf 2"));
  EXPECT_FALSE(shows("B_inf 2.5", "B_inf 2"));
  EXPECT_FALSE(shows("", "2"));
}

}  // namespace
}  // namespace tacit::papers_test
