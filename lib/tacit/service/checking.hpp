// Reads a whole store, as it lies there, and says whether it can be what a service has left. It may be served meanwhile.
#pragma once

#include <string>
#include <vector>

namespace tacit::service {

struct Findings {
  std::string holds;                // in words: how much of what
  std::vector<std::string> faults;  // what cannot be so, a line each; none: all is well
};

/// Throws StoreFailed when it cannot be read at all.
Findings check_of(const std::string& store);

}  // namespace tacit::service
