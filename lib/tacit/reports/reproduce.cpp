#include "tacit/reports/reproduce.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "tacit/lab/runner.hpp"
#include "tacit/reports/adversary_figure.hpp"

namespace tacit::reports {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHonest = "-honest";

bool is_twin(const FigureRequest& figure) { return figure.name.ends_with(kHonest); }

fs::path results_of(const PaperExperiment& paper, const fs::path& folder) {
  return folder / fs::path(paper.experiment.file).stem();
}

/// The figure that is wanted, and its twin.
std::vector<FigureRequest> requests_of(const PaperFigure& wanted) {
  std::vector<FigureRequest> requests;
  for (const FigureRequest& figure : wanted.experiment->asked.figures) {
    if (figure.name == wanted.name || figure.name == wanted.name + kHonest) {
      requests.push_back(figure);
    }
  }
  return requests;
}

std::vector<Curve> shown_by(const FigureRequest& request, const std::vector<Curve>& curves) {
  std::vector<Curve> shown;
  for (const Curve& curve : curves) {
    if (shows(request, curve.document)) shown.push_back(curve);
  }
  return shown;
}

ReproducedFigure reproduced(const FigureRequest& request, const PaperFigure& wanted,
                            const std::vector<Curve>& shown) {
  const std::vector<Claim>& claims = wanted.experiment->asked.claims;
  const Figure figure = make_figure(request, shown, claims);
  return {figure, to_csv(shown), give_verdict(request, figure, claims, shown), wanted.command()};
}

/// Plays what the figures show and the results lack.
void play(const PaperFigure& wanted, const std::vector<FigureRequest>& requests,
          const ReproduceOptions& options, const lab::Plan& plan, lab::Results& results) {
  lab::RunOptions run_options{
      .threads = options.threads, .stop = options.stop, .report = options.report};
  run_options.wanted = [&](const lab::Task& task) {
    return std::any_of(requests.begin(), requests.end(),
                       [&](const FigureRequest& request) { return shows(request, task.document); });
  };
  options.begin(wanted, plan);
  const lab::Progress progress = lab::run(plan, results, run_options);
  options.end();
  if (progress.done < progress.total) {
    throw std::runtime_error(
        fmt::format("stopped; what was finished is in {}, the same command goes on from there",
                    results_of(*wanted.experiment, options.folder).string()));
  }
}

std::vector<ReproducedFigure> simulate(const PaperFigure& wanted, const ReproduceOptions& options) {
  const PaperExperiment& paper = *wanted.experiment;
  const lab::Plan plan = lab::make_plan(
      options.movies.empty() ? paper.experiment : paper.with_movies_in(options.movies));
  const std::vector<FigureRequest> requests = requests_of(wanted);
  lab::Results results =
      lab::Results::write(results_of(paper, options.folder), lab::contents_of(plan));
  play(wanted, requests, options, plan, results);
  const std::vector<Curve> curves = curves_of(results);
  std::vector<ReproducedFigure> all;
  for (const FigureRequest& request : requests) {
    all.push_back(reproduced(request, wanted, shown_by(request, curves)));
  }
  return all;
}

/// What a folder has of papers' experiments, each read when it is first asked for.
class StoredCurves {
 public:
  explicit StoredCurves(fs::path folder) : folder_(std::move(folder)) {}

  /// What a figure shows; none unless all of it is there.
  std::vector<Curve> shown_by(const FigureRequest& request, const PaperExperiment& paper) {
    const Stored& stored = of(paper);
    const auto wanted = std::count_if(
        stored.configurations.begin(), stored.configurations.end(),
        [&](const lab::StoredConfiguration& c) { return shows(request, c.document); });
    const std::vector<Curve> shown = reports::shown_by(request, stored.curves);
    const auto complete = std::count_if(shown.begin(), shown.end(),
                                        [](const Curve& c) { return c.runs == c.wanted; });
    return complete == wanted ? shown : std::vector<Curve>{};
  }

 private:
  struct Stored {
    std::vector<lab::StoredConfiguration> configurations;
    std::vector<Curve> curves;
  };

  const Stored& of(const PaperExperiment& paper) {
    const auto [known, is_new] = read_.try_emplace(&paper);
    const fs::path folder = results_of(paper, folder_);
    if (is_new && fs::exists(folder / lab::Results::kFile)) {
      const lab::Results results = lab::Results::read(folder);
      known->second = {results.contents().configurations, curves_of(results)};
    }
    return known->second;
  }

  fs::path folder_;
  std::map<const PaperExperiment*, Stored> read_;
};

}  // namespace

const std::vector<PaperFigure>& paper_figures() {
  static const std::vector<PaperFigure> all = [] {
    std::vector<PaperFigure> found;
    for (const PaperExperiment& paper : paper_experiments()) {
      for (const FigureRequest& figure : paper.asked.figures) {
        if (is_twin(figure) || figure.source.empty()) continue;  // those without are examples
        found.push_back({figure.name, figure.title, figure.source, &paper});
      }
    }
    found.push_back(adversary_figure());
    return found;
  }();
  return all;
}

std::vector<ReproducedFigure> reproduce(const PaperFigure& wanted,
                                        const ReproduceOptions& options) {
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  if (failed) {
    throw lab::UnusableResults(
        fmt::format("{}: cannot be made: {}", options.folder.string(), failed.message()));
  }
  std::vector<ReproducedFigure> all =
      wanted.experiment != nullptr ? simulate(wanted, options) : std::vector{reproduce_adversary()};
  for (const ReproducedFigure& each : all) write_files(each, options.folder);
  return all;
}

std::vector<ReproducedFigure> reproduced_in(const fs::path& folder) {
  const auto has_picture = [&](const std::string& name) {
    return fs::exists(folder / (name + ".svg"));
  };
  StoredCurves stored(folder);
  std::vector<ReproducedFigure> all;
  for (const PaperFigure& figure : paper_figures()) {
    if (figure.experiment == nullptr) {
      if (has_picture(figure.name)) all.push_back(reproduce_adversary());
      continue;
    }
    for (const FigureRequest& request : requests_of(figure)) {
      if (!has_picture(request.name)) continue;
      const std::vector<Curve> shown = stored.shown_by(request, *figure.experiment);
      if (shown.empty()) continue;
      all.push_back(reproduced(request, figure, shown));
    }
  }
  return all;
}

}  // namespace tacit::reports
