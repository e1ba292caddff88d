// libsodium must be started before it is asked for anything; doing so again costs nothing.
#pragma once

namespace tacit::random {

/// Throws std::runtime_error when the operating system gives no randomness.
void need_sodium();

}  // namespace tacit::random
