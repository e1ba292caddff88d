// Which tacit this is.
#pragma once

namespace tacit {

/// Of the project, like "0.1.0".
extern const char* const kVersion;

}  // namespace tacit
