// Files that commands write: whole or not at all.
#pragma once

#include <string>

namespace tacit::reports {

/// Throws InvalidParameter, which names the option, for a file that cannot be written. Before hours are
/// spent on its contents.
void check_writable(const std::string& option, const std::string& path);

/// Written beside and moved into place: whatever goes wrong, an earlier file stays as it was.
void write_file(const std::string& option, const std::string& path, const std::string& text);

}  // namespace tacit::reports
