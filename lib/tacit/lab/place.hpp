// Where in a file something stands.
#pragma once

#include <string>

namespace tacit::lab {

struct Place {
  std::string file;
  int line = 0;
};

/// Throws InvalidParameter: "key = value: requirement (file, line n)".
[[noreturn]] void refuse(const Place& place, const std::string& key, const std::string& value,
                         const std::string& requirement);

}  // namespace tacit::lab
