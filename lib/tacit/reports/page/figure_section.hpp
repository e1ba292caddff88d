// One figure of a page: the picture, what is said of it and what was measured.
#pragma once

#include <string>

#include "tacit/reports/page/guarantees.hpp"

namespace tacit::reports::page {

std::string figure_id(const ReproducedFigure& reproduced);

std::string figure_section(const ReproducedFigure& reproduced, const Guarantees& guarantees);

}  // namespace tacit::reports::page
