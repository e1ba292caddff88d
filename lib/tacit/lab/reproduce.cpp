#include "tacit/lab/reproduce.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/lab/adversary_figure.hpp"
#include "tacit/lab/embedded_file.hpp"
#include "tacit/lab/gnuplot.hpp"
#include "tacit/lab/host.hpp"
#include "tacit/lab/output_file.hpp"
#include "tacit/lab/runner.hpp"

namespace tacit::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMovies = "movielens:ml-1m";  // as the experiment has it
constexpr const char* kHonest = "-honest";

bool is_twin(const FigureRequest& figure) { return figure.name.ends_with(kHonest); }

/// Between the quotes of a TOML text.
std::string toml_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

Experiment read_embedded(const std::string& name, const std::string& movies) {
  for (const EmbeddedFile& file : paper_experiments()) {
    if (file.name != name) continue;
    std::string text = file.text;
    const std::string_view marker = kMovies;
    if (const std::size_t at = text.find(marker); at != std::string::npos && !movies.empty()) {
      text.replace(at, marker.size(), "movielens:" + toml_escaped(movies));
    }
    return read_experiment(text, file.name);
  }
  throw std::logic_error("no experiment " + name);
}

Reproduced make_one(const FigureRequest& request, const Experiment& experiment,
                    const std::vector<Curve>& curves, const fs::path& folder) {
  std::vector<Curve> shown;
  for (const Curve& curve : curves) {
    if (shows(request, curve.document)) shown.push_back(curve);
  }
  const Figure figure = make_figure(request, shown);
  const auto path = [&](const char* ending) {
    return (folder / fmt::format("{}.{}", request.name, ending)).string();
  };
  Reproduced one{.name = request.name,
                 .title = request.title,
                 .verdict = give_verdict(request, figure, experiment.claims, shown)};
  write_file("output", path("csv"), to_csv(shown));
  draw(figure, path("svg"));
  write_file("output", path("txt"), one.verdict.text);
  return one;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// What follows the first such start of a line.
std::string line_after(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

std::string base64(const std::string& bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // the closing zero
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace

const std::vector<Item>& items() {
  static const std::vector<Item> all = [] {
    std::vector<Item> found;
    for (const EmbeddedFile& file : paper_experiments()) {
      const Experiment experiment = read_experiment(file.text, file.name);
      for (const FigureRequest& figure : experiment.figures) {
        if (is_twin(figure) || figure.source.empty()) continue;  // those without are examples
        found.push_back({figure.name, figure.title, figure.source, file.name,
                         file.text.find(kMovies) != std::string::npos});
      }
    }
    found.push_back(adversary_item());
    return found;
  }();
  return all;
}

std::vector<Reproduced> reproduce(const Item& item, const ReproduceOptions& options) {
  std::error_code failed;
  fs::create_directories(options.folder, failed);
  if (failed) {
    throw UnusableResults(
        fmt::format("{}: cannot be made: {}", options.folder.string(), failed.message()));
  }
  if (item.file.empty()) return {reproduce_adversary(options.folder)};

  const Experiment experiment = read_embedded(item.file, options.movies);
  const Plan plan = make_plan(experiment, options.make);
  std::vector<FigureRequest> figures;
  for (const FigureRequest& figure : experiment.figures) {
    if (figure.name == item.name || figure.name == item.name + kHonest) figures.push_back(figure);
  }
  const fs::path results_folder = options.folder / fs::path(item.file).stem();
  Results results = Results::write(results_folder, contents_of(plan));
  RunOptions run_options{
      .threads = options.threads, .stop = options.stop, .report = options.report};
  run_options.wanted = [&](const Task& task) {
    return std::any_of(figures.begin(), figures.end(),
                       [&](const FigureRequest& figure) { return shows(figure, task.document); });
  };
  options.begin(item, plan);
  const Progress progress = run(plan, results, run_options);
  options.end();
  if (progress.done < progress.total) {
    throw std::runtime_error(
        fmt::format("stopped; what was finished is in {}, the same command goes on from there",
                    results_folder.string()));
  }
  const std::vector<Curve> curves = curves_of(results);
  std::vector<Reproduced> all;
  for (const FigureRequest& figure : figures) {
    all.push_back(make_one(figure, experiment, curves, options.folder));
  }
  return all;
}

std::string index_page(const fs::path& folder) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Private bandits, reproduced</title>\n<style>\n"
      "body { font: 16px/1.5 sans-serif; color: #222; max-width: 70rem; margin: 2rem auto; "
      "padding: 0 1rem; }\n"
      "h2 { margin-top: 3rem; border-top: 1px solid #ccc; padding-top: 1rem; }\n"
      "img { max-width: 100%; height: auto; }\n"
      "pre { background: #f6f6f6; padding: 1rem; overflow-x: auto; font-size: 13px; }\n"
      "td { text-align: left; padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }\n"
      "</style>\n</head>\n<body>\n<h1>Private bandits, reproduced</h1>\n";
  page += fmt::format(
      "<p>Figures of papers on differentially private bandits, measured again by tacit {}. A solid "
      "line is a policy "
      "that keeps its promise, a dashed one protects nobody, a dotted one is an asymptotic or "
      "minimax bound, a "
      "dash-dotted one a bound that holds at every horizon; bands are 95% intervals of the "
      "mean.</p>\n<table>\n",
      kVersion);
  std::string body;
  for (const Item& item : items()) {
    for (const std::string& name : {item.name, item.name + kHonest}) {
      const std::string verdict = content_of(folder / (name + ".txt"));
      const std::string picture = content_of(folder / (name + ".svg"));
      if (verdict.empty() || picture.empty()) continue;
      page += fmt::format("<tr><td><a href=\"#{0}\">{0}</a></td><td>{1}</td><td>{2}</td></tr>\n",
                          escaped(name), escaped(line_after(verdict, name + ": ")),
                          escaped(line_after(verdict, "Verdict: ")));
      body += fmt::format(
          "<h2 id=\"{0}\">{0}</h2>\n<p><img alt=\"{0}\" "
          "src=\"data:image/svg+xml;base64,{1}\"></p>\n"
          "<pre>{2}</pre>\n",
          escaped(name), base64(picture), escaped(verdict));
    }
  }
  return page + "</table>\n" + body + "</body>\n</html>\n";
}

}  // namespace tacit::lab
