// A verdict as plain text, for a file.
#pragma once

#include <string>

#include "tacit/reports/verdict.hpp"

namespace tacit::reports {

std::string verdict_text(const Verdict& verdict);

}  // namespace tacit::reports
