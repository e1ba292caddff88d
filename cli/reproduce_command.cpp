#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/reports/index_page.hpp"
#include "tacit/reports/output_file.hpp"
#include "tacit/reports/reproduce.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {
namespace {

void print_list() {
  std::string text;
  for (const reports::PaperFigure& item : reports::paper_figures()) {
    text += fmt::format("{:<22} {}: {}{}\n", item.name, item.source, item.title,
                        item.needs_movies() ? " (needs --movielens FOLDER)" : "");
  }
  fmt::print("{}", text);
}

std::vector<reports::PaperFigure> chosen_items(const ReproduceOptions& o) {
  std::vector<std::string> names;
  for (const reports::PaperFigure& item : reports::paper_figures()) names.push_back(item.name);
  if (o.names.empty()) {
    throw InvalidParameter(Option{"name"}, "",
                           "give all, or names that tacit reproduce --list shows");
  }
  std::vector<reports::PaperFigure> chosen;
  for (const std::string& name : o.names) {
    if (name == "all") {
      for (const reports::PaperFigure& item : reports::paper_figures()) {
        if (!item.needs_movies() || o.movies) chosen.push_back(item);
      }
      continue;
    }
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InvalidParameter(
          Option{"name"}, name,
          fmt::format("unknown; did you mean {}? tacit reproduce --list shows all",
                      nearest_name(name, names)));
    }
    const reports::PaperFigure& item =
        reports::paper_figures()[static_cast<std::size_t>(found - names.begin())];
    if (item.needs_movies() && !o.movies) {
      throw InvalidParameter(
          Option{"movielens"}, "",
          fmt::format("{} needs the files of MovieLens 1M: --movielens FOLDER", name));
    }
    chosen.push_back(item);
  }
  return chosen;
}

}  // namespace

void reproduce(const ReproduceOptions& o) {
  if (o.list) {
    print_list();
    return;
  }
  const std::vector<reports::PaperFigure> chosen = chosen_items(o);
  reports::ReproduceOptions options;
  options.folder = o.folder;
  options.movies = o.movies.value_or("");
  options.threads = specs::read_threads(o.threads);
  options.stop = stop_when_interrupted();
  std::unique_ptr<ProgressBar> bar;
  lab::Progress last;
  options.begin = [&](const reports::PaperFigure& item, const lab::Plan&) {
    bar = std::make_unique<ProgressBar>(item.name, options.threads);
  };
  options.report = [&](const lab::Progress& progress) {
    last = progress;
    if (bar) bar->show(progress, options.stop->load());
  };
  options.end = [&] { bar->clear(); };

  int broken = 0;
  for (const reports::PaperFigure& item : chosen) {
    for (const reports::ReproducedFigure& one : reports::reproduce(item, options)) {
      fmt::print("{:<24} {}\n", one.figure.name, one.verdict.summary());
      std::fflush(stdout);
      broken += one.verdict.broken_bounds;
    }
  }
  const std::string page = (options.folder / "index.html").string();
  reports::write_file("output", page, reports::index_page(reports::reproduced_in(options.folder)));
  fmt::print("pictures (.svg), data (.csv) and verdicts (.txt) are in {}; {} shows all\n", o.folder,
             page);
  if (broken > 0) throw std::runtime_error(fmt::format("{} finite bounds are broken", broken));
}

}  // namespace tacit::cli
