#include "tacit/evidence/rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tacit/random/distributions.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::evidence {
namespace {

struct Case {
  double s, n;
  int noises;
  double scale, level;
};

struct Found {
  long double value;
  long double rest;
};

/// The least over l of [1 - e^(-c/n)]/(1 - e^-l), and what is left of 1 there, by looking everywhere.
Found by_search(const Case& c) {
  const long double b = c.scale;
  const auto at = [&](long double log_l) {
    const long double l = std::exp(log_l);
    const long double exponent = (c.level + l * c.s - c.noises * std::log1p(-l * l * b * b)) / c.n;
    const long double share = -std::expm1(-l);
    return Found{-std::expm1(-exponent) / share,
                 -std::exp(-exponent) * std::expm1(exponent - l) / share};
  };
  // Where one of the two is close to nothing, only its own digits tell.
  const auto better = [](const Found& x, const Found& y) {
    return x.value < 0.5 ? x.value < y.value : x.rest > y.rest;
  };
  const long double last = std::log(std::min(1 / b, 745.0L) * (1 - 1e-12L));
  constexpr int kLooks = 400;
  const auto place = [&](int i) { return last - 28.0L * (kLooks - i) / kLooks; };
  int best = 0;
  for (int i = 1; i <= kLooks; ++i) {
    if (better(at(place(i)), at(place(best)))) best = i;
  }
  long double low = place(std::max(best - 1, 0));
  long double high = place(std::min(best + 1, kLooks));
  for (int i = 0; i < 200; ++i) {
    const long double left = low + (high - low) / 3;
    const long double right = high - (high - low) / 3;
    (better(at(right), at(left)) ? low : high) = better(at(right), at(left)) ? left : right;
  }
  const Found found = at(low);
  return found.rest > 0 ? found : Found{1, 0};
}

/// From one observation to 2^50, noise of a thousandth and of a thousand, means at both ends.
Case random_case(random::SimulationStream& draw) {
  const auto uniform = [&draw] { return random::uniform_open(draw); };
  Case c{};
  c.n = std::floor(std::exp2(uniform() * 50));
  c.scale = std::exp(std::log(1e-3) + uniform() * std::log(1e6));
  c.noises = random::uniform_index(draw, 12);
  const double end = 1e-6 * uniform();
  const int kind = random::uniform_index(draw, 10);
  const double mean = kind == 0 ? end : kind == 1 ? 1 - end : uniform();
  c.s = mean * c.n + c.scale * (uniform() - 0.5) * 4 * std::sqrt(c.noises);
  c.level = std::exp(uniform() * 4.5 - 0.5);
  return c;
}

TEST(UpperMean, IsFoundWhateverTheSumAndItsNoise) {
  auto draw = random::SimulationKey(1, "evidence", "rate", 0).stream(random::Purpose::kDecisions);
  int inside = 0;
  for (int i = 0; i < 2000; ++i) {
    const Case c = random_case(draw);
    const UpperMean found = upper_mean(c.s, c.n, c.noises, c.scale, c.level);
    if (found.value <= 0) continue;
    const Found best = by_search(c);
    std::ostringstream text;
    text << c.s << " " << c.n << " " << c.noises << " " << c.scale << " " << c.level;
    SCOPED_TRACE(text.str());
    EXPECT_LE(std::abs(found.value - best.value), found.doubt / 2);
    EXPECT_LE(std::abs(found.rest - best.rest), found.rest_doubt / 2);
    if (found.value < 1) ++inside;
    const double log_rest = upper_mean_log_rest(c.s, c.n, c.noises, c.scale, c.level);
    if (best.rest == 0) {
      EXPECT_TRUE(std::isinf(log_rest));
    } else {
      EXPECT_NEAR(log_rest, static_cast<double>(std::log(best.rest)),
                  1e-6 * (1 + std::abs(log_rest)) + found.rest_doubt / found.rest);
    }
  }
  EXPECT_GT(inside, 1000);
}

}  // namespace
}  // namespace tacit::evidence
