// Copying leaves what was copied in the vector registers, for as long as nobody needs them: some of them are rarely needed. From
// there the dynamic linker saves them on the stack when a function is called for the first time, and a core dump has them too.
// What functions kept on the stack stays there, likewise, until others come as deep.
#pragma once

namespace tacit::service {

/// Overwrites the vector registers of x86-64 that copying uses (elsewhere none), and then the stack below the caller, as far as
/// those who copied for it may have come.
void wipe_traces() noexcept;

}  // namespace tacit::service
