// What tables of policies say beside their rows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tacit/simulation/simulate.hpp"

namespace tacit::reports {

/// Its name, cut where it is long: a problem with thousands of arms lists them all.
std::string short_name(const problems::Problem& problem);

/// "mgf-imed: played with growth=2", on a line of its own; empty where no parameter was given.
std::string given_parameters(const simulation::Request& request);

/// "central 0.5, because ...".
std::string reason_of(const privacy::Guarantee& guarantee);

/// Lines "names: what is said of them": policies of which the same is said share one.
class SharedLines {
 public:
  void add(const std::string& name, const std::string& said);
  std::string text() const;

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace tacit::reports
