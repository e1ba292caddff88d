// The experiments of papers, which are part of the program: `tacit reproduce` runs them wherever it is installed.
#pragma once

#include <string>
#include <vector>

#include "tacit/reports/report_request.hpp"

namespace tacit::reports {

struct PaperExperiment {
  lab::Experiment experiment;
  ReportRequest asked;

  /// Whether it is played on MovieLens 1M, which may not be distributed.
  bool needs_movies() const;
  /// The experiment for those who have the files of MovieLens 1M in this folder.
  lab::Experiment with_movies_in(const std::string& folder) const;
};

/// experiments/*.toml, in the order of their names.
const std::vector<PaperExperiment>& paper_experiments();

}  // namespace tacit::reports
