#include "tacit/evidence/transport.hpp"

#include <array>
#include <cstddef>

namespace tacit::evidence {
namespace {

constexpr double kZetaOfTwo = 1.6449340668482264;

/// Euler and Maclaurin's sum, for s > 1.
double zeta(double s) {
  constexpr double kFrom = 20;
  double sum = 0;
  for (double n = 1; n < kFrom; ++n) sum += std::pow(n, -s);
  const double last = std::pow(kFrom, -s);
  return sum + last * (kFrom / (s - 1) + 0.5 + s / (12 * kFrom));
}

/// (g(l) + x)/l is this line in x.
struct Line {
  double at_zero;
  double slope;
};

/// Any l gives a bound. The best one has 1 - l of about 1/(2x), and a tenth of that more or less costs some thousandths.
std::array<Line, 128> lines() {
  std::array<Line, 128> all;
  double rest = 0.1;
  for (Line& line : all) {
    const double l = 1 - rest;
    const double g = 2 * l - 2 * l * std::log(4 * l) + std::log(zeta(2 * l)) - std::log(rest) / 2;
    line = {g / l, 1 / l};
    rest /= 1.1;
  }
  return all;
}

/// But for what depends on how many observations there are.
double at_any_time(double pairs, double error) {
  return 2 * calibrated(std::log(pairs / error) / 2);
}

double square(double x) { return x * x; }

}  // namespace

double calibrated(double x) {
  static const auto all = lines();
  double least = std::numeric_limits<double>::infinity();
  for (const Line& line : all) least = std::min(least, line.at_zero + line.slope * x);
  return least;
}

ReportLevel::ReportLevel(Threshold threshold, int arms, double error)
    : proven_(threshold == Threshold::kProven),
      constant_(proven_ ? at_any_time(arms - 1, error) : std::log(1 / error)) {}

PhaseLevel::PhaseLevel(Threshold threshold, int arms, double error, double epsilon)
    : proven_(threshold == Threshold::kProven),
      of_reports_(threshold, arms, error),
      arms_(arms),
      error_(error),
      epsilon_(epsilon) {}

double PhaseLevel::of(const LastPhase& a, const LastPhase& b) const {
  const double parts = of_reports_.part(a.n) + of_reports_.part(b.n);
  const double noise = of_noise(a) + of_noise(b);
  if (!proven_) return of_reports_.constant() + parts + noise;
  const double share = 2 * square(kZetaOfTwo * a.number * b.number);
  return 2 * (at_any_time(arms_ - 1, error_ / share) + parts) + noise;
}

double PhaseLevel::of_noise(const LastPhase& phase) const {
  const double tail = proven_ ? std::log(2 * arms_ * kZetaOfTwo * square(phase.number) / error_)
                              : std::log(1 / error_);
  const double sigma = transport().sigma;
  return square(tail / (epsilon_ * sigma)) / phase.n;
}

}  // namespace tacit::evidence
