// The law audit: in a simulation it is known what went into a mechanism, so what came out is held to the law that the
// plan declares, release by release and jointly.
//
// Evidence is an e-process: the product, over runs, of how much more likely what came out would be were the noise
// larger or smaller by some factor, or leant to one side, than were it as declared, averaged. As declared, it exceeds
// 1/error with probability at most `error`, whenever one stops (Ville's inequality); with half the noise it grows
// with every run. One process for each of the first dozen releases, and one for all of a run where their noises are
// independent.
// Jointly: noise that is shared, between phases, arms or the blocks of a counter, makes two or three noises add up to
// nothing again and again, which independent noise does not.
#pragma once

#include <string>

#include "tacit/audit/watched.hpp"

namespace tacit::audit {

struct LawResult {
  std::string complaint;  // "": none was found
  int samples = 0;        // runs that it took, or that were made
  double evidence = 0;    // the largest logarithm of an e-process, times its share of the error
  Round released = 0;     // that were looked at; 0: nothing was seen
};

/// As many runs as it takes to find a fault, at most so many. For policies that claim privacy; full information and
/// noisy leaders with two arms.
LawResult law_audit(const Play& play, int most_samples, double error);

}  // namespace tacit::audit
