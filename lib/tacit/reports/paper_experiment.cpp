#include "tacit/reports/paper_experiment.hpp"

#include <algorithm>
#include <utility>

#include "tacit/reports/embedded_file.hpp"

namespace tacit::reports {
namespace {

constexpr const char* kMovies = "movielens:ml-1m";  // as the experiment has it

bool is_on_movies(const lab::Configuration& c) { return c.request.problem.name == kMovies; }

}  // namespace

bool PaperExperiment::needs_movies() const {
  return std::any_of(experiment.configurations.begin(), experiment.configurations.end(),
                     is_on_movies);
}

lab::Experiment PaperExperiment::with_movies_in(const std::string& folder) const {
  lab::Experiment moved = experiment;
  for (lab::Configuration& c : moved.configurations) {
    if (!is_on_movies(c)) continue;
    // A problem without a label of its own goes by its name.
    for (std::string* name : {&*c.request.problem.name, &c.problem_label, &c.problem_family}) {
      if (*name == kMovies) *name = "movielens:" + folder;
    }
  }
  return moved;
}

const std::vector<PaperExperiment>& paper_experiments() {
  static const std::vector<PaperExperiment> all = [] {
    std::vector<PaperExperiment> found;
    for (const EmbeddedFile& file : embedded_experiments()) {
      lab::Experiment experiment = lab::read_experiment(file.text, file.name);
      ReportRequest asked = read_report_request(experiment);
      found.push_back({std::move(experiment), std::move(asked)});
    }
    return found;
  }();
  return all;
}

}  // namespace tacit::reports
