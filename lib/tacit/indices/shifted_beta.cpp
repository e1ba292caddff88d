#include "tacit/indices/shifted_beta.hpp"

#include <cmath>

#include <boost/math/special_functions/beta.hpp>

namespace tacit::indices {
namespace {

// Doubles throughout: long doubles cost three times as much and the last digits do not matter here.
using Doubles = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::evaluation_error<boost::math::policies::ignore_error>>;

struct Shape {
  double a;
  double b;
};

Shape shape(double p, double n) { return {p * n + 1, (1 - p) * n + 1}; }

}  // namespace

double ShiftedBeta::deviation(const State& s, const Clock& clock) const noexcept {
  const double m = mean(s, clock);
  return std::sqrt(m * (1 - m) / (s.n + 3));
}

double ShiftedBeta::chance_below(const State& s, const Clock& clock, double y) const {
  const auto [a, b] = shape(p(s, clock), s.n);
  return boost::math::ibeta(a, b, y, Doubles());
}

double ShiftedBeta::chance_above(const State& s, const Clock& clock, double y) const {
  const auto [a, b] = shape(p(s, clock), s.n);
  return boost::math::ibetac(a, b, y, Doubles());
}

}  // namespace tacit::indices
