// What every bad input must meet: exit 2, one line on stderr that names what is wrong, nothing on
// stdout.
#pragma once

#include <string>
#include <vector>

#include "program.hpp"

namespace tacit::cli_test {

/// Fails the test unless the command is refused, in words that mention each of these.
void expect_refused(const Arguments& arguments, const std::vector<std::string>& mentions);

/// With --json and without: a script must not find half a document.
void expect_refused_either_way(const Arguments& arguments,
                               const std::vector<std::string>& mentions);

}  // namespace tacit::cli_test
