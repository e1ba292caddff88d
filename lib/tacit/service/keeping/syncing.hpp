// What is to survive the loss of power: a file's bytes, and the names in a folder.
#pragma once

#include <filesystem>

namespace tacit::service {

// Return when it would. Throw StoreFailed, in one line that names the path.
void sync_file(const std::filesystem::path& file);
void sync_folder(const std::filesystem::path& folder);

}  // namespace tacit::service
