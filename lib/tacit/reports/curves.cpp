#include "tacit/reports/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tacit/lab/completeness.hpp"

namespace tacit::reports {
namespace {

Curve curve_of(const lab::Results& results, const lab::StoredConfiguration& c,
               const std::vector<lab::Block>& blocks) {
  Curve curve;
  curve.document = c.document;
  curve.benchmark = c.benchmark.value_or(lab::Benchmark{});
  curve.wanted = c.runs;
  const std::size_t points = curve.checkpoints().size();
  curve.regrets.resize(points);
  simulation::Measurement measurement;
  for (const lab::Block& block : blocks) {
    const lab::BlockResult result = results.block(c.fingerprint, block);
    if (result.regrets.size() != points * static_cast<std::size_t>(block.runs)) {
      throw storage::StorageError(fmt::format("a block of {} has the wrong size", c.name()));
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

std::string field(const std::optional<double>& x) { return x ? field(*x) : std::string(); }

std::string field(const lab::Variable& variable) {
  return std::visit([](const auto& value) { return field(value); }, variable.value);
}

std::string parameters(const std::vector<policies::ParameterValue>& given) {
  std::vector<std::string> all;
  for (const policies::ParameterValue& p : given) {
    all.push_back(fmt::format("{}={}", p.name, p.value));
  }
  return fmt::format("{}", fmt::join(all, " "));
}

/// The distinct names of all variables.
std::vector<std::string> variables_of(const std::vector<Curve>& curves) {
  std::vector<std::string> names;
  for (const Curve& curve : curves) {
    for (const lab::Variable& variable : curve.document.variables) {
      if (std::find(names.begin(), names.end(), variable.name) == names.end()) {
        names.push_back(variable.name);
      }
    }
  }
  return names;
}

bool any_identifies(const std::vector<Curve>& curves) {
  return std::any_of(curves.begin(), curves.end(),
                     [](const Curve& curve) { return curve.identifies(); });
}

/// What is asked for: error, budget, most, top; nothing where regret is measured.
std::string goal_fields(const lab::PlayedSetting& played) {
  if (!played.goal) return ",,,,";
  const simulation::Goal& goal = *played.goal;
  const std::string horizon = played.horizon < kLastRound ? fmt::format("{}", played.horizon) : "";
  return fmt::format(",{},{},{},{}", field(played.error()), goal.budget ? horizon : "",
                     goal.budget ? "" : horizon, goal.top);
}

/// What is the same in all rows of a curve.
std::string start_of_rows(const Curve& curve, const std::vector<std::string>& variables,
                          bool with_goals) {
  const lab::PlayedSetting& played = curve.document.setting;
  const privacy::Guarantee& guarantee = curve.document.promises.guarantee;
  std::string row = field(curve.problem());
  for (const std::string& name : variables) {
    const lab::Variable* variable = curve.document.variable(name);
    row += fmt::format(",{}", variable != nullptr ? field(*variable) : "");
  }
  return row +
         fmt::format(
             ",{},{},{},{}{},{},{},{},{},{},{},{}", field(curve.policy()), field(played.policy),
             field(played.epsilon), field(played.delta), with_goals ? goal_fields(played) : "",
             field(parameters(played.parameters)), privacy::name_of(guarantee.notion),
             field(guarantee.epsilon), guarantee.is_private() ? field(guarantee.delta) : "",
             curve.identifies() ? "" : fmt::format("{}", played.horizon), played.seed, curve.runs);
}

/// The round, and, where a table has both, what is read there.
std::string place_of_row(const Curve& curve, std::size_t checkpoint, bool with_goals) {
  if (!curve.identifies()) {
    return fmt::format("{}{}", curve.checkpoints()[checkpoint], with_goals ? ",regret" : "");
  }
  return checkpoint == kWrong ? ",wrong" : ",samples";
}

}  // namespace

std::optional<double> Curve::variable(const std::string& name) const {
  const lab::Variable* variable = document.variable(name);
  return variable != nullptr ? variable->number() : std::nullopt;
}

simulation::Interval Curve::interval(std::size_t checkpoint) const {
  const simulation::Moments& moments = measured.curve[checkpoint];
  if (identifies() && checkpoint == kWrong) return moments.share_interval95();
  const double half = moments.half_width95();
  return {moments.mean() - half, moments.mean() + half};
}

std::string Curve::guarantee() const {
  return is_private() ? lab::guarantee_text(document.promises.guarantee) : "not private";
}

std::vector<Curve> curves_of(const lab::Results& results) {
  std::vector<Curve> curves;
  const storage::Transaction snapshot = results.snapshot();
  const lab::Contents contents = results.contents();
  for (const lab::StoredConfiguration& c : contents.configurations) {
    const std::vector<lab::Block> blocks = lab::unbroken_blocks(results, c);
    if (!blocks.empty()) curves.push_back(curve_of(results, c, blocks));
  }
  return curves;
}

std::string to_csv(const std::vector<Curve>& curves) {
  const std::vector<std::string> variables = variables_of(curves);
  const bool with_goals = any_identifies(curves);
  std::string text = "problem";
  for (const std::string& name : variables) text += fmt::format(",{}", field(name));
  text += fmt::format(
      ",label,policy,epsilon,delta,{}params,guarantee,guarantee_epsilon,guarantee_delta,horizon,"
      "seed,runs,t,{}mean,stderr,lo,hi,median,q05,q95\n",
      with_goals ? "error,budget,most,top," : "", with_goals ? "reading," : "");
  for (const Curve& curve : curves) {
    const std::string start = start_of_rows(curve, variables, with_goals);
    for (std::size_t i = 0; i < curve.checkpoints().size(); ++i) {
      const simulation::Moments& moments = curve.measured.curve[i];
      const simulation::Interval interval = curve.interval(i);
      const auto quantile = [&](double p) {
        return field(simulation::sorted_quantile(curve.regrets[i], p));
      };
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{}\n", start, place_of_row(curve, i, with_goals),
                      field(moments.mean()), field(moments.standard_error()), field(interval.lo),
                      field(interval.hi), quantile(0.5), quantile(0.05), quantile(0.95));
    }
  }
  return text;
}

lab::Json to_json(const std::vector<Curve>& curves) {
  lab::Json all = lab::Json::array();
  for (const Curve& curve : curves) {
    lab::Json document = to_json(curve.document);
    document.erase("checkpoints");
    document.erase("means");
    document.erase("best_set");
    if (curve.identifies()) {
      for (const char* of_regret : {"horizon", "against"}) document.erase(of_regret);
      document.update(lab::identification_json(curve.measured, curve.document.setting.horizon));
    } else {
      document.update(lab::measurement_json(curve.measured, curve.checkpoints(), curve.benchmark));
    }
    all.push_back(std::move(document));
  }
  return all;
}

}  // namespace tacit::reports
