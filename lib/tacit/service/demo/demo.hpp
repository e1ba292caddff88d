// tacit serve demo: a service, a shop that asks it, and what is learned, on a terminal.
#pragma once

#include <optional>
#include <string>

namespace tacit::service::demo {

struct Options {
  std::optional<std::string> listen;  // HOST:PORT; none: 127.0.0.1:8080, or another port
  std::optional<std::string> store;   // none: a temporary one
  int visitors = 50;                  // a second
};

/// Until Ctrl-C.
void run(const Options& options);

}  // namespace tacit::service::demo
