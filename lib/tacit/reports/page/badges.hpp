// Verdicts in a word, each with a sign of its own: nobody has to tell colours apart.
#pragma once

#include <string>

#include "tacit/reports/verdict.hpp"

namespace tacit::reports::page {

/// "holds", "does not hold" or "open".
std::string badge(Judgement judgement);
std::string badge(const BoundCheck& check);

struct Tally {
  int holds = 0, fails = 0, open = 0;
  int kept_bounds = 0;  // findings
  int broken_bounds = 0;

  void add(const Verdict& verdict);
  int claims() const { return holds + fails + open; }
};

/// "2 hold", "1 open": what there is of each, and "nothing is claimed" where there is nothing.
std::string badges(const Tally& tally);

/// Whether the finite bounds of all figures are kept; empty where there is none.
std::string bounds_badge(const Tally& tally);

}  // namespace tacit::reports::page
