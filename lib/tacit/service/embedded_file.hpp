// Files that are part of the program.
#pragma once

#include <vector>

#include "tacit/core/embedded_file.hpp"

namespace tacit::service {

/// api/openapi.json.
const std::vector<EmbeddedFile>& embedded_openapi();

}  // namespace tacit::service
