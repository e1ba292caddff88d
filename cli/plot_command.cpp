#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/lab/curves.hpp"
#include "tacit/lab/experiment.hpp"
#include "tacit/lab/gnuplot.hpp"
#include "tacit/lab/verdict.hpp"

namespace tacit::cli {
namespace {

struct Options {
  std::string folder;
  std::optional<std::string> output, figure, format, axes, y;
};

/// What the folder's experiment asks to be drawn, and what it says of it.
struct Asked {
  std::vector<lab::FigureRequest> figures;
  std::vector<lab::Claim> claims;
};

void require_one_of(const char* option, const std::string& value,
                    const std::vector<std::string>& allowed) {
  for (const std::string& each : allowed) {
    if (each == value) return;
  }
  throw InvalidParameter("", option, value,
                         fmt::format("must be {}; did you mean {}?", fmt::join(allowed, ", "),
                                     nearest_name(value, allowed)));
}

Asked what_is_asked(const Options& o, const lab::Results& results,
                    const std::vector<lab::Curve>& curves) {
  const lab::Contents contents = results.contents();
  lab::Experiment experiment =
      lab::read_experiment(contents.text, fmt::format("the experiment in {}", o.folder));
  std::vector<lab::FigureRequest> all = std::move(experiment.figures);
  if (all.empty()) all = lab::usual_figures(curves);
  if (o.figure) {
    std::vector<std::string> names;
    std::vector<lab::FigureRequest> chosen;
    for (const lab::FigureRequest& request : all) {
      names.push_back(request.name);
      if (request.name == *o.figure) chosen.push_back(request);
    }
    if (chosen.empty()) {
      throw InvalidParameter(
          "", "figure", *o.figure,
          fmt::format("unknown; did you mean {}?", nearest_name(*o.figure, names)));
    }
    all = std::move(chosen);
  }
  for (lab::FigureRequest& request : all) {
    if (o.axes) request.axes = *o.axes;
    if (o.y) request.y = *o.y;
  }
  return {std::move(all), std::move(experiment.claims)};
}

/// Slopes, and what is said of the figure.
std::string remarks(const lab::Figure& figure, const std::vector<lab::Claim>& claims) {
  std::string text;
  for (const lab::Panel& panel : figure.panels) {
    for (const lab::Series& series : panel.series) {
      if (!series.slope) continue;
      text += fmt::format("  {}{}{}, 95% interval {:.3f} to {:.3f}\n", panel.title,
                          panel.title.empty() ? "" : ": ", series.label,
                          series.slope->value - series.slope->half_width,
                          series.slope->value + series.slope->half_width);
    }
  }
  for (const lab::Claim& claim : claims) {
    if (claim.figure != figure.name) continue;
    const lab::Judged judged = lab::judge(claim, figure);
    text += fmt::format("  {}: {}\n    measured: {}\n", lab::name_of(judged.judgement), claim.says,
                        judged.measured);
  }
  return text;
}

void plot(const Options& o) {
  if (o.axes) require_one_of("axes", *o.axes, {"linear", "logx", "logy", "loglog"});
  if (o.y) require_one_of("y", *o.y, {"regret", "regret/ln(t)", "return"});
  if (o.format) require_one_of("format", *o.format, {"svg", "pdf", "png"});
  if (o.output && o.format && lab::ending_of(lab::format_of(*o.output)) != *o.format) {
    throw InvalidParameter("", "format", *o.format,
                           fmt::format("leave it out; {} says it already", *o.output));
  }
  if (o.output) lab::format_of(*o.output);
  const lab::Results results = lab::Results::read(o.folder);
  const std::vector<lab::Curve> curves = lab::curves_of(results);
  if (curves.empty()) {
    throw InvalidParameter("", "folder", o.folder, "holds no finished run yet; tacit run goes on");
  }
  const auto [all, claims] = what_is_asked(o, results, curves);
  if (o.output && all.size() > 1) {
    std::vector<std::string> names;
    for (const lab::FigureRequest& request : all) names.push_back(request.name);
    throw InvalidParameter("", "output", *o.output,
                           fmt::format("is one file for {} figures; choose with --figure: {}",
                                       all.size(), fmt::join(names, ", ")));
  }
  std::string written;
  for (const lab::FigureRequest& request : all) {
    const lab::Figure figure = lab::make_figure(request, curves);
    const std::string path =
        o.output.value_or((std::filesystem::path(o.folder) /
                           fmt::format("{}.{}", request.name, o.format.value_or("svg")))
                              .string());
    lab::draw(figure, path);
    written += path + "\n";
    written += remarks(figure, claims);
  }
  fmt::print("{}", written);
  for (const lab::BoundCheck& check : lab::check_bounds(curves)) {
    if (check.kept) continue;
    throw std::runtime_error(
        fmt::format("{}, which holds at every horizon, is broken by {} on {}: measured {:.3g} of "
                    "it; either the bound or the "
                    "policy is wrong",
                    check.bound, check.policy, check.problem, check.share));
  }
}

}  // namespace

Action add_plot_command(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("plot", "Draw the figures of an experiment");
  c->add_option("folder", o->folder, "A folder of results")->required();
  c->add_option("-o,--output", o->output, "FILE.svg, .pdf or .png; default: in the folder");
  c->add_option("--figure", o->figure, "One figure, by its name");
  c->add_option("--format", o->format, "svg (the default), pdf or png");
  c->add_option("--axes", o->axes, "linear, logx, logy or loglog instead of the figure's own");
  c->add_option("--y", o->y, "regret, regret/ln(t) or return instead of the figure's own");
  return [o] { plot(*o); };
}

}  // namespace tacit::cli
