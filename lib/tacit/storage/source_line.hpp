// Where in a file something is written.
#pragma once

#include <string>

namespace tacit::storage {

struct SourceLine {
  std::string file;
  int line = 0;
};

/// Throws InvalidParameter: "key = value: requirement (file, line n)".
[[noreturn]] void refuse(const SourceLine& place, const std::string& key, const std::string& value,
                         const std::string& requirement);

}  // namespace tacit::storage
