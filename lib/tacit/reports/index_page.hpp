// One page for all that was reproduced, to be sent to a colleague.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports {

/// One file that asks for nothing outside: an overview by papers, then every figure with its verdict. Readable without its script.
std::string index_page(const std::vector<ReproducedFigure>& figures);

}  // namespace tacit::reports
