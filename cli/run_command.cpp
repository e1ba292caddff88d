#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "commands.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "standard_error.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/ranks.hpp"
#include "tacit/lab/runner.hpp"
#include "tacit/reports/report_request.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/values.hpp"
#include "tacit/storage/strict_toml.hpp"
#ifdef TACIT_HAS_MPI
#include "tacit/mpi/message_passing.hpp"
#endif

namespace tacit::cli {
namespace {

#ifdef TACIT_HAS_MPI
using AllRanks = mpi::MessagePassing;
#else
using AllRanks = lab::Ranks;
#endif

/// "2/3": the second of three.
lab::Shard read_shard(const std::string& text) {
  constexpr int kMost = 1000000;
  const std::vector<std::string> parts = specs::split(text, '/');
  const auto count = parts.size() == 2 ? specs::integer_in(parts[1], 1, kMost) : std::nullopt;
  const auto index = count ? specs::integer_in(parts[0], 1, *count) : std::nullopt;
  if (!index) {
    throw InvalidParameter(Option{"shard"}, text, "must be i/n with i from 1 to n, like 2/3");
  }
  return {static_cast<int>(*index), static_cast<int>(*count)};
}

/// Where results go unless told: results/NAME for NAME.toml, and a folder for each shard.
std::filesystem::path folder_of(const RunOptions& o) {
  if (o.folder) return *o.folder;
  std::string name = std::filesystem::path(o.experiment).stem().string();
  if (o.shard) {
    const lab::Shard shard = read_shard(*o.shard);
    name += fmt::format(".{}-of-{}", shard.index, shard.count);
  }
  return std::filesystem::path("results") / name;
}

/// Everything that can be wrong is, before the first run.
struct Ready {
  lab::Plan plan;
  lab::RunOptions options;
  std::optional<lab::Results> results;  // the first rank's
};

Ready make_ready(const RunOptions& o, const lab::Ranks& ranks) {
  if (ranks.count() > 1 && (o.threads || o.shard)) {
    throw InvalidParameter(Option{o.threads ? "threads" : "shard"},
                           o.threads ? *o.threads : *o.shard,
                           "leave it out under mpirun: every rank is one thread, and takes a piece "
                           "whenever it is free");
  }
  Ready ready;
  const lab::Experiment experiment = lab::read_experiment(
      storage::read_toml("experiment", o.experiment, "a TOML file"), o.experiment);
  reports::read_report_request(experiment);  // a figure that cannot be drawn is refused now
  ready.plan = lab::make_plan(experiment);
  if (o.shard) ready.options.shard = read_shard(*o.shard);
  ready.options.threads = ranks.count() > 1 ? 1 : specs::read_threads(o.threads);
  if (ranks.is_first()) {
    ready.results = lab::Results::write(folder_of(o), lab::contents_of(ready.plan));
  }
  return ready;
}

void run_first(const RunOptions& o, Ready& ready, lab::Ranks& ranks) {
  const std::filesystem::path folder = folder_of(o);
  lab::RunOptions& options = ready.options;
  const int workers = options.threads * ranks.count();
  const std::int64_t sitting = ready.results->begin(
      {.command = fmt::format("run, shard {}/{}", options.shard.index, options.shard.count),
       .threads = workers});
  options.stop = stop_when_interrupted();
  ProgressBar bar(fmt::format("{} configuration{} into {}", ready.plan.tasks.size(),
                              ready.plan.tasks.size() == 1 ? "" : "s", folder.string()),
                  workers);
  options.report = [&](const lab::Progress& progress) { bar.show(progress, options.stop->load()); };
  const lab::Progress progress = ranks.run(ready.plan, *ready.results, options);
  ready.results->end(sitting, progress.done - progress.found);
  bar.clear();
  if (progress.done == progress.total) {
    to_standard_error(
        fmt::format("tacit: {} in {}; tacit plot {} draws it, tacit export prints it\n",
                    progress.done == progress.found ? "nothing was left to do" : "done",
                    bar.elapsed(), folder.string()));
  }
  if (progress.done < progress.total) {
    throw std::runtime_error(
        fmt::format("stopped; {} of {} blocks are in {}, the same command goes on from there",
                    progress.done, progress.total, folder.string()));
  }
}

}  // namespace

void run(const RunOptions& o) {
  AllRanks ranks;
  Ready ready;
  std::exception_ptr failure;
  try {
    ready = make_ready(o, ranks);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::vector<std::string> all = ranks.agree(failure ? "" : lab::digest_of(ready.plan));
  // What is wrong everywhere is said once, by the first.
  if (failure && (ranks.is_first() || !all.front().empty())) std::rethrow_exception(failure);
  const std::string disagreement = lab::disagreement(all);
  if (!disagreement.empty() && ranks.is_first()) throw std::runtime_error(disagreement);
  if (failure || !disagreement.empty()) return;
  if (ranks.is_first()) {
    try {
      run_first(o, ready, ranks);
    } catch (...) {
      ranks.dismiss();  // those that still wait for work would wait for ever
      throw;
    }
  } else {
    ranks.serve(ready.plan);
  }
}

}  // namespace tacit::cli
