// An experiment: problems x policies x parameters, as a researcher writes them down in a TOML file.
//
//   title, runs, horizon, seed, checkpoints, noise, epsilon, delta      for all that follows
//   [[problem]]  name or means, rewards, actions; label; with = { K = [2, 4] } for {K}; horizon, runs, checkpoints,
//                epsilon, and which policies play it
//   [[policy]]   name; epsilon, delta, params = { ... }; label
//   [[figure]]   what to draw (figure_request.hpp)
//   [[claim]]    what somebody says of a figure (claim.hpp)
// A list is a sweep; sweeps multiply. docs/experiments.md describes every key.
//
// Reading checks the form alone; what a problem or a policy accepts is found out when it is made.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/lab/claim.hpp"
#include "tacit/lab/figure_request.hpp"
#include "tacit/lab/place.hpp"

namespace tacit::lab {

/// One cell of an experiment, every value as text: what `tacit simulate` takes as options.
struct Configuration {
  std::string problem_label;
  std::string problem_family;  // the label before its {variables} are filled in
  std::optional<std::string> problem, means, rewards, actions;
  std::string policy;
  std::string policy_label;
  std::optional<std::string> epsilon, delta;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string horizon, runs, seed, checkpoints, noise;
  /// The values that {names} in the problem stand for: what a figure may have on its axis.
  std::vector<std::pair<std::string, std::string>> variables;
  Place problem_place, policy_place;
  std::map<std::string, Place> places;  // of the keys that were given, for complaints
};

struct Experiment {
  std::string file;
  std::string text;
  std::string title;
  std::vector<Configuration> configurations;  // by problem, then policy, then epsilon, ...
  std::vector<FigureRequest> figures;
  std::vector<Claim> claims;  // about them
};

/// Throws InvalidParameter that names the line.
Experiment read_experiment(const std::string& text, const std::string& file);

}  // namespace tacit::lab
