// Checks that every way of drawing from a problem has one joint law, given exactly.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/privacy/exact.hpp"
#include "tacit/problems/problem.hpp"

namespace tacit::testing {

/// Probabilities of vectors of outcomes (in one round) or of sums (in several).
using Law = std::map<std::vector<int>, double>;

/// The law of the sums over n independent rounds.
inline Law sums_of(const Law& round, int n) {
  Law sums{{std::vector<int>(round.begin()->first.size(), 0), 1.0}};
  for (int i = 0; i < n; ++i) {
    Law next;
    for (const auto& [sum, p] : sums) {
      for (const auto& [outcome, q] : round) {
        std::vector<int> total(sum);
        for (std::size_t j = 0; j < total.size(); ++j) total[j] += outcome[j];
        next[total] += p * q;
      }
    }
    sums = std::move(next);
  }
  return sums;
}

inline std::vector<int> part_of(const std::vector<int>& all, const std::vector<Arm>& arms) {
  std::vector<int> part;
  part.reserve(arms.size());
  for (const Arm arm : arms) part.push_back(all[static_cast<std::size_t>(arm)]);
  return part;
}

/// The law of some coordinates.
inline Law of_arms(const Law& law, const std::vector<Arm>& arms) {
  Law marginal;
  for (const auto& [value, p] : law) marginal[part_of(value, arms)] += p;
  return marginal;
}

/// Chi-square of many draws against the law. Cells with few expected draws, where the chi-square
/// approximation is poor so far out in its tail, are counted together.
template <class Draw>
void expect_law(const Law& law, Draw draw, double alpha, const std::string& what) {
  constexpr int kDraws = 40000;
  constexpr double kEnough = 25;
  std::map<std::vector<int>, std::int64_t> seen;
  for (int i = 0; i < kDraws; ++i) ++seen[draw()];
  std::vector<std::int64_t> counts{0};
  std::vector<double> probabilities{0};
  for (const auto& [value, p] : law) {
    const auto at = seen.find(value);
    const std::int64_t count = at == seen.end() ? 0 : at->second;
    if (p * kDraws >= kEnough) {
      counts.push_back(count);
      probabilities.push_back(p);
    } else {
      counts[0] += count;
      probabilities[0] += p;
    }
  }
  ASSERT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), kDraws)
      << what << ": drew what cannot happen";
  if (probabilities[0] * kDraws < kEnough) {
    counts[1] += counts[0];
    probabilities[1] += probabilities[0];
    counts.erase(counts.begin());
    probabilities.erase(probabilities.begin());
  }
  ASSERT_GT(counts.size(), 1U) << what;
  EXPECT_LT(chi_square(counts, probabilities), chi_square_critical(counts.size(), alpha)) << what;
}

template <class T>
std::vector<int> opened(const privacy::SecretVector<T>& secrets) {
  std::vector<int> values;
  for (std::size_t i = 0; i < secrets.size(); ++i) {
    values.push_back(static_cast<int>(privacy::Exact::release(secrets[i]).value()));
  }
  return values;
}

/// `round` is the law of all arms' outcomes in one round. Sums of n rounds of the arms in `asked` are drawn
/// in all five ways. alpha is for all of them together.
inline void expect_one_joint_law(const problems::Problem& problem, const Law& round,
                                 const std::vector<Arm>& asked, int n,
                                 random::SimulationStream& stream, double alpha) {
  const double each = alpha / 5;
  const Law joint = sums_of(of_arms(round, asked), n);
  expect_law(
      joint,
      [&] {
        privacy::SecretVector<Sum> sums(asked.size());
        problem.draw_sums(asked, 1, n, stream, sums);
        return opened(sums);
      },
      each, "draw_sums");
  expect_law(
      joint,
      [&] {
        privacy::SecretVector<Sum> sums(static_cast<std::size_t>(problem.arms()));
        problem.draw_all_sums(1, n, stream, sums);
        return part_of(opened(sums), asked);
      },
      each, "draw_all_sums");
  expect_law(
      joint,
      [&] {
        std::vector<int> sums(asked.size(), 0);
        privacy::SecretVector<Outcome> outcomes(asked.size());
        for (int i = 0; i < n; ++i) {
          problem.draw_outcomes(asked, 1 + i, stream, outcomes);
          const std::vector<int> one = opened(outcomes);
          for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += one[j];
        }
        return sums;
      },
      each, "draw_outcomes");
  const Arm arm = asked.back();
  const Law marginal = sums_of(of_arms(round, {arm}), n);
  expect_law(
      marginal,
      [&] {
        const double sum = privacy::Exact::release(problem.draw_sum(arm, 1, n, stream)).value();
        return std::vector<int>{static_cast<int>(sum)};
      },
      each, "draw");
  expect_law(
      marginal,
      [&] {
        int sum = 0;
        for (int i = 0; i < n; ++i) {
          sum += static_cast<int>(
              privacy::Exact::release(problem.draw_outcome(arm, 1 + i, stream)).value());
        }
        return std::vector<int>{sum};
      },
      each, "draw_outcome");
}

}  // namespace tacit::testing
