// The words of the command line, and the command that they ask for.
#pragma once

#include <functional>
#include <stdexcept>

namespace tacit::cli {

/// Words that are no command, in one line that says which and what would be.
class BadCommandLine : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// What is asked for, ready to be done; empty where it was help or the version, which is printed already.
std::function<void()> parse_command_line(int argc, const char* const* argv);

}  // namespace tacit::cli
