#include "tacit/lab/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace tacit::lab {
namespace {

/// The blocks of the runs that are wanted, as far as they are there without a gap.
std::vector<Block> unbroken(const Results& results, const StoredConfiguration& c) {
  const std::vector<Block> stored = results.blocks(c.fingerprint);
  std::vector<Block> blocks;
  for (const Block& block : blocks_of(c.runs)) {
    if (std::find(stored.begin(), stored.end(), block) == stored.end()) break;
    blocks.push_back(block);
  }
  return blocks;
}

Curve curve_of(const Results& results, const StoredConfiguration& c,
               const std::vector<Block>& blocks) {
  Curve curve;
  curve.problem = c.document.value("problem_label", "");
  curve.policy = c.document.value("policy_label", "");
  curve.document = c.document;
  curve.checkpoints = c.document.at("checkpoints").get<std::vector<Round>>();
  curve.benchmark = c.benchmark.value_or(Benchmark{});
  curve.wanted = c.runs;
  const std::size_t points = curve.checkpoints.size();
  curve.regrets.resize(points);
  simulation::Measurement measurement;
  for (const Block& block : blocks) {
    const BlockResult result = results.block(c.fingerprint, block);
    if (result.regrets.size() != points * static_cast<std::size_t>(block.runs)) {
      throw StorageError(fmt::format("a block of {} has the wrong size", c.name()));
    }
    for (std::size_t at = 0; at < result.regrets.size(); at += points) {
      const std::span<const double> run(result.regrets.data() + at, points);
      measurement.add_run(run);
      for (std::size_t i = 0; i < points; ++i) curve.regrets[i].push_back(run[i]);
    }
    measurement.add_pulls(result.pulls);
    measurement.add_decisions(result.decisions);
    measurement.add_cpu(result.cpu_seconds);
    curve.runs += block.runs;
  }
  for (std::vector<double>& regrets : curve.regrets) std::sort(regrets.begin(), regrets.end());
  curve.measured = std::move(measurement).finish();
  return curve;
}

/// A field of a CSV file: in quotes where it has to be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted;
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return fmt::format("\"{}\"", quoted);
}

/// The shortest text that reads back as the same number; empty for none.
std::string field(double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string(); }

std::string field(const Json& json) {
  if (json.is_null()) return "";
  if (json.is_number_float()) return field(json.get<double>());
  return field(json.is_string() ? json.get<std::string>() : json.dump());
}

std::string parameters(const Json& params) {
  std::vector<std::string> all;
  for (const auto& [name, value] : params.items()) {
    all.push_back(fmt::format("{}={}", name, value.get<std::string>()));
  }
  return fmt::format("{}", fmt::join(all, " "));
}

}  // namespace

std::optional<double> Curve::epsilon() const {
  const Json& epsilon = document.at("epsilon");
  return epsilon.is_null() ? std::nullopt : std::optional(epsilon.get<double>());
}

std::optional<double> Curve::variable(const std::string& name) const {
  const Json& variables = document.at("variables");
  if (!variables.contains(name) || !variables.at(name).is_number()) return {};
  return variables.at(name).get<double>();
}

bool Curve::is_private() const { return document.at("guarantee").at("notion") != "none"; }

std::string Curve::guarantee() const {
  return is_private() ? guarantee_text(document.at("guarantee")) : "not private";
}

std::vector<Curve> curves_of(const Results& results) {
  std::vector<Curve> curves;
  const Transaction snapshot = results.snapshot();
  const Contents contents = results.contents();
  for (const StoredConfiguration& c : contents.configurations) {
    const std::vector<Block> blocks = unbroken(results, c);
    if (!blocks.empty()) curves.push_back(curve_of(results, c, blocks));
  }
  return curves;
}

Completeness completeness_of(const Results& results) {
  Completeness all;
  const Transaction snapshot = results.snapshot();
  const Contents contents = results.contents();
  for (const StoredConfiguration& c : contents.configurations) {
    for (const Block& block : unbroken(results, c)) all.runs += block.runs;
    all.wanted += c.runs;
  }
  return all;
}

std::string to_csv(const std::vector<Curve>& curves) {
  std::vector<std::string> variables;
  for (const Curve& curve : curves) {
    for (const auto& [name, value] : curve.document.at("variables").items()) {
      if (std::find(variables.begin(), variables.end(), name) == variables.end()) {
        variables.push_back(name);
      }
    }
  }
  std::string text = "problem";
  for (const std::string& name : variables) text += fmt::format(",{}", field(name));
  text +=
      ",label,policy,epsilon,delta,params,guarantee,guarantee_epsilon,guarantee_delta,horizon,seed,"
      "runs,t,mean,stderr,lo,hi,median,q05,q95\n";
  for (const Curve& curve : curves) {
    const Json& d = curve.document;
    std::string start = field(curve.problem);
    for (const std::string& name : variables) {
      const Json& values = d.at("variables");
      start += fmt::format(",{}", values.contains(name) ? field(values.at(name)) : "");
    }
    start +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{},{}", field(curve.policy), field(d.at("policy")),
                    field(d.at("epsilon")), field(d.at("delta")), field(parameters(d.at("params"))),
                    field(d.at("guarantee").at("notion")), field(d.at("guarantee").at("epsilon")),
                    field(d.at("guarantee").at("delta")), field(d.at("horizon")),
                    field(d.at("seed")), curve.runs);
    for (std::size_t i = 0; i < curve.checkpoints.size(); ++i) {
      const simulation::Moments& moments = curve.measured.curve[i];
      const double half = moments.half_width95();
      const auto quantile = [&](double p) {
        return field(simulation::sorted_quantile(curve.regrets[i], p));
      };
      text += fmt::format("{},{},{},{},{},{},{},{},{}\n", start, curve.checkpoints[i],
                          field(moments.mean()), field(moments.standard_error()),
                          field(moments.mean() - half), field(moments.mean() + half), quantile(0.5),
                          quantile(0.05), quantile(0.95));
    }
  }
  return text;
}

Json to_json(const std::vector<Curve>& curves) {
  Json all = Json::array();
  for (const Curve& curve : curves) {
    Json document = curve.document;
    document.erase("checkpoints");
    document.erase("means");
    document.erase("best_set");
    document.update(measured(curve.measured, curve.checkpoints, curve.benchmark));
    all.push_back(std::move(document));
  }
  return all;
}

}  // namespace tacit::lab
