// Files that are part of the program.
#pragma once

#include <string>
#include <vector>

namespace tacit::reports {

struct EmbeddedFile {
  std::string name;
  std::string text;
};

/// experiments/*.toml.
const std::vector<EmbeddedFile>& embedded_experiments();

}  // namespace tacit::reports
