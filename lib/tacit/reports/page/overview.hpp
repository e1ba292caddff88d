// The figures of a page by papers, and what came of each in a row.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports::page {

/// The figures of one paper, in their order.
struct Paper {
  std::string name;  // "Hu et al.": what the source of its figures begins with
  std::vector<const ReproducedFigure*> figures;
};

/// In the order of their first figures.
std::vector<Paper> papers_of(const std::vector<ReproducedFigure>& figures);

std::string paper_id(const Paper& paper);

std::string overview_html(const std::vector<Paper>& papers);

}  // namespace tacit::reports::page
