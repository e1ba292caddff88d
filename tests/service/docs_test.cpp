// docs/service.md names every method, every key and every policy that there is, and no other.
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "service/rig.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/service/api/openapi.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/serving_rules.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::service {
namespace {

using Names = std::set<std::string>;

std::string text_of(const std::string& file) {
  std::ifstream stream(std::string(TACIT_SOURCE) + "/" + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The cells of the table that follows this line of the guide, without its two heading rows.
std::vector<std::vector<std::string>> table_after(const std::string& line) {
  std::istringstream guide(text_of("docs/service.md"));
  std::vector<std::vector<std::string>> rows;
  bool found = false;
  for (std::string at; std::getline(guide, at);) {
    if (at.starts_with(line)) {
      found = true;
    } else if (found && at.starts_with('|')) {
      const std::regex cell(R"(\| *([^|]*[^| ]) *(?=\|))");
      std::vector<std::string> cells;
      for (std::sregex_iterator next(at.begin(), at.end(), cell), end; next != end; ++next) {
        cells.push_back((*next)[1]);
      }
      rows.push_back(cells);
    } else if (!rows.empty()) {
      break;
    }
  }
  if (rows.size() < 3) throw std::runtime_error("no table follows: " + line);
  rows.erase(rows.begin(), rows.begin() + 2);
  return rows;
}

/// What stands in `backticks`.
Names names_in(const std::string& cell) {
  const std::regex name("`([^`]+)`");
  Names names;
  for (std::sregex_iterator next(cell.begin(), cell.end(), name), end; next != end; ++next) {
    names.insert((*next)[1]);
  }
  return names;
}

Names keys_after(const std::string& line) {
  Names keys;
  for (const auto& row : table_after(line)) keys.merge(names_in(row.at(0)));
  return keys;
}

const Json& document() {
  static const Json document = Json::parse(api::openapi_document());
  return document;
}

Names properties_of(const char* schema) {
  Names names;
  for (const auto& [name, type] :
       document()["components"]["schemas"][schema]["properties"].items()) {
    names.insert(name);
  }
  return names;
}

constexpr const char* kOfExperiments = "An `[[experiment]]`";

TEST(ServiceGuide, HasEveryMethodWithWhoMayCallIt) {
  std::map<std::string, std::string> served;
  for (const auto& [path, methods] : document()["paths"].items()) {
    for (const auto& [method, operation] : methods.items()) {
      if (!operation.contains("x-role")) continue;
      std::string upper = method;
      for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      served[upper + " `" + path + "`"] = operation["x-role"];
    }
  }
  std::map<std::string, std::string> told;
  for (const auto& row : table_after("## Every method")) {
    told[row.at(0) + " " + row.at(1)] = row.at(2);
  }
  EXPECT_EQ(told, served);
}

TEST(ServiceGuide, HasEveryKeyOfTheConfiguration) {
  const std::string source = text_of("lib/tacit/service/configuration.cpp");
  const std::regex read(R"re(top(?:, |\.\w+\()"(\w+)")re");
  Names keys;
  for (std::sregex_iterator next(source.begin(), source.end(), read), end; next != end; ++next) {
    keys.insert((*next)[1]);
  }
  EXPECT_EQ(keys_after("## Every key of the configuration"), keys);
  EXPECT_EQ(keys_after("A `[[population]]`"), properties_of("PopulationRequest"));
}

TEST(ServiceGuide, HasEveryKeyOfAnExperimentAndItsDefault) {
  std::string known;
  try {
    spec_of({{"nothing", 0}});
  } catch (const Problem& problem) {
    known = problem.what();
  }
  const std::regex word(R"(\w+(?=[,)]))");
  const auto list = known.find("(known: ");
  ASSERT_NE(list, std::string::npos) << known;
  Names keys;
  for (std::sregex_iterator
           next(known.begin() + static_cast<std::ptrdiff_t>(list), known.end(), word),
       end;
       next != end; ++next) {
    keys.insert((*next)[0]);
  }
  EXPECT_EQ(keys_after(kOfExperiments), keys);

  const Json spec =
      json_of(spec_of({{"name", "x"}, {"population", "p"}, {"arms", {"a", "b"}}, {"epsilon", 1}}));
  int compared = 0;
  for (const auto& row : table_after(kOfExperiments)) {
    const Names said = names_in(row.at(1));
    const Json told = Json::parse(said.empty() ? "" : *said.begin(), nullptr, false);
    if (told.is_discarded()) continue;  // said in words
    EXPECT_EQ(spec[*names_in(row.at(0)).begin()], told) << row.at(0);
    ++compared;
  }
  EXPECT_EQ(compared, 5);
}

bool is_accepted(const Json& spec) {
  return status_of([&] { servable(spec_of(spec)); }) == 0;
}

bool takes_an_arm_more(const Json& spec) {
  SumsAsTheyAre releaser;
  Rig rig(releaser);
  rig.population();
  const Id id = rig.create(spec);
  const ArmSpec arm{.name = "more", .value = "1", .retired = false};
  return status_of([&] { rig.engine().add_arm(id, arm, "test", rig.clock.now()); }) == 0;
}

/// As the guide says it: from whom and of what it learns, whether it has floors, whether it has a holdout and takes arms.
using Served = std::vector<std::string>;

std::map<std::string, Served> policies_that_are_told() {
  std::map<std::string, Served> told;
  for (const auto& row : table_after("### Which policies can be served")) {
    const std::string& what = row.at(1);
    const auto says = [&](const char* word) { return what.find(word) != std::string::npos; };
    for (const std::string& policy : names_in(row.at(0))) {
      EXPECT_FALSE(told.contains(policy)) << policy << " is told twice";
      told[policy] = {says("device") ? "device" : "sum",
                      says("all arms") ? "all"
                      : says("list")   ? "list"
                                       : "one",
                      row.at(2), row.at(3)};
    }
  }
  return told;
}

TEST(ServiceGuide, HasEveryPolicyThatCanBeServedAndWhatItCan) {
  const auto told = policies_that_are_told();
  std::set<std::string> served;
  for (const policies::Entry& entry : policies::catalogue()) {
    const policies::Card& card = entry.card;
    Json spec = small_spec();
    spec["policy"] = card.name;
    if (card.plays_sets()) spec["actions"] = "top:2";
    if (!is_accepted(spec)) continue;
    const std::string name = card.name;
    served.insert(name);
    SCOPED_TRACE(name);
    Json floor = spec;
    floor["floor"] = 0.1;
    Json holdout = spec;
    holdout["holdout"] = 0.1;
    EXPECT_EQ(is_accepted(holdout), takes_an_arm_more(spec));
    const auto row = told.find(name);
    if (row == told.end()) continue;
    EXPECT_EQ(row->second,
              (Served{card.trust == policies::Trust::kLocal ? "device" : "sum",
                      card.feedback == feedback::Kind::kFull ? "all"
                      : card.plays_sets()                    ? "list"
                                                             : "one",
                      is_accepted(floor) ? "yes" : "no", is_accepted(holdout) ? "yes" : "no"}));
  }
  std::set<std::string> names;
  for (const auto& [name, row] : told) names.insert(name);
  EXPECT_EQ(names, served);
}

/// What the unit of systemd says of a key, a line each.
Names told_to_systemd(const std::string& key) {
  std::istringstream unit(text_of("examples/service/tacit.service"));
  Names values;
  for (std::string line; std::getline(unit, line);) {
    if (line.starts_with(key + "=")) values.insert(line.substr(key.size() + 1));
  }
  return values;
}

TEST(ServiceUnit, StartsWithTheRightClockAndAgainAsOftenAsItTakes) {
  EXPECT_EQ(told_to_systemd("Wants"), Names{"time-sync.target"});
  EXPECT_EQ(told_to_systemd("After"), Names{"network.target time-sync.target"});
  EXPECT_EQ(told_to_systemd("Restart"), Names{"always"});
  EXPECT_EQ(told_to_systemd("StartLimitIntervalSec"), Names{"0"});
  EXPECT_EQ(told_to_systemd("StartLimitBurst"), Names{});
  EXPECT_EQ(told_to_systemd("MemoryMax"), Names{"1G"});
}

TEST(ServiceGuide, StarsWhatMayChange) {
  Names stars{"paused", "values"};
  for (const auto& row : table_after(kOfExperiments)) {
    if (row.at(0).ends_with('*')) stars.merge(names_in(row.at(0)));
  }
  EXPECT_EQ(stars, properties_of("Change"));
}

}  // namespace
}  // namespace tacit::service
