// How often each index fails to cover the mean at a fixed number of observations: the rows of the table
// in docs/radii.md.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "statistics/coverage.hpp"
#include "tacit/indices/fixed_ucb.hpp"
#include "tacit/indices/kl.hpp"
#include "tacit/indices/mgf.hpp"
#include "tacit/indices/ucb.hpp"
#include "tacit/indices/ucb_v.hpp"
#include "tacit/privacy/counter_noise.hpp"
#include "tacit/privacy/gaussian.hpp"

namespace tacit::indices::radii {

using tacit::testing::LaplaceRace;

inline constexpr std::array<Round, 3> kRounds{10, 100, 1000};
inline constexpr std::array<int, 7> kCounts{1, 2, 5, 10, 20, 100, 1000};
inline constexpr std::array<double, 3> kMeans{0.1, 0.5, 0.9};
inline constexpr std::array<double, 4> kEpsilons{0.5, 1, 5, 20};
inline constexpr double kGrowth = 1.5;

/// One row of the table: the largest failure probability at each t over everything that was tried.
struct Row {
  std::string index;
  std::string noise;
  double (*promise)(double t);  // null: none
  std::array<double, 3> worst{};
  std::array<std::string, 3> where{};
};

/// The index in round t as a function of the sum.
template <class Index>
auto in_round(const Index& index, int n, int noises, Round t) {
  return [&index, n, noises, clock = clock_of(index, t)](double sum) {
    return index.value(index.prepare({sum, static_cast<double>(n), noises}), clock);
  };
}

/// Fills in a row at one t.
struct Tries {
  Row& row;
  std::size_t at;
  Round t = kRounds[at];
  double log_t = std::log(static_cast<double>(t));

  void add(double failure, const std::string& setting, int n, double mean) const {
    if (failure <= row.worst[at]) return;
    row.worst[at] = failure;
    row.where[at] = fmt::format("{}n = {}, mean {}", setting, n, mean);
  }

  /// Sums that hold terms(n) Laplace(scale) terms; n with no terms are left out.
  template <class Index, class Terms>
  void laplace(const Index& index, double scale, Terms terms, const std::string& setting) const {
    for (const int n : kCounts) {
      const int noises = terms(n);
      if (noises == 0) continue;
      const LaplaceRace noise(noises);
      for (const double mean : kMeans) {
        add(tacit::testing::failure(in_round(index, n, noises, t), n, mean,
                                    [&](double x) { return noise.below(x / scale); }),
            setting, n, mean);
      }
    }
  }
  template <class Index>
  void normal(const Index& index, double sigma, const std::string& setting) const {
    for (const int n : kCounts) {
      for (const double mean : kMeans) {
        const auto below = [&](double x) {
          return tacit::testing::normal_below(x / (sigma * std::sqrt(n)));
        };
        add(tacit::testing::failure(in_round(index, n, n, t), n, mean, below), setting, n, mean);
      }
    }
  }
  template <class Index>
  void exact(const Index& index) const {
    for (const int n : kCounts) {
      for (const double mean : kMeans) {
        add(tacit::testing::failure_without_noise(in_round(index, n, 0, t), n, mean), "", n, mean);
      }
    }
  }
};

template <class Try>
Row row(std::string index, std::string noise, double (*promise)(double), Try attempt) {
  Row filled{std::move(index), std::move(noise), promise};
  for (std::size_t at = 0; at < kRounds.size(); ++at) attempt(Tries{filled, at});
  return filled;
}

template <class F>
void for_each_size_and_epsilon(F f) {
  for (const int k : {1, 4, 64}) {
    for (const double epsilon : kEpsilons)
      f(k, epsilon, fmt::format("K = {}, eps = {}, ", k, epsilon));
  }
}

inline int digit_sum(int n, int base) { return n == 0 ? 0 : n % base + digit_sum(n / base, base); }
inline int one_a_report(int n) { return n; }

/// 4 sqrt(2 K ln T/(eps^2 n)), as printed.
inline Row printed_reports(const char* name, std::vector<int> sizes, std::vector<double> epsilons) {
  return row(name, "n of scale K/eps", nullptr, [&](const Tries& tries) {
    for (const int k : sizes) {
      for (const double epsilon : epsilons) {
        tries.laplace(FixedUcb(32 * k * tries.log_t / (epsilon * epsilon), 0), k / epsilon,
                      one_a_report, fmt::format("K = {}, eps = {}, ", k, epsilon));
      }
    }
  });
}

inline std::vector<Row> rows_with_a_promise() {
  const auto lazy = [](Level level) {
    return [level](const Tries& tries) {
      for (const double scale : {0.2, 1.0, 8.0}) {
        for (const int phases : {1, 3, 12}) {
          tries.laplace(
              MgfUcb(scale, level, kGrowth), scale, [=](int) { return phases; },
              fmt::format("b = {}, phases = {}, ", scale, phases));
        }
      }
    };
  };
  const auto per_t = [](double t) { return 1 / t; };
  const auto per_t2 = [](double t) { return 1 / (t * t); };
  const auto per_t3 = [](double t) { return 1 / (t * t * t); };
  const auto lazy_ucb = [](double t) { return 0.5 * std::pow(t, -3) + std::pow(t, -6); };
  return {
      row("`cucb-ldp1`, `cucb-ldp2`", "n of scale K/eps", per_t,
          [](const Tries& tries) {
            for_each_size_and_epsilon([&](int k, double epsilon, const std::string& setting) {
              tries.laplace(LaplaceReportsUcb(k / epsilon, tries.log_t), k / epsilon, one_a_report,
                            setting);
            });
          }),
      row(
          "`cucb-ldp-gaussian`", "normal", [](double t) { return 1 / (t * t) + 1 / (t * t * t); },
          [](const Tries& tries) {
            for_each_size_and_epsilon([&](int k, double epsilon, const std::string& setting) {
              const double sigma = privacy::gaussian_sigma(epsilon, 1e-6, std::sqrt(k));
              tries.normal(Ucb(std::pow(std::sqrt(1.5) + 2 * sigma, 2), 0), sigma, setting);
            });
          }),
      row("`cucb-dp`", "digit sum of n", per_t2,
          [](const Tries& tries) {
            for (const int arity : {2, 16}) {
              const int levels = privacy::tree_levels(tries.t, arity);
              for (const double share : {0.2, 1.0, 8.0}) {
                const NoiseTailUcb index(share * levels, (arity - 1) * levels,
                                         std::numbers::ln2 + 2 * tries.log_t);
                tries.laplace(
                    index, share * levels,
                    [&](int n) { return n <= tries.t ? digit_sum(n, arity) : 0; },
                    fmt::format("arity {}, K/eps = {}, ", arity, share));
              }
            }
          }),
      row("`lazy-kl-*`, sharp", "1 a phase, scale b", per_t, lazy(Level::kSharp)),
      row(
          "`lazy-kl-*`, justified", "1 a phase, scale b",
          [](double t) { return 1 / (t * (1 + std::log(t) / std::log(kGrowth))); },
          lazy(Level::kJustified)),
      row("`dpucb-mat`", "1 of scale K/eps", per_t3,
          [](const Tries& tries) {
            for_each_size_and_epsilon([&](int k, double epsilon, const std::string& setting) {
              tries.laplace(
                  ScaledUcb(3, 3 * k / epsilon, k), k / epsilon, [](int) { return 1; }, setting);
            });
          }),
      row("`anytime-lazy-ucb`", "1 of scale 1/eps", lazy_ucb,
          [](const Tries& tries) {
            for (const double epsilon : kEpsilons) {
              tries.laplace(
                  Ucb(3, 3 / epsilon), 1 / epsilon, [](int) { return 1; },
                  fmt::format("eps = {}, ", epsilon));
            }
          }),
      row("`anytime-lazy-ucb`, index=ucb-v", "1 of scale 1/eps", lazy_ucb,
          [](const Tries& tries) {
            for (const double epsilon : kEpsilons) {
              tries.laplace(
                  UcbV(3, 3 / epsilon), 1 / epsilon, [](int) { return 1; },
                  fmt::format("eps = {}, ", epsilon));
            }
          }),
      row("`cucb`", "none", per_t3, [](const Tries& tries) { tries.exact(ClippedUcb(1.5)); }),
      row(
          "`omm`", "none", [](double t) { return 1 / (t * t * t * t); },
          [](const Tries& tries) { tries.exact(Ucb(2, 0)); }),
      row(
          "`kl-osm`", "none", [](double t) { return 1 / (t * std::pow(std::log(t), 3)); },
          [](const Tries& tries) {
            tries.exact(KlUcb({.level_factor = 1, .iterated_factor = 3}));
          }),
      row("`KlUcb` at ln t", "none", per_t, [](const Tries& tries) { tries.exact(KlUcb({})); }),
  };
}

inline std::vector<Row> rows_as_printed() {
  return {printed_reports("`cucb-ldp1` as printed, K <= 4", {1, 4}, {0.5, 1, 5}),
          printed_reports("`cucb-ldp1` as printed, K = 16", {16}, {0.5, 1, 5}),
          printed_reports("`cucb-ldp1` as printed, K = 64", {64}, {0.5, 1, 5}),
          printed_reports("`cucb-ldp2` as printed, eps <= 5", {1}, {0.5, 1, 5}),
          printed_reports("`cucb-ldp2` as printed, eps = 20", {1}, {20}),
          row("`cucb-dp` as printed", "bits of n", nullptr, [](const Tries& tries) {
            for (const double share : {0.2, 1.0, 8.0}) {  // K/eps; m = 2
              const FixedUcb index(4 * (tries.log_t + std::numbers::ln2),
                                   12 * share * std::pow(tries.log_t, 3));
              tries.laplace(
                  index, 2 * share * tries.log_t / std::numbers::ln2,
                  [&](int n) { return n <= tries.t ? digit_sum(n, 2) : 0; },
                  fmt::format("K/eps = {}, ", share));
            }
          })};
}

inline std::string table() {
  std::string text =
      "| index | noise terms in the sum | t = 10 | t = 100 | t = 1000 | promised at 1000 | worst "
      "at 1000 |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const std::vector<Row>& rows : {rows_with_a_promise(), rows_as_printed()}) {
    for (const Row& r : rows) {
      const std::string promised =
          r.promise == nullptr ? "-" : fmt::format("{:.1e}", r.promise(1000));
      text += fmt::format("| {} | {} | {:.1e} | {:.1e} | {:.1e} | {} | {} |\n", r.index, r.noise,
                          r.worst[0], r.worst[1], r.worst[2], promised, r.where[2]);
    }
  }
  return text;
}

}  // namespace tacit::indices::radii
