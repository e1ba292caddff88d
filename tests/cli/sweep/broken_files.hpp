// Files that no problem, no action set and no experiment can be read from, or hardly.
#pragma once

#include <string>
#include <vector>

#include "cli/program.hpp"

namespace tacit::cli_test {

struct BrokenFile {
  std::string path;
  std::string must_say;  // in the refusal; "" where it may be read, too
};

/// Written into the folder, but for devices, which lie where they are.
std::vector<BrokenFile> broken_files(const TemporaryFolder& folder);

}  // namespace tacit::cli_test
