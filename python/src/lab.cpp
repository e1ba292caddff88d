// Experiments of the lab: run, distributed by whoever has a map, and read back.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <nlohmann/json.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "json.hpp"
#include "made.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/reports/report_request.hpp"
#include "tacit/specs/values.hpp"

namespace py = pybind11;

namespace tacit::python {
namespace {

std::shared_ptr<const lab::Plan> plan_of(const std::string& text, const std::string& file) {
  const lab::Experiment experiment = lab::read_experiment(text, file);
  reports::read_report_request(experiment);  // a figure that cannot be drawn is refused now
  return std::make_shared<lab::Plan>(lab::make_plan(experiment));
}

py::dict progress_of(const lab::Progress& progress) {
  py::dict all;
  all["done"] = progress.done;
  all["found"] = progress.found;
  all["total"] = progress.total;
  return all;
}

class Experiment {
 public:
  Experiment(std::string text, std::string file)
      : text_(std::move(text)), file_(std::move(file)), plan_(plan_of(text_, file_)) {}

  const std::string& text() const { return text_; }
  const std::string& file() const { return file_; }
  const std::string& title() const { return plan_->title; }
  std::shared_ptr<const lab::Plan> plan() const { return plan_; }
  py::list configurations() const {
    py::list all;
    for (const lab::Task& task : plan_->tasks) {
      py::dict row = to_python(lab::to_json(task.document));
      row["runs"] = task.request.runs;
      all.append(row);
    }
    return all;
  }
  py::dict run(const std::string& folder, int shard, int shards,
               const std::optional<std::string>& threads) const {
    lab::RunOptions options;
    options.shard = {shard, shards};
    options.threads = specs::read_threads(threads);
    lab::Progress progress;
    interruptibly([&](const std::atomic<bool>& stop) {
      options.stop = &stop;
      options.gives_up_units = true;
      lab::Results results = lab::Results::write(folder, lab::contents_of(*plan_));
      const std::int64_t session =
          results.begin({.command = fmt::format("python, shard {}/{}", shard, shards),
                         .threads = options.threads});
      progress = lab::run(*plan_, results, options);
      results.end(session, progress.done - progress.found);
    });
    return progress_of(progress);
  }

 private:
  std::string text_, file_;
  std::shared_ptr<const lab::Plan> plan_;
};

/// Of this plan, and whole.
void check_piece(const lab::Plan& plan, std::size_t task, const lab::Block& block) {
  if (task >= plan.tasks.size()) {
    throw InvalidParameter(Option{"task"}, fmt::format("{}", task), "is not of this experiment");
  }
  for (const lab::Block& one : lab::blocks_of(plan.tasks[task].request.runs)) {
    if (one == block) return;
  }
  throw InvalidParameter(Option{"runs"}, fmt::format("{} from {} on", block.runs, block.first),
                         "are not a piece of this experiment");
}

/// A piece as a worker sends it back, with what its task is measured against.
py::tuple compute(py::handle experiment, std::size_t task, std::int64_t first, std::int64_t runs) {
  const lab::Plan& plan = *made<Experiment>(experiment).plan();
  check_piece(plan, task, {first, runs});
  lab::BlockResult result;
  lab::Benchmark benchmark;
  interruptibly([&](const std::atomic<bool>& stop) {
    simulation::Request request = plan.tasks[task].request;
    request.stop = &stop;
    const auto simulator = simulation::prepare(request);
    result = lab::compute(*simulator, {first, runs});
    benchmark = {simulator->benchmark(), simulator->benchmark_is_proven()};
  });
  return py::make_tuple(py::bytes(lab::to_bytes(result)), benchmark.value, benchmark.proven);
}

/// Hands out the pieces that a folder lacks, and stores what comes back.
class Coordinator {
 public:
  Coordinator(py::handle experiment, const std::string& folder)
      : plan_(made<Experiment>(experiment, "experiment").plan()),
        results_(lab::Results::write(folder, lab::contents_of(*plan_))),
        coordinator_(*plan_, *results_, {}) {
    session_ = results_->begin({.command = "python, coordinated", .threads = 0});
  }

  /// (task, first run, runs), or None when all are handed out.
  py::object take() {
    const auto unit = open().take();
    if (!unit) return py::none();
    return py::make_tuple(unit->task, unit->block.first, unit->block.runs);
  }
  void finish(std::size_t task, const std::string& bytes, double benchmark, bool proven) {
    lab::Coordinator& coordinator = open();
    const lab::BlockResult result = lab::from_bytes(bytes);
    check_piece(*plan_, task, result.block);
    coordinator.finish({task, result.block}, result, {benchmark, proven});
  }
  py::dict progress() { return progress_of(open().progress()); }
  void close() {
    if (!results_) return;
    const lab::Progress progress = coordinator_.progress();
    results_->end(session_, progress.done - progress.found);
    results_.reset();
  }

 private:
  lab::Coordinator& open() {
    if (!results_) throw InvalidParameter(Option{"coordinator"}, "", "was closed");
    return coordinator_;
  }

  std::shared_ptr<const lab::Plan> plan_;
  std::optional<lab::Results> results_;
  lab::Coordinator coordinator_;
  std::int64_t session_ = 0;
};

/// One configuration's finished runs.
py::dict stored(const lab::Results& results, const lab::StoredConfiguration& configuration) {
  const std::vector<lab::Block> blocks = results.blocks(configuration.fingerprint);
  const std::size_t columns =
      configuration.document.setting.goal ? 2 : configuration.document.checkpoints.size();
  std::vector<double> regrets;
  std::vector<std::int64_t> indices, decisions;
  std::vector<double> pulls;
  for (const lab::Block& block : blocks) {
    const lab::BlockResult result = results.block(configuration.fingerprint, block);
    regrets.insert(regrets.end(), result.regrets.begin(), result.regrets.end());
    for (std::int64_t i = 0; i < block.runs; ++i) indices.push_back(block.first + i);
    decisions.push_back(result.decisions);
    pulls.insert(pulls.end(), result.pulls.begin(), result.pulls.end());
  }
  py::dict all;
  all["document"] = to_python(lab::to_json(configuration.document));
  all["runs"] = configuration.runs;
  all["run"] = array_of(indices);
  all["regret"] = array_of(regrets).reshape({indices.size(), columns});
  all["decisions"] = array_of(decisions);
  all["pulls"] = array_of(pulls).reshape({blocks.size(), configuration.document.means.size()});
  all["benchmark"] = configuration.benchmark
                         ? py::object(py::float_(configuration.benchmark->value))
                         : py::object(py::none());
  all["benchmark_proven"] = !configuration.benchmark || configuration.benchmark->proven;
  return all;
}

py::list load(const std::string& folder) {
  const lab::Results results = lab::Results::read(folder);
  const auto snapshot = results.snapshot();
  py::list all;
  for (const lab::StoredConfiguration& configuration : results.contents().configurations) {
    all.append(stored(results, configuration));
  }
  return all;
}

}  // namespace

void bind_lab(py::module_& m) {
  py::class_<Experiment>(m, "Experiment", py::is_final())
      .def(py::init<std::string, std::string>(), py::arg("text"), py::arg("file"))
      .def_property_readonly("text", method(&Experiment::text))
      .def_property_readonly("file", method(&Experiment::file))
      .def_property_readonly("title", method(&Experiment::title))
      .def("configurations", method(&Experiment::configurations))
      .def("run", method(&Experiment::run), py::arg("folder"), py::arg("shard"), py::arg("shards"),
           py::arg("threads"))
      .def("compute", compute, py::arg("task"), py::arg("first_run"), py::arg("runs"));
  py::class_<Coordinator>(m, "Coordinator", py::is_final())
      .def(py::init<py::handle, const std::string&>(), py::arg("experiment"), py::arg("folder"))
      .def("take", method(&Coordinator::take))
      .def("finish", method(&Coordinator::finish), py::arg("task"), py::arg("result"),
           py::arg("benchmark"), py::arg("benchmark_proven"))
      .def("progress", method(&Coordinator::progress))
      .def("close", method(&Coordinator::close));
  m.def("load", load, py::arg("folder"));
}

}  // namespace tacit::python
