#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "files.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "requests.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/message_passing.hpp"
#include "tacit/lab/runner.hpp"

namespace tacit::cli {
namespace {

struct Options {
  std::string experiment;
  std::optional<std::string> folder, shard, threads;
};

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (std::filesystem::is_directory(path) || !(text << file.rdbuf())) {
    throw InvalidParameter("", "experiment", path, "cannot be read; must be a TOML file");
  }
  return text.str();
}

/// "2/3": the second of three.
lab::Shard read_shard(const std::string& text) {
  const std::vector<std::string> parts = split(text, '/');
  const std::string allowed = "must be i/n with i from 1 to n, like 2/3";
  if (parts.size() != 2) throw InvalidParameter("", "shard", text, allowed);
  lab::Shard shard;
  try {
    constexpr int kMost = 1000000;
    shard.count = static_cast<int>(read_integer("shard", parts[1], 1, kMost));
    shard.index = static_cast<int>(read_integer("shard", parts[0], 1, shard.count));
  } catch (const InvalidParameter&) {
    throw InvalidParameter("", "shard", text, allowed);
  }
  return shard;
}

/// Where results go unless told: results/NAME for NAME.toml, and a folder for each shard.
std::filesystem::path folder_of(const Options& o) {
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

Ready make_ready(const Options& o, const lab::MessagePassing& ranks) {
  if (ranks.count() > 1 && (o.threads || o.shard)) {
    throw InvalidParameter("", o.threads ? "threads" : "shard", o.threads ? *o.threads : *o.shard,
                           "leave it out under mpirun: every rank is one thread, and takes a piece "
                           "whenever it is free");
  }
  Ready ready;
  const lab::Experiment experiment = lab::read_experiment(read_text(o.experiment), o.experiment);
  ready.plan = lab::make_plan(experiment, request_maker());
  if (o.shard) ready.options.shard = read_shard(*o.shard);
  ready.options.threads = ranks.count() > 1 ? 1 : read_threads(o.threads);
  if (ranks.is_first()) {
    ready.results = lab::Results::write(folder_of(o), lab::contents_of(ready.plan));
  }
  return ready;
}

void run_first(const Options& o, Ready& ready, lab::MessagePassing& ranks) {
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
    fmt::print(stderr, "tacit: {} in {}; tacit plot {} draws it, tacit export prints it\n",
               progress.done == progress.found ? "nothing was left to do" : "done", bar.elapsed(),
               folder.string());
  }
  if (progress.done < progress.total) {
    throw std::runtime_error(
        fmt::format("stopped; {} of {} blocks are in {}, the same command goes on from there",
                    progress.done, progress.total, folder.string()));
  }
}

void run(const Options& o) {
  lab::MessagePassing ranks;
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
  const std::string disagreement = lab::MessagePassing::disagreement(all);
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

}  // namespace

Action add_run_command(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand(
      "run", "Run an experiment file; the same command goes on where it was stopped");
  c->add_option("experiment", o->experiment, "A TOML file; see docs/experiments.md")->required();
  c->add_option("-o,--output", o->folder, "Folder of the results; default: results/NAME");
  c->add_option("--shard", o->shard, "i/n: the i-th of n parts, to be put together by tacit merge");
  c->add_option("--threads", o->threads, "Default: all cores. Results do not depend on it");
  return [o] { run(*o); };
}

}  // namespace tacit::cli
