// What `tacit serve check FILE.db` finds: whether a file is whole, and whether it can be what a service has left. It is read as of one
// moment, so it may be served meanwhile; what is sealed is not opened, and nothing is changed.
#pragma once

#include <string>
#include <vector>

#include "tacit/service/time.hpp"

namespace tacit::service {

struct Verdict {
  std::string holds;  // how much of what, in words; nothing where the file is damaged
  std::vector<std::string> complaints;  // what cannot be so, a line each; none: all is well
};

/// `now` is what the clock on the wall says. Throws StoreFailed, in one line, for what is no store or cannot be read.
Verdict check_file(const std::string& path, Time now);

}  // namespace tacit::service
