// A paper's figure or table that can be made again, and what came of it.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/reports/paper_experiment.hpp"
#include "tacit/reports/verdict.hpp"

namespace tacit::reports {

struct PaperFigure {
  std::string name;
  std::string title;
  std::string source;
  const PaperExperiment* experiment = nullptr;  // null: computed, not simulated

  bool needs_movies() const { return experiment != nullptr && experiment->needs_movies(); }
  /// What to type for it.
  std::string command() const;
};

struct ReproducedFigure {
  Figure figure;
  std::string data;  // CSV
  Verdict verdict;
  std::string command;  // that makes it; may be empty
};

/// NAME.svg, NAME.csv and NAME.txt, in a folder that exists.
void write_files(const ReproducedFigure& reproduced, const std::filesystem::path& folder);

}  // namespace tacit::reports
