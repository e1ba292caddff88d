#include "tacit/lab/adversary_figure.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tacit/lab/gnuplot.hpp"
#include "tacit/lab/output_file.hpp"
#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::lab {
namespace {

constexpr int kUsers = 40000;

/// The share of users whose bit is guessed wrongly from what a mechanism says of it, with its 95% interval.
template <class Guess>
Point failures(double epsilon, Guess guess) {
  int wrong = 0;
  for (int user = 0; user < kUsers; ++user) {
    const bool bit = user % 2 == 1;
    wrong += guess(bit) == bit ? 0 : 1;
  }
  const double share = static_cast<double>(wrong) / kUsers;
  const double half = 1.96 * std::sqrt(share * (1 - share) / kUsers);
  return {epsilon, share, share - half, share + half};
}

Series line(const std::string& label, Stroke stroke, int colour, double (*value)(double)) {
  Series series;
  series.label = label;
  series.stroke = stroke;
  series.colour = colour;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i <= 80; ++i) {
    const double epsilon = 0.05 * i;
    series.points.push_back({epsilon, value(epsilon), kNone, kNone});
  }
  return series;
}

Series measured(const std::string& label, int colour) {
  Series series;
  series.label = label;
  series.policy = label;
  series.colour = colour;
  series.marks = true;
  return series;
}

}  // namespace

Item adversary_item() {
  return {.name = "chandak-fig2-1",
          .title = "How often an attacker on one user's bit must fail",
          .source = "Chandak's thesis, Figure 2.1 and Theorems 4, 5",
          .file = ""};
}

Reproduced reproduce_adversary(const std::filesystem::path& folder) {
  Series response = measured("randomised response: believe the answer", 0);
  Series laplace = measured("a sum with Laplace noise: the nearer of two values", 1);
  const random::SimulationKey key(1, "adversary", "one bit", 0);
  auto stream = key.stream(random::Purpose::kNoise);
  constexpr int kOthers = 10;  // what the attacker knows of everybody else
  for (const double epsilon : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0}) {
    const privacy::RandomizedResponse answer(epsilon, privacy::Arithmetic::kIdealised);
    response.points.push_back(failures(epsilon, [&](bool bit) {
      return static_cast<bool>(
          answer.report(privacy::Secret<Outcome>(Outcome::bit(bit)), stream).value());
    }));
    const privacy::Laplace noise(1 / epsilon, privacy::Arithmetic::kIdealised);
    laplace.points.push_back(failures(epsilon, [&](bool bit) {
      return noise.release(privacy::Secret<Sum>(Sum::of_ones(kOthers + (bit ? 1 : 0))), stream)
                 .value() > kOthers + 0.5;
    }));
  }
  Item item = adversary_item();
  Figure figure{.name = item.name,
                .title = item.title,
                .x = "epsilon",
                .x_label = "ε",
                .y_label = "probability of failure",
                .log_x = false,
                .log_y = false,
                .panels = {Panel{"", {}}}};
  std::vector<Series>& all = figure.panels.front().series;
  all.push_back(line("1/(1 + e^ε), lower bound", Stroke::kFinite, -1, theory::adversary_failure));
  all.push_back(line("1/2 - ε/4", Stroke::kAsymptotic, 2,
                     [](double e) { return std::max(0.0, 0.5 - e / 4); }));
  all.push_back(std::move(response));
  all.push_back(std::move(laplace));

  Reproduced one{.name = item.name, .title = item.title, .verdict = {}};
  std::string csv = "attacker,epsilon,failure,lo,hi,bound\n";
  bool kept = true;
  bool tight = true;
  for (const Series& series : all) {
    if (!series.marks) continue;
    for (const Point& p : series.points) {
      const double bound = theory::adversary_failure(p.x);
      csv += fmt::format("\"{}\",{},{},{},{},{}\n", series.label, p.x, p.y, p.lo, p.hi, bound);
      kept = kept && p.hi >= bound;
      if (series.colour == 0) tight = tight && p.lo <= bound;
    }
  }
  bool above = true;
  for (const Point& p : all[0].points) above = above && p.y >= 0.5 - p.x / 4 - 1e-12;
  for (const bool claim : {kept && tight, above}) ++(claim ? one.verdict.holds : one.verdict.fails);
  one.verdict.broken_bounds = kept ? 0 : 1;
  one.verdict.text = fmt::format(
      "{}: {}\nfrom {}\n\nVerdict: {}\n\nWhat is said\n  {}:\n"
      "    whoever knows everything but one user's bit fails with probability at least 1/(1 + "
      "e^epsilon)\n"
      "    measured: {} users, seven epsilons; randomised response meets the bound, Laplace noise "
      "stays above\n"
      "  {}:\n    1/2 - epsilon/4 lies below it, and touches it for small epsilon\n",
      item.name, item.title, item.source, one.verdict.summary(),
      kept && tight ? "holds" : "does not hold", kUsers, above ? "holds" : "does not hold");
  write_file("output", (folder / (item.name + ".csv")).string(), csv);
  draw(figure, (folder / (item.name + ".svg")).string());
  write_file("output", (folder / (item.name + ".txt")).string(), one.verdict.text);
  return one;
}

}  // namespace tacit::lab
