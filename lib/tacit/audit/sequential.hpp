// An audit that stops as soon as it knows: pairs of neighbouring tables, a coin for each run, and a guess from the declared
// law which of the two was played. How large the noise is in truth is learned from the runs so far (declared.hpp), and so is
// which pair is worth playing; evidence against the claim is an e-process (against.hpp), so that both are free.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/accounting/composition.hpp"
#include "tacit/audit/watched.hpp"

namespace tacit::audit {

struct SequentialResult {
  bool violated = false;
  std::int64_t samples = 0;  // runs that it took, or that were made
  double log_evidence = 0;
  std::string pair;    // the one that was played most
  double factor = 1;   // how much larger the noise seems to be than declared
  Round released = 0;  // answers that were looked at; 0: nothing was seen
};

SequentialResult sequential_audit(const Play& play, const accounting::Cost& claim,
                                  std::int64_t most_samples, double error);

}  // namespace tacit::audit
