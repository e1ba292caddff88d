#include "tacit/reports/adversary_figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "tacit/privacy/laplace.hpp"
#include "tacit/privacy/randomized_response.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/reports/looks.hpp"
#include "tacit/theory/classic.hpp"

namespace tacit::reports {
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

Series formula(const std::string& label, theory::Kind kind, double (*value)(double)) {
  Series series;
  series.label = label;
  series.origin = Origin::kBound;
  series.bound_kind = kind;
  series.bound_side = theory::Side::kLower;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i <= 80; ++i) {
    const double epsilon = 0.05 * i;
    series.points.push_back({epsilon, value(epsilon), kNone, kNone});
  }
  return series;
}

Series attack(const std::string& label) {
  Series series;
  series.label = label;
  series.origin = Origin::kMeasured;
  series.course = Course::kSwept;
  series.policy = label;
  series.policy_name = label;
  return series;
}

struct Attacks {
  Series response = attack("randomised response: believe the answer");
  Series laplace = attack("a sum with Laplace noise: the nearer of two values");
};

Attacks measure() {
  Attacks attacks;
  const random::SimulationKey key(1, "adversary", "one bit", 0);
  auto stream = key.stream(random::Purpose::kNoise);
  constexpr int kOthers = 10;  // what the attacker knows of everybody else
  for (const double epsilon : {0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0}) {
    const privacy::RandomizedResponse answer(epsilon, privacy::Arithmetic::kIdealised);
    attacks.response.points.push_back(failures(epsilon, [&](bool bit) {
      return static_cast<bool>(
          answer.report(privacy::Secret<Outcome>(Outcome::bit(bit)), stream).value());
    }));
    const privacy::Laplace noise(1 / epsilon, privacy::Arithmetic::kIdealised);
    attacks.laplace.points.push_back(failures(epsilon, [&](bool bit) {
      return noise.release(privacy::Secret<Sum>(Sum::of_ones(kOthers + (bit ? 1 : 0))), stream)
                 .value() > kOthers + 0.5;
    }));
  }
  return attacks;
}

double tangent(double epsilon) { return std::max(0.0, 0.5 - epsilon / 4); }

/// Where the failures of all attackers lie.
Series possible() {
  Series series = formula("1/(1 + e^ε), lower bound; failures lie in what is shaded",
                          theory::Kind::kFinite, theory::adversary_failure);
  for (Point& point : series.points) {
    point.lo = point.y;
    point.hi = 1;
  }
  return series;
}

Figure figure_of(const Attacks& attacks) {
  const PaperFigure paper = adversary_figure();
  Figure figure{
      .name = paper.name,
      .title = paper.title,
      .x = Axis::kEpsilon,
      .y = Quantity::kRegret,
      .x_label = "ε",
      .y_label = "probability of failure",
      .scales = {},
      .panels = {
          Panel{"",
                {possible(), formula("1/2 - ε/4, for small ε", theory::Kind::kAsymptotic, tangent),
                 attacks.response, attacks.laplace}}}};
  give_looks(figure);
  return figure;
}

std::string data_of(const Attacks& attacks) {
  std::string csv = "attacker,epsilon,failure,lo,hi,bound\n";
  for (const Series* series : {&attacks.response, &attacks.laplace}) {
    for (const Point& p : series->points) {
      csv += fmt::format("\"{}\",{},{},{},{},{}\n", series->label, p.x, p.y, p.lo, p.hi,
                         theory::adversary_failure(p.x));
    }
  }
  return csv;
}

template <class Holds>
bool everywhere(const Series& series, Holds holds) {
  return std::all_of(series.points.begin(), series.points.end(), holds);
}

Verdict verdict_on(const Attacks& attacks, const Series& bound) {
  const auto is_kept = [](const Point& p) { return p.hi >= theory::adversary_failure(p.x); };
  const auto is_met = [](const Point& p) { return p.lo <= theory::adversary_failure(p.x); };
  const bool kept = everywhere(attacks.response, is_kept) && everywhere(attacks.laplace, is_kept);
  const bool tight = everywhere(attacks.response, is_met);
  const bool above = everywhere(bound, [](const Point& p) { return p.y >= 0.5 - p.x / 4 - 1e-12; });

  const PaperFigure paper = adversary_figure();
  Verdict verdict{.name = paper.name, .title = paper.title, .source = paper.source};
  const auto judgement = [](bool holds) { return holds ? Judgement::kHolds : Judgement::kFails; };
  verdict.claims = {
      {"whoever knows everything but one user's bit fails with probability at least 1/(1 + "
       "e^epsilon)",
       {judgement(kept && tight),
        fmt::format("{} users, seven epsilons; randomised response meets the bound, Laplace noise "
                    "stays above\n",
                    kUsers)}},
      {"1/2 - epsilon/4 lies below it, and touches it for small epsilon", {judgement(above), ""}}};
  verdict.broken_bounds = kept ? 0 : 1;
  return verdict;
}

}  // namespace

PaperFigure adversary_figure() {
  return {.name = "chandak-fig2-1",
          .title = "How often an attacker on one user's bit must fail",
          .source = "Chandak's thesis, Figure 2.1 and Theorems 4, 5"};
}

ReproducedFigure reproduce_adversary() {
  const Attacks attacks = measure();
  const Figure figure = figure_of(attacks);
  return {figure, data_of(attacks), verdict_on(attacks, figure.panels.front().series.front()),
          adversary_figure().command()};
}

}  // namespace tacit::reports
