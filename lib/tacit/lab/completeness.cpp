#include "tacit/lab/completeness.hpp"

#include <algorithm>

namespace tacit::lab {

std::vector<Block> unbroken_blocks(const Results& results, const StoredConfiguration& c) {
  const std::vector<Block> stored = results.blocks(c.fingerprint);
  std::vector<Block> blocks;
  for (const Block& block : blocks_of(c.runs)) {
    if (std::find(stored.begin(), stored.end(), block) == stored.end()) break;
    blocks.push_back(block);
  }
  return blocks;
}

Completeness completeness_of(const Results& results) {
  Completeness all;
  const storage::Transaction snapshot = results.snapshot();
  const Contents contents = results.contents();
  for (const StoredConfiguration& c : contents.configurations) {
    for (const Block& block : unbroken_blocks(results, c)) all.runs += block.runs;
    all.wanted += c.runs;
  }
  return all;
}

}  // namespace tacit::lab
