// Telling two laws apart from samples: the largest epsilon that a sample certifies.
//
// Half of the runs learn and choose an event, the other half test it, so that one event is tested and
// nothing has to be paid for having looked at many. A run is a list of numbers (an action a round, or what
// mechanisms showed). Learning: every place in the list is cut into cells, each cell gets the logarithm of how
// much more frequent it is under one law, and a run scores the sum over its places. For releases with independent
// noise that sum is the likelihood ratio, which is the best there is (Neyman & Pearson); single places, differences
// of neighbouring ones (noise that is shared cancels in them), the length and the list as a whole are tried too.
// The event is "the score is at least c".
//
// Testing: P(event) under one law is at least `low`, under the other at most `high` (Clopper & Pearson 1934),
// both but for the given error; what is certified is ln((low - delta)/high).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tacit::audit {

using Observation = std::vector<double>;

struct Certified {
  double epsilon = 0;  // never below 0, which certifies nothing
  std::string event;   // in words
  double one = 0;      // how often it happened in the test, under the two laws
  double other = 0;
};

/// P(at least `count` of `trials` heads) is at most `error` for every chance below this.
double lower_chance(std::int64_t count, std::int64_t trials, double error);
/// The same from above.
double upper_chance(std::int64_t count, std::int64_t trials, double error);

/// As many places as are looked at: of a longer list the first and the last, and between them a number that stands for
/// the whole. For lists whose length tells nothing.
Observation abridged(Observation run);

/// How much more likely an event is under the law of `one` than under that of `other`, at least, but for
/// probability `error`. Both have as many observations.
Certified distinguish(const std::vector<Observation>& one, const std::vector<Observation>& other,
                      double delta, double error);

}  // namespace tacit::audit
