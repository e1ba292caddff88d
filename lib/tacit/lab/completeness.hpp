// How much of what an experiment wants is there.
#pragma once

#include <cstdint>
#include <vector>

#include "tacit/lab/results.hpp"

namespace tacit::lab {

/// The blocks of the runs that are wanted of a configuration, as far as they are there without a gap: what counts
/// of it.
std::vector<Block> unbroken_blocks(const Results& results,
                                   const StoredConfiguration& configuration);

/// Runs of all configurations.
struct Completeness {
  std::int64_t runs = 0;
  std::int64_t wanted = 0;
};
Completeness completeness_of(const Results& results);

}  // namespace tacit::lab
