#include "tacit/core/version.hpp"

namespace tacit {

const char* const kVersion = TACIT_VERSION;

}  // namespace tacit
