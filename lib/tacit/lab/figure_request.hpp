// What an experiment's [[figure]] asks to be drawn.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/place.hpp"

namespace tacit::lab {

struct FigureRequest {
  std::string name;             // of its file, without an ending
  std::string title;            // may be empty
  std::string source;           // where it comes from; may be empty
  std::string note;             // what a reader should know; may be empty
  std::string x = "t";          // t, epsilon, 1/epsilon, or a variable of the problems
  std::string y = "regret";     // regret, regret/ln(t) or return
  std::string axes = "linear";  // linear, logx, logy or loglog
  std::string panels;           // one panel a problem, epsilon or variable; empty: one for all
  std::vector<std::string> problems;  // labels; empty: all
  std::vector<std::string> policies;  // labels; empty: all
  std::vector<std::string> epsilons;  // empty: all
  std::vector<std::string> bounds;    // names of tacit bounds
  bool slopes = false;                // fit a line to each curve and print its slope
  Place place;
};

}  // namespace tacit::lab
