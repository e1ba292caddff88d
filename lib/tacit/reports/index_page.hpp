// One page for all that was reproduced, to be sent to a colleague.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports {

/// Self-contained: verdicts, and the pictures that the folder has of the figures.
std::string index_page(const std::vector<ReproducedFigure>& figures,
                       const std::filesystem::path& folder);

}  // namespace tacit::reports
