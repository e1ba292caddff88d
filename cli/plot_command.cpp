#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/lab/experiment.hpp"
#include "tacit/reports/adversary_figure.hpp"
#include "tacit/reports/bound_check.hpp"
#include "tacit/reports/curves.hpp"
#include "tacit/reports/gnuplot.hpp"
#include "tacit/reports/judgement.hpp"
#include "tacit/reports/report_request.hpp"
#include "tacit/reports/usual_figures.hpp"

namespace tacit::cli {
namespace {

/// What the folder's experiment asks to be drawn, and what it says of it.
struct Asked {
  std::vector<reports::FigureRequest> figures;
  std::vector<reports::Claim> claims;
};

void require_one_of(const char* option, const std::string& value,
                    const std::vector<std::string>& allowed) {
  for (const std::string& each : allowed) {
    if (each == value) return;
  }
  throw InvalidParameter(Option{option}, value,
                         fmt::format("must be {}; did you mean {}?", fmt::join(allowed, ", "),
                                     nearest_name(value, allowed)));
}

Asked what_is_asked(const PlotOptions& o, const lab::Results& results,
                    const std::vector<reports::Curve>& curves) {
  const lab::Contents contents = results.contents();
  const lab::Experiment experiment =
      lab::read_experiment(contents.text, fmt::format("the experiment in {}", o.folder));
  reports::ReportRequest asked = reports::read_report_request(experiment);
  std::vector<reports::FigureRequest> all = std::move(asked.figures);
  if (all.empty()) all = reports::usual_figures(curves);
  if (o.figure) {
    std::vector<std::string> names;
    std::vector<reports::FigureRequest> chosen;
    for (const reports::FigureRequest& request : all) {
      names.push_back(request.name);
      if (request.name == *o.figure) chosen.push_back(request);
    }
    if (chosen.empty()) {
      throw InvalidParameter(
          Option{"figure"}, *o.figure,
          fmt::format("unknown; did you mean {}?", nearest_name(*o.figure, names)));
    }
    all = std::move(chosen);
  }
  for (reports::FigureRequest& request : all) {
    if (o.axes) {
      request.scales = reports::meaning(reports::kScales, *o.axes).value();
      request.also = {};
    }
    if (o.y) request.y = reports::meaning(reports::kQuantities, *o.y).value();
  }
  return {std::move(all), std::move(asked.claims)};
}

/// Slopes, and what is said of the figure.
std::string remarks(const reports::Figure& figure, const std::vector<reports::Claim>& claims) {
  std::string text;
  for (const reports::Panel& panel : figure.panels) {
    for (const reports::Series& series : panel.series) {
      if (!series.slope) continue;
      text += fmt::format("  {}{}{}, {}, 95% interval {:.3f} to {:.3f}\n", panel.title,
                          panel.title.empty() ? "" : ": ", series.label, series.remark,
                          series.slope->value - series.slope->half_width,
                          series.slope->value + series.slope->half_width);
    }
  }
  for (const reports::Claim& claim : claims) {
    if (claim.figure != figure.name) continue;
    const reports::Judged judged = reports::judge(claim, figure);
    text += fmt::format("  {}: {}\n    measured: {}\n", reports::name_of(judged.judgement),
                        claim.says, judged.measured);
  }
  return text;
}

std::string path_of(const PlotOptions& o, const std::string& figure) {
  return o.output.value_or(
      (std::filesystem::path(o.folder) / fmt::format("{}.{}", figure, o.format.value_or("svg")))
          .string());
}

/// A paper's figure that is computed, and needs no results.
void plot_computed(const PlotOptions& o) {
  if (o.y || o.axes) {
    throw InvalidParameter(Option{o.y ? "y" : "axes"}, o.y ? *o.y : *o.axes,
                           fmt::format("leave it out: {} has its own", *o.figure));
  }
  const std::string path = path_of(o, *o.figure);
  reports::draw(reports::reproduce_adversary().figure, path);
  fmt::print("{}\n", path);
}

}  // namespace

void plot(const PlotOptions& o) {
  if (o.axes) require_one_of("axes", *o.axes, reports::all_of(reports::kScales));
  if (o.y) require_one_of("y", *o.y, reports::all_of(reports::kQuantities));
  if (o.format) require_one_of("format", *o.format, {"svg", "pdf", "png"});
  if (o.output && o.format && reports::ending_of(reports::format_of(*o.output)) != *o.format) {
    throw InvalidParameter(Option{"format"}, *o.format,
                           fmt::format("leave it out; {} says it already", *o.output));
  }
  if (o.output) reports::format_of(*o.output);
  if (o.figure == reports::adversary_figure().name) {
    plot_computed(o);
    return;
  }
  const lab::Results results = lab::Results::read(o.folder);
  const std::vector<reports::Curve> curves = reports::curves_of(results);
  if (curves.empty()) {
    throw InvalidParameter(Option{"folder"}, o.folder,
                           "holds no finished run yet; tacit run goes on");
  }
  const auto [all, claims] = what_is_asked(o, results, curves);
  if (o.output && all.size() > 1) {
    std::vector<std::string> names;
    for (const reports::FigureRequest& request : all) names.push_back(request.name);
    throw InvalidParameter(Option{"output"}, *o.output,
                           fmt::format("is one file for {} figures; choose with --figure: {}",
                                       all.size(), fmt::join(names, ", ")));
  }
  std::string written;
  for (const reports::FigureRequest& request : all) {
    const reports::Figure figure = reports::make_figure(request, curves, claims);
    const std::string path = path_of(o, request.name);
    reports::draw(figure, path);
    written += path + "\n";
    written += remarks(figure, claims);
  }
  fmt::print("{}", written);
  for (const reports::BoundCheck& check : reports::check_bounds(curves)) {
    if (check.kept) continue;
    throw std::runtime_error(
        fmt::format("{}, which holds at every horizon, is broken by {} on {}: measured {:.3g} of "
                    "it; either the bound or the "
                    "policy is wrong",
                    check.bound, check.policy, check.problem, check.share));
  }
}

}  // namespace tacit::cli
