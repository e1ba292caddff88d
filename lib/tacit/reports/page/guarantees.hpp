// What policies promise, said once for all figures of a page: many have the same argument, at many epsilons.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports::page {

/// What is kept and why, as a function of epsilon, and who it is true of.
struct Argument {
  std::string kept;       // "central ε", "local 2 ε, δ = 0.001" or "none"
  std::string published;  // the same of what was published
  std::string because;    // at the first epsilon that was met
  std::optional<double> epsilon;
  bool only_one = true;               // whether the reason reads the same wherever it was met
  std::vector<std::string> policies;  // in the order of the page
};

class Guarantees {
 public:
  explicit Guarantees(const std::vector<ReproducedFigure>& figures);

  const std::vector<Argument>& arguments() const { return arguments_; }
  /// Which of them a promise is.
  std::size_t argument_of(const PolicyPromise& promise) const;
  std::string id_of_argument(std::size_t number) const;

 private:
  struct Words {
    std::string kept, published, because;

    bool operator<(const Words& other) const {
      return std::tie(kept, published, because) <
             std::tie(other.kept, other.published, other.because);
    }
  };
  Words words_for(const PolicyPromise& promise) const;

  std::vector<Argument> arguments_;
  std::map<Words, std::size_t> numbers_;
  std::map<std::string, std::set<double>> multiples_;  // of epsilon, by policy
};

/// A list of all arguments.
std::string guarantees_html(const Guarantees& guarantees);

/// What the policies of a figure keep, with links to the arguments.
std::string promises_html(const Verdict& verdict, const Guarantees& guarantees);

/// Where a policy of the figure keeps less than was published, something else or more; empty where none does.
std::string differences_html(const Verdict& verdict, const Guarantees& guarantees);

}  // namespace tacit::reports::page
