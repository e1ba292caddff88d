// tacit merge and tacit export.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/curves.hpp"
#include "tacit/lab/output_file.hpp"

namespace tacit::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> folders;
  std::string output;
};

std::set<std::string> fingerprints(const lab::Contents& contents) {
  std::set<std::string> all;
  for (const lab::StoredConfiguration& c : contents.configurations) all.insert(c.fingerprint);
  return all;
}

void merge(const MergeOptions& o) {
  std::vector<lab::Results> parts;
  for (const std::string& folder : o.folders) parts.push_back(lab::Results::read(folder));
  const lab::Contents first = parts.front().contents();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const lab::Contents other = parts[i].contents();
    if (fingerprints(other) != fingerprints(first)) {
      throw lab::UnusableResults(
          fmt::format("{}: holds another experiment (\"{}\") than {} (\"{}\"); only shards of one "
                      "experiment are put together",
                      o.folders[i], other.title, o.folders[0], first.title));
    }
  }
  lab::Results whole = lab::Results::write(o.output, first);
  for (const lab::Results& part : parts) whole.merge(part);
  const lab::Completeness have = lab::completeness_of(whole);
  fmt::print("{}: {} of {} runs{}\n", o.output, have.runs, have.wanted,
             have.runs < have.wanted ? "; some shards are missing or unfinished" : "");
}

struct ExportOptions {
  std::string folder;
  std::optional<std::string> output;
  bool csv = false;
  bool json = false;
};

void export_results(const ExportOptions& o) {
  if (o.csv && o.json) throw InvalidParameter("", "json", "given", "leave it out, or --csv");
  const lab::Results results = lab::Results::read(o.folder);
  const lab::Completeness have = lab::completeness_of(results);
  const std::vector<lab::Curve> curves = lab::curves_of(results);
  const std::string text = o.json ? lab::to_json(curves).dump(2) + "\n" : lab::to_csv(curves);
  if (o.output) {
    lab::write_file("output", *o.output, text);
  } else {
    fmt::print("{}", text);
  }
  if (have.runs < have.wanted) {
    fmt::print(stderr, "tacit: {} has {} of {} runs so far; tacit run goes on\n", o.folder,
               have.runs, have.wanted);
  }
}

}  // namespace

Action add_merge_command(CLI::App& app) {
  auto o = std::make_shared<MergeOptions>();
  CLI::App* c = app.add_subcommand("merge", "Put the shards of an experiment together");
  c->add_option("folders", o->folders, "Folders of results")->required();
  c->add_option("-o,--output", o->output, "Folder of the whole")->required();
  return [o] { merge(*o); };
}

Action add_export_command(CLI::App& app) {
  auto o = std::make_shared<ExportOptions>();
  CLI::App* c = app.add_subcommand("export", "Print results as CSV or JSON");
  c->add_option("folder", o->folder, "A folder of results")->required();
  c->add_option("-o,--output", o->output, "A file instead of standard output");
  c->add_flag("--csv", o->csv, "A row for every configuration and checkpoint (the default)");
  c->add_flag("--json", o->json, "What tacit simulate --json prints, without times");
  return [o] { export_results(*o); };
}

}  // namespace tacit::cli
