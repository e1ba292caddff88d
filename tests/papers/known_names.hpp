// What docs/papers.md may name: policies, bounds, figures, problems, priors, action sets, parameters, options, files, and what the
// library's headers declare.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tacit::papers_test {

class KnownNames {
 public:
  KnownNames();

  bool have(const std::string& name) const;
  bool is_figure(const std::string& name) const { return figures_.contains(name); }

 private:
  bool has_form(const std::string& name) const;
  /// `theory::function`, where the folder is the namespace; or `Class::member`.
  bool declared(const std::string& name) const;

  std::set<std::string> names_, figures_, options_;
  std::vector<std::string> forms_;              // without what a user puts in
  std::map<std::string, std::string> headers_;  // by path in lib/tacit, without comments
};

/// How many claims an experiment makes by a figure; -1: the figure is computed, and its claims with it.
int claims_of(const std::string& figure);

/// Whether a policy takes this value, written name=value.
bool is_parameter(const std::string& text);

}  // namespace tacit::papers_test
