#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "interruption.hpp"
#include "progress_bar.hpp"
#include "requests.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/lab/output_file.hpp"
#include "tacit/lab/reproduce.hpp"

namespace tacit::cli {
namespace {

struct Options {
  std::vector<std::string> names;
  std::string folder = "reproduced";
  std::optional<std::string> movies, threads;
  bool list = false;
};

void print_list() {
  std::string text;
  for (const lab::Item& item : lab::items()) {
    text += fmt::format("{:<22} {}: {}{}\n", item.name, item.source, item.title,
                        item.needs_movies ? " (needs --movielens FOLDER)" : "");
  }
  fmt::print("{}", text);
}

std::vector<lab::Item> chosen_items(const Options& o) {
  std::vector<std::string> names;
  for (const lab::Item& item : lab::items()) names.push_back(item.name);
  if (o.names.empty()) {
    throw InvalidParameter("", "name", "", "give all, or names that tacit reproduce --list shows");
  }
  std::vector<lab::Item> chosen;
  for (const std::string& name : o.names) {
    if (name == "all") {
      for (const lab::Item& item : lab::items()) {
        if (!item.needs_movies || o.movies) chosen.push_back(item);
      }
      continue;
    }
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InvalidParameter(
          "", "name", name,
          fmt::format("unknown; did you mean {}? tacit reproduce --list shows all",
                      nearest_name(name, names)));
    }
    const lab::Item& item = lab::items()[static_cast<std::size_t>(found - names.begin())];
    if (item.needs_movies && !o.movies) {
      throw InvalidParameter(
          "", "movielens", "",
          fmt::format("{} needs the files of MovieLens 1M: --movielens FOLDER", name));
    }
    chosen.push_back(item);
  }
  return chosen;
}

void reproduce(const Options& o) {
  if (o.list) {
    print_list();
    return;
  }
  const std::vector<lab::Item> chosen = chosen_items(o);
  lab::ReproduceOptions options;
  options.folder = o.folder;
  options.movies = o.movies.value_or("");
  options.threads = read_threads(o.threads);
  options.make = request_maker();
  options.stop = stop_when_interrupted();
  std::unique_ptr<ProgressBar> bar;
  lab::Progress last;
  options.begin = [&](const lab::Item& item, const lab::Plan&) {
    bar = std::make_unique<ProgressBar>(item.name, options.threads);
  };
  options.report = [&](const lab::Progress& progress) {
    last = progress;
    if (bar) bar->show(progress, options.stop->load());
  };
  options.end = [&] { bar->clear(); };

  int broken = 0;
  for (const lab::Item& item : chosen) {
    for (const lab::Reproduced& one : lab::reproduce(item, options)) {
      fmt::print("{:<24} {}\n", one.name, one.verdict.summary());
      std::fflush(stdout);
      broken += one.verdict.broken_bounds;
    }
  }
  const std::string page = (options.folder / "index.html").string();
  lab::write_file("output", page, lab::index_page(options.folder));
  fmt::print("pictures (.svg), data (.csv) and verdicts (.txt) are in {}; {} shows all\n", o.folder,
             page);
  if (broken > 0) throw std::runtime_error(fmt::format("{} finite bounds are broken", broken));
}

}  // namespace

Action add_reproduce_command(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c =
      app.add_subcommand("reproduce", "A paper's figures: data, pictures, and what holds");
  c->add_option("names", o->names, "Names, or all");
  c->add_flag("--list", o->list, "Show the names");
  c->add_option("-o,--output", o->folder, "Folder for the results; default: reproduced");
  c->add_option("--movielens", o->movies, "Folder of the official files of MovieLens 1M");
  c->add_option("--threads", o->threads, "Default: all cores. Results do not depend on it");
  return [o] { reproduce(*o); };
}

}  // namespace tacit::cli
