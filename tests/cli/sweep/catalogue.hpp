// What the program says that it has: so that what is added to it is swept unasked.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace tacit::cli_test {

struct Parameter {
  std::string name;
  std::string range;  // a|b|c, (low, high) or low..high
};

struct SweptPolicy {
  std::string name;
  std::string feedback;
  std::vector<Parameter> parameters;
  bool
      keeps_its_epsilon;  // the guarantee that was computed is the one that was published, or a better one
};

struct SweptProblem {
  std::string name;
  int arms;
  bool of_sets;     // it comes with sets of its own
  bool has_no_law;  // so that a policy may do better than the best fixed arm
};

struct SweptOption {
  std::string name;  // with its dashes
  bool takes_value;
  std::vector<std::string> forms;  // like log:N, which its help names
};

struct Catalogue {
  std::vector<SweptPolicy> policies;
  std::vector<SweptProblem> problems;              // that need no file
  std::vector<std::string> problem_files;          // forms like table:FILE
  std::vector<std::string> action_files;           // forms like paths:FILE:SOURCE:TARGET
  std::vector<std::vector<std::string>> commands;  // the words of each, serve key add
  std::set<std::string>
      names;  // of options, without dashes too, and of parameters: what a refusal may be about
};

Catalogue catalogue();
/// What its values without an option are called, and one of them.
std::vector<std::string> positionals_of(const std::vector<std::string>& command);
std::vector<SweptOption> options_of(const std::vector<std::string>& command);

}  // namespace tacit::cli_test
