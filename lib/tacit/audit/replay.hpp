// The replay audit: two tables that differ in one round, the same dice, and the learner is told on the one what it was
// told on the other (replaying as in arXiv:2602.17454).
//
// Whatever is seen then depends on the changed user only through what goes into the mechanisms. So
//   - choices, the slots that they fill, when slots are released, and the ledger must be equal;
//   - the sums that go in may differ by 1 in each entry, and in no more entries than one round has;
//   - with the same noise, what comes out must differ by what went in, and by nothing else: nothing is kept from one
//     release to another, but where the plan says so (running sums).
// Deterministic: no sample, no confidence. It does not look at the noise itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/audit/watched.hpp"

namespace tacit::audit {

struct ReplayResult {
  std::string complaint;  // "": none was found
  std::string where;      // between which tables
  int pairs = 0;          // that were played
  Round told = 0;         // releases and reports in all
  Round releases = 0;  // of the arm that had fewest, where it had most; reports, where users report
};

/// Between tables of zeros, ones and a leading first arm, with one round changed here and there from the first to the
/// last, in one arm, in all, and crosswise. For policies that claim privacy.
ReplayResult replay(const Play& play);

/// Small enough that one user weighs much: two arms, or two out of three, and as few rounds as bring every arm three
/// releases, at most 4096.
Play small_play(const policies::Entry& entry, double epsilon, std::optional<double> delta,
                const std::vector<policies::ParameterValue>& parameters);

/// Of the arm that had fewest; of all together, where a release is about all.
Round fewest_releases(const Watched& watched, int arms);

/// As few rounds as bring every arm three releases on the first of these tables, a power of two; at most `most`. Counters
/// as many as make up a block of blocks.
/// For leaders of epochs those with 32 rounds too, where a lead can weigh.
Round rounds_for_three_releases(Play play, Round most);

}  // namespace tacit::audit
