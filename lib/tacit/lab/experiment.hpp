// An experiment: problems x policies x parameters, as a researcher writes them down in a TOML file.
//
//   title, runs, horizon, seed, checkpoints, noise, against, epsilon, delta      for all that follows
//   error or budget, most, top   instead of a horizon, where the best arm is identified
//   [[problem]]  name, means or prior, rewards, actions, environment-epsilon; label; with = { K = [2, 4] } for {K};
//                horizon, runs, checkpoints, against, epsilon, error, budget, most, top, and which policies play it
//   [[policy]]   name; epsilon, delta, error, params = { ... }; label
//   [[figure]], [[claim]]   what to draw, and what somebody says of it: for those who report (tacit/reports)
// A list is a sweep; sweeps multiply. docs/experiments.md describes every key.
//
// Reading checks the form alone; what a problem or a policy accepts is found out when it is made.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tacit/specs/requests.hpp"
#include "tacit/storage/source_line.hpp"

namespace tacit::lab {

/// One cell of an experiment.
struct Configuration {
  specs::RequestText request;  // what `tacit simulate` takes as options
  std::string problem_label;
  std::string problem_family;  // the label before its {variables} are filled in
  std::string policy_label;
  /// The values that {names} in the problem stand for: what a figure may have on its axis.
  std::vector<std::pair<std::string, std::string>> variables;
  storage::SourceLine problem_place, policy_place;
  std::map<std::string, storage::SourceLine> places;  // of the keys that were given, for complaints
};

struct Experiment {
  std::string file;
  std::string text;
  std::string title;
  std::vector<Configuration> configurations;  // by problem, then policy, then epsilon, error, ...
};

/// Throws InvalidParameter that names the line.
Experiment read_experiment(const std::string& text, const std::string& file);

}  // namespace tacit::lab
