#include "catalogue.hpp"

#include <cmath>
#include <cstdlib>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "cli/documents.hpp"

namespace tacit::cli_test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

double number_of(const Json& value) {
  return value.is_string() ? std::stod(value.get<std::string>()) : INFINITY;
}

SweptPolicy policy_of(const Json& row) {
  SweptPolicy policy{row.at("name"), row.at("feedback"), {}, false};
  for (const Json& parameter : row.at("parameters")) {
    policy.parameters.push_back({parameter.at("name"), parameter.at("range")});
  }
  const Json& checked = row.at("checked");
  const Json& published = row.at("published");
  policy.keeps_its_epsilon = checked.at("notion") == published.at("notion") &&
                             number_of(checked.at("epsilon")) <= number_of(published.at("epsilon"));
  return policy;
}

/// The commands below this one, by the lines under "Subcommands:" of its help.
void add_commands(const std::vector<std::string>& command,
                  std::vector<std::vector<std::string>>& commands) {
  const Result help = run_tacit(command + Arguments{"--help"});
  EXPECT_EQ(help.exit, 0) << help.err;
  bool listed = false;
  for (const std::string& line : lines_of(help.out)) {
    if (line == "Subcommands:") {
      listed = true;
    } else if (listed && line.starts_with("  ") && line.find_first_not_of(' ') == 2) {
      const Arguments further = command + Arguments{line.substr(2, line.find(' ', 2) - 2)};
      commands.push_back(further);
      add_commands(further, commands);
    }
  }
}

}  // namespace

Catalogue catalogue() {
  Catalogue all;
  for (const Json& row : document_of({"list"})) all.policies.push_back(policy_of(row));
  for (const Json& row : document_of({"list", "--problems"})) {
    const std::string name = row.at("name");
    if (name.find(':') != std::string::npos) {
      all.problem_files.push_back(name);
    } else {
      all.problems.push_back({name, row.at("arms").get<int>(), row.at("actions") != "single",
                              row.at("title").get<std::string>().starts_with("no law")});
    }
  }
  bool actions = false;
  for (const std::string& line : lines_of(run_tacit({"list", "--problems"}).out)) {
    if (line.starts_with("--")) actions = line.starts_with("--actions");
    const std::string form = line.substr(0, line.find(' '));
    if (actions && form.find("FILE") != std::string::npos) all.action_files.push_back(form);
  }
  add_commands({}, all.commands);
  for (const SweptPolicy& policy : all.policies) {
    for (const Parameter& parameter : policy.parameters) all.names.insert(parameter.name);
  }
  for (const std::vector<std::string>& command : all.commands) {
    for (const std::string& name : positionals_of(command)) all.names.insert(name);
    for (const SweptOption& option : options_of(command)) {
      all.names.insert(option.name);
      all.names.insert(option.name.substr(2));
    }
  }
  EXPECT_GE(all.policies.size(), 58U);
  EXPECT_GE(all.problems.size(), 14U);
  EXPECT_GE(all.problem_files.size(), 7U);
  EXPECT_GE(all.action_files.size(), 12U);
  EXPECT_GE(all.commands.size(), 18U);
  return all;
}

std::vector<std::string> positionals_of(const std::vector<std::string>& command) {
  std::vector<std::string> names;
  bool listed = false;
  for (const std::string& line : lines_of(run_tacit(command + Arguments{"--help"}).out)) {
    if (line.empty()) listed = false;
    if (listed) {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
      if (names.back().ends_with('s'))
        names.push_back(names.back().substr(0, names.back().size() - 1));
    }
    if (line == "Positionals:") listed = true;
  }
  return names;
}

std::vector<SweptOption> options_of(const std::vector<std::string>& command) {
  const Result help = run_tacit(command + Arguments{"--help"});
  EXPECT_EQ(help.exit, 0) << help.err;
  std::vector<SweptOption> options;
  const std::regex option("^ +(?:-.,)?(--[a-z-]+)( TEXT)?.*");
  const std::regex form("([a-z]+:)N");
  for (const std::string& line : lines_of(help.out)) {
    std::smatch found;
    if (std::regex_match(line, found, option)) {
      options.push_back({found[1], found[2].matched, {}});
      if (options.back().name.starts_with("--help")) options.pop_back();
    }
    if (options.empty()) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), form), end; at != end; ++at) {
      options.back().forms.push_back((*at)[1]);
    }
  }
  return options;
}

}  // namespace tacit::cli_test
