#include "tacit/indices/hybrid_noise_law.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <optional>

#include "tacit/core/check.hpp"
#include "tacit/privacy/counter_noise.hpp"

namespace tacit::indices {
namespace {

using Series = std::vector<long double>;

/// series times (1 - c u)^-power, as far as it goes.
void multiply(Series& series, long double c, int power) {
  for (int times = 0; times < power; ++times) {
    for (std::size_t i = 1; i < series.size(); ++i) series[i] += c * series[i - 1];
  }
}

long double polynomial(const Series& coefficients, long double x) {
  long double value = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * x + *c;
  return value;
}

Series beginning_with(long double first, int length) {
  Series series(static_cast<std::size_t>(length));
  if (length > 0) series[0] = first;
  return series;
}

}  // namespace

HybridNoiseLaw::HybridNoiseLaw(Round n) {
  check::at_least("HybridNoiseLaw", "n", n, 1);
  const privacy::HybridParts parts = privacy::hybrid_parts(n);
  const bool one_scale = parts.nodes == 0 || parts.levels == 1;
  width_ = one_scale ? 1 : parts.levels;
  const int narrow = parts.totals() + (one_scale ? parts.nodes : 0);
  const int wide = one_scale ? 0 : parts.nodes;
  const long double w = width_;
  // Around s = 1 with u = 1 - s:  1 - s^2 = 2 u (1 - u/2),
  //   1 - w^2 s^2 = -(w^2 - 1) (1 - u w/(w-1)) (1 - u w/(w+1)).
  Series a = beginning_with(std::pow(2.0L, -narrow) * (wide == 0 ? 1 : std::pow(1 - w * w, -wide)),
                            narrow);
  multiply(a, 0.5L, narrow);
  if (wide > 0) {
    multiply(a, w / (w - 1), wide);
    multiply(a, w / (w + 1), wide);
  }
  // Around s = 1/w with v = 1 - w s:  1 - w^2 s^2 = 2 v (1 - v/2),
  //   1 - s^2 = (w^2 - 1)/w^2 (1 + v/(w-1)) (1 - v/(w+1)).
  Series b = beginning_with(
      wide == 0 ? 0 : std::pow(2.0L, -wide) * std::pow(1 - 1 / (w * w), -narrow), wide);
  if (wide > 0) {
    multiply(b, 0.5L, wide);
    multiply(b, -1 / (w - 1), narrow);
    multiply(b, 1 / (w + 1), narrow);
  }
  narrow_ = part(a);
  wide_ = part(b);
}

/// Of the coefficients of u^-m, u^-(m-1), ..., u^-1.
HybridNoiseLaw::Part HybridNoiseLaw::part(const Series& fractions) {
  Part part;
  long double factorial = 1;
  long double sum = 0;  // of the coefficients of u^-j for j > i
  for (const long double coefficient : fractions) sum += coefficient;
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    if (i > 0) factorial *= static_cast<long double>(i);
    const long double coefficient = fractions[fractions.size() - 1 - i];
    part.tail.push_back(sum / factorial);
    part.density.push_back(coefficient / factorial);
    sum -= coefficient;
  }
  return part;
}

double HybridNoiseLaw::log_tail(double x) const {
  const long double y = x / static_cast<long double>(width_);
  const long double narrow = polynomial(narrow_.tail, x) * std::exp(y - x);
  return static_cast<double>(std::log(narrow + polynomial(wide_.tail, y)) - y);
}

double HybridNoiseLaw::hazard(double x) const {
  const long double y = x / static_cast<long double>(width_);
  const long double shrunk = std::exp(y - x);
  return static_cast<double>(
      (polynomial(narrow_.density, x) * shrunk + polynomial(wide_.density, y) / width_) /
      (polynomial(narrow_.tail, x) * shrunk + polynomial(wide_.tail, y)));
}

double HybridNoiseLaw::upper_quantile(double level) const {
  return upper_quantile_of(*this, level);
}

int hybrid_law_number(Round n) {
  const privacy::HybridParts parts = privacy::hybrid_parts(n);
  return parts.levels * (parts.levels + 1) / 2 + parts.nodes;
}

Round first_with_hybrid_law(int number) {
  int levels = 0;
  while ((levels + 1) * (levels + 2) / 2 <= number) ++levels;
  const int nodes = number - levels * (levels + 1) / 2;
  return (Round{1} << levels) + (Round{1} << nodes) - 1;
}

const QuantileTable& hybrid_quantiles(Round n) {
  constexpr std::size_t kLaws = 64 * 65 / 2;
  struct Made {
    std::once_flag once;
    std::optional<QuantileTable> table;
  };
  static std::array<Made, kLaws> tables;
  Made& made = tables[static_cast<std::size_t>(hybrid_law_number(n))];
  std::call_once(made.once, [&] { made.table.emplace(HybridNoiseLaw(n)); });
  return *made.table;
}

}  // namespace tacit::indices
