// An audit that stops as soon as it knows: pairs of neighbouring tables, a coin for each run, and two guesses which of the two
// was played: one from the declared law (declared.hpp), where how large the noise is in truth is learned from the runs so
// far, and one from all that is seen, learned alone (learned.hpp). Which pair is worth playing is learned too. Evidence is
// an e-process (certified.hpp), so that all of this is free.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tacit/accounting/composition.hpp"
#include "tacit/audit/watched.hpp"

namespace tacit::audit {

struct Effort {
  std::int64_t samples = 40000;  // at most
  double error = 1e-3;
  int threads = 1;  // the answer does not depend on them
};

struct SequentialResult {
  bool violated = false;
  std::int64_t samples = 0;  // runs that it took, or that were made
  double lower_bound = 0;    // certified but for the error
  std::string pair;          // the one that was played most
  std::string guessed_by;    // "the declared law", or what the learned guess goes by
  double factor = 1;         // how much larger the noise seems to be than declared
};

/// In turn in each of these ways, which are of one policy; until the claim is refuted, or there are as many runs as
/// there may be.
SequentialResult sequential_audit(std::span<const Play> ways, const accounting::Cost& claim,
                                  const Effort& effort);

/// How much a run tells against a claim of epsilon, were the noise that many times as large as declared, one of kFactors,
/// on the pair that tells most: the Kullback-Leibler divergence to the nearest pair of laws that keep the claim, by so
/// many runs on every pair. About ln(1/error) divided by this is how many runs it takes at least.
double information(const Play& play, double epsilon, double factor, int runs);

}  // namespace tacit::audit
