// The true epsilon of a policy over a few rounds, computed instead of sampled.
//
// With noise on whole numbers (P(x) proportional to exp(-|x|/scale)) the probability of a sequence of actions is
// a finite sum up to the tails: given the sequence it is known which observations every release is about, so a
// dynamic program carries the joint law of the latest released values from round to round and keeps, at
// every decision, the part that takes the sequence's action. That is done for all sums that a release can
// have, and the ratio maximised over those that one round can turn into each other: every sequence, every
// table of bits, every user at once.
//
// What is left out are noises beyond a bound: a probability of `beyond` in all, as a delta.
#pragma once

#include <string>
#include <vector>

#include "tacit/core/round.hpp"

namespace tacit::audit {

struct ExactResult {
  double epsilon =
      0;              // the largest log-ratio of any sequence of actions between any two neighbours
  double beyond = 0;  // probability of the noises that were left out
  std::string where;  // the sequence and the sums that attain it
};

/// Those that it can compute.
const std::vector<std::string>& exactly_auditable();

/// For one of them: two arms (dpucb-mat: two of three), so many rounds (0: 8, dpucb-mat: 4).
ExactResult exact_audit(const std::string& policy, double epsilon, Round rounds = 0);

}  // namespace tacit::audit
