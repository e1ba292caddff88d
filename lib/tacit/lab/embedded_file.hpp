// Files that are part of the program: the experiments of papers, which `tacit reproduce` runs wherever the
// program is installed.
#pragma once

#include <string>
#include <vector>

namespace tacit::lab {

struct EmbeddedFile {
  std::string name;
  std::string text;
};

/// experiments/*.toml.
const std::vector<EmbeddedFile>& paper_experiments();

}  // namespace tacit::lab
