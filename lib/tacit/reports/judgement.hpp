// Whether what is said of a figure holds of what was measured.
#pragma once

#include <string>

#include "tacit/reports/claim.hpp"
#include "tacit/reports/figure.hpp"

namespace tacit::reports {

enum class Judgement { kHolds, kFails, kOpen };
const char* name_of(Judgement judgement);

struct Judged {
  Judgement judgement = Judgement::kOpen;
  std::string measured;  // in one line
};

/// Holds: all of the 95% intervals is where the claim says; does not hold: none of one of them is. Open: the runs do not
/// tell, or the figure does not show what the claim is about.
Judged judge(const Claim& claim, const Figure& figure);

}  // namespace tacit::reports
