// tacit merge and tacit export.
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "standard_error.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/lab/completeness.hpp"
#include "tacit/reports/curves.hpp"
#include "tacit/reports/markdown.hpp"
#include "tacit/reports/output_file.hpp"

namespace tacit::cli {
namespace {

std::set<std::string> fingerprints(const lab::Contents& contents) {
  std::set<std::string> all;
  for (const lab::StoredConfiguration& c : contents.configurations) all.insert(c.fingerprint);
  return all;
}

}  // namespace

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

void export_results(const ExportOptions& o) {
  if (static_cast<int>(o.csv) + static_cast<int>(o.json) + static_cast<int>(o.markdown) > 1) {
    throw InvalidParameter(Option{o.markdown ? "markdown" : "json"}, "given",
                           "give one of --csv, --json and --markdown");
  }
  const lab::Results results = lab::Results::read(o.folder);
  const lab::Completeness have = lab::completeness_of(results);
  const std::vector<reports::Curve> curves = reports::curves_of(results);
  const std::string text = o.json       ? reports::to_json(curves).dump(2) + "\n"
                           : o.markdown ? reports::to_markdown(curves)
                                        : reports::to_csv(curves);
  if (o.output) {
    reports::write_file("output", *o.output, text);
  } else {
    fmt::print("{}", text);
  }
  if (have.runs < have.wanted) {
    to_standard_error(fmt::format("tacit: {} has {} of {} runs so far; tacit run goes on\n",
                                  o.folder, have.runs, have.wanted));
  }
}

}  // namespace tacit::cli
