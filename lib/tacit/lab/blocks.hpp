// Runs are computed, stored and resumed in blocks. Which runs a block holds depends on nothing but
// their number, so that threads, shards, machines and interruptions cannot change a result; and an
// experiment that is given more runs later keeps the blocks that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacit/simulation/simulate.hpp"

namespace tacit::lab {

struct Block {
  std::int64_t first = 0;  // run
  std::int64_t runs = 0;
  bool operator==(const Block&) const = default;
};

/// The blocks of runs 0..runs-1: single runs up to 64, then longer ones, a 32nd to a 64th of what
/// comes before them, so that a block in flight is always a small part of the whole.
std::vector<Block> blocks_of(std::int64_t runs);

/// What the runs of a block came to.
struct BlockResult {
  Block block;
  std::vector<double> regrets;  // of every run at every checkpoint, run by run
  std::vector<double> pulls;    // of every arm, over all runs
  std::int64_t decisions = 0;
  double cpu_seconds = 0;
};

BlockResult compute(const simulation::Simulator& simulator, const Block& block);

/// As bytes, for messages between machines of one kind.
std::string to_bytes(const BlockResult& result);
BlockResult from_bytes(const std::string& bytes);

}  // namespace tacit::lab
