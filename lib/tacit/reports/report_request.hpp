// What an experiment asks of those who report on it: figures to draw, and claims to judge by them.
#pragma once

#include <vector>

#include "tacit/lab/experiment.hpp"
#include "tacit/reports/claim.hpp"
#include "tacit/reports/figure_request.hpp"

namespace tacit::reports {

struct ReportRequest {
  std::vector<FigureRequest> figures;
  std::vector<Claim> claims;  // about them
};

/// The [[figure]] and [[claim]] tables of an experiment, which may name only what the experiment has. Throws
/// InvalidParameter that names the line.
ReportRequest read_report_request(const lab::Experiment& experiment);

}  // namespace tacit::reports
