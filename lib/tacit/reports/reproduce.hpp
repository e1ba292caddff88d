// The figures and tables of papers, each as data, picture and verdict.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tacit/lab/coordinator.hpp"
#include "tacit/reports/paper_figure.hpp"

namespace tacit::reports {

/// In the order of the papers' files.
const std::vector<PaperFigure>& paper_figures();

struct ReproduceOptions {
  std::filesystem::path folder;
  std::string movies;  // the folder of MovieLens 1M; empty: not given
  int threads = 1;
  const std::atomic<bool>* stop = nullptr;
  /// Before an experiment's runs begin, and as they go on.
  std::function<void(const PaperFigure&, const lab::Plan&)> begin = [](const PaperFigure&,
                                                                       const lab::Plan&) {};
  std::function<void(const lab::Progress&)> report = [](const lab::Progress&) {};
  std::function<void()> end = [] {};
};

/// The figure itself, and its twin at honest noise where the paper's was not, whose files are then in the folder.
/// Throws std::runtime_error when it was told to stop; the same call goes on from there.
std::vector<ReproducedFigure> reproduce(const PaperFigure& wanted, const ReproduceOptions& options);

/// All that this call and earlier ones have made in the folder: the figures that it has a picture and all results
/// of.
std::vector<ReproducedFigure> reproduced_in(const std::filesystem::path& folder);

}  // namespace tacit::reports
