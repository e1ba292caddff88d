// Files that are part of the program.
#pragma once

#include <vector>

#include "tacit/core/embedded_file.hpp"

namespace tacit::reports {

/// experiments/*.toml.
const std::vector<EmbeddedFile>& embedded_experiments();

/// page/page.css and page/page.js.
const std::vector<EmbeddedFile>& embedded_page_parts();

}  // namespace tacit::reports
