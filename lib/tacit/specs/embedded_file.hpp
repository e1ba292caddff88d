// Files that are part of the program.
#pragma once

#include <vector>

#include "tacit/core/embedded_file.hpp"

namespace tacit::specs {

/// Graphs of tests/data, to be named like @rome99_part wherever a file of edges is.
const std::vector<EmbeddedFile>& embedded_graphs();

}  // namespace tacit::specs
