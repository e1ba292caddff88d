#include "tacit/problems/adversaries.hpp"

#include <algorithm>
#include <cmath>

#include "tacit/core/check.hpp"

namespace tacit::problems {
namespace {

/// A row is kept for every round.
constexpr double kMostRounds = 10'000'000;

}  // namespace

std::vector<std::vector<double>> switching_rows(int arms, Round rounds) {
  check::at_least("switching", "arms", arms, 2);
  check::within("switching", "rounds", static_cast<double>(rounds), 5, kMostRounds);
  std::vector<double> before(static_cast<std::size_t>(arms), 0.5);
  before[0] = 0.25;
  before[1] = 0.75;
  std::vector<double> after(static_cast<std::size_t>(arms), 0.5);
  after[0] = 1;
  after[1] = 0;
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(rounds), after);
  std::fill_n(rows.begin(), rounds * 2 / 5, before);
  return rows;
}

std::vector<std::vector<double>> alternating_rows(Round rounds) {
  check::within("alternating", "rounds", static_cast<double>(rounds), 1, kMostRounds);
  std::vector<std::vector<double>> rows{{0.5, 0}};
  while (static_cast<Round>(rows.size()) < rounds) {
    rows.push_back(rows.size() % 2 == 1 ? std::vector<double>{0, 1} : std::vector<double>{1, 0});
  }
  return rows;
}

std::vector<double> exp3_lower_means(int arms, Round rounds) {
  check::at_least("exp3-lower", "arms", arms, 2);
  check::at_least("exp3-lower", "rounds", rounds, 1);
  std::vector<double> means(static_cast<std::size_t>(arms), 0.5);
  means[0] += std::min(1.0, std::sqrt(arms / static_cast<double>(rounds))) / 4;
  return means;
}

}  // namespace tacit::problems
