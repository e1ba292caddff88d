// Random instances, real extracts and checks that the tests of several action sets share.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/action_set.hpp"
#include "tacit/actions/graph.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/random/dice.hpp"
#include "tacit/random/distributions.hpp"

namespace tacit::actions::testing {

using Action = std::vector<Arm>;
using Draw = random::KeyedDraw;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What one statistical statement of this program may spend on false alarms; there are fewer than 20.
inline constexpr double kError = tacit::testing::kFamilyError / 20;

inline random::SimulationKey key(std::uint64_t run = 0) { return {1, "actions", "test", run}; }
inline random::Dice dice(std::uint64_t run = 0) { return random::Dice(key(run)); }

/// The generator of random instance number `run`.
inline Draw instance(std::uint64_t run) { return key(run).at(random::Purpose::kEnvironment, 0); }

inline int between(Draw& draw, int least, int most) {
  return least + random::uniform_index(draw, most - least + 1);
}

inline std::vector<Edge> random_edges(Draw& draw, int left, int right, double density) {
  std::vector<Edge> edges;
  for (int from = 0; from < left; ++from) {
    for (int to = 0; to < right; ++to) {
      if (random::uniform_open(draw) < density) edges.push_back({from, to});
    }
  }
  return edges;
}

inline std::vector<double> random_means(Draw& draw, int arms) {
  std::vector<double> means;
  for (int i = 0; i < arms; ++i) means.push_back(random::uniform_open(draw));
  return means;
}

/// Scores of four kinds: without ties; on a grid that reaches beyond [0, 1], so with many ties; some
/// infinite; all the same.
inline std::vector<double> random_scores(Draw& draw, int arms, int kind) {
  std::vector<double> scores;
  for (int i = 0; i < arms; ++i) {
    const double u = random::uniform_open(draw);
    switch (kind) {
      case 0: scores.push_back(u); break;
      case 1: scores.push_back(std::floor(u * 7) / 4 - 0.25); break;
      case 2: scores.push_back(u < 0.3 ? kInfinity : u); break;
      default: scores.push_back(0.25); break;
    }
  }
  return scores;
}

inline Action sorted(std::span<const Arm> arms) {
  Action action(arms.begin(), arms.end());
  std::sort(action.begin(), action.end());
  return action;
}

inline Action chosen(const ActionSet& set, std::span<const double> scores, Round t,
                     std::uint64_t run = 0) {
  const auto oracle = set.oracle();
  oracle->set_scores(scores);
  return sorted(oracle->choose(t, dice(run)).arms);
}

/// How often each action is chosen in rounds 1..rounds under these scores. Every choice is checked
/// to depend on nothing but the round: one oracle that has a past must agree with a new one.
inline std::map<Action, std::int64_t> choices_over_rounds(const ActionSet& set,
                                                          std::span<const double> scores,
                                                          Round rounds) {
  std::map<Action, std::int64_t> counts;
  const auto oracle = set.oracle();
  for (Round t = rounds; t >= 1; --t) {
    oracle->set_scores(scores);
    const Action action = sorted(oracle->choose(t, dice()).arms);
    if (t % 50 == 0) {
      EXPECT_EQ(action, chosen(set, scores, t)) << "round " << t;
    }
    ++counts[action];
  }
  return counts;
}

/// Monotone and smooth in both norms, for this action and random pairs of means. `slack` covers the
/// rounding of values to units.
inline void expect_smooth(const ActionSet& set, std::span<const Arm> action, Draw& draw) {
  constexpr double kSlack = 1e-8;
  const auto value = [&](const std::vector<double>& means) {
    return ActionSet::from_units(set.value(action, means));
  };
  for (int pair = 0; pair < 20; ++pair) {
    const auto low = random_means(draw, set.arms());
    const auto other = random_means(draw, set.arms());
    std::vector<double> high = low;
    double l1 = 0;
    double largest = 0;
    for (const Arm arm : action) {
      const std::size_t i = at(arm);
      high[i] = std::max(high[i], other[i]);
      l1 += std::abs(low[i] - other[i]);
      largest = std::max(largest, std::abs(low[i] - other[i]));
    }
    const double apart = std::abs(value(low) - value(other));
    EXPECT_LE(apart, set.smoothness().b1 * l1 + kSlack) << set.name();
    EXPECT_LE(apart, set.smoothness().b_infinity * largest + kSlack) << set.name();
    EXPECT_GE(value(high), value(low) - kSlack) << set.name();
  }
}

/// A table of integers from tests/data; nodes are numbered anew, in order of appearance.
struct Extract {
  Graph graph;
  std::vector<double> third;  // the third column
};

inline Extract read_extract(const std::string& file) {
  std::ifstream in(std::string(TACIT_TEST_DATA) + "/" + file);
  EXPECT_TRUE(in) << file;
  Extract extract;
  std::map<int, int> number;
  std::string line;
  while (std::getline(in, line)) {
    int from = 0;
    int to = 0;
    double third = 0;
    char comma = 0;
    if (!(std::istringstream(line) >> from >> comma >> to >> comma >> third)) continue;
    const int a = number.try_emplace(from, static_cast<int>(number.size())).first->second;
    const int b = number.try_emplace(to, static_cast<int>(number.size())).first->second;
    extract.graph.edges.push_back({a, b});
    extract.third.push_back(third);
  }
  extract.graph.nodes = static_cast<int>(number.size());
  return extract;
}

inline double value(const ActionSet& set, std::span<const Arm> action,
                    std::span<const double> means) {
  return ActionSet::from_units(set.value(action, means));
}

/// Sum over all 2^arms ways that arms can turn out of probability x f(bits).
template <class F>
double expectation(std::span<const double> means, F f) {
  double sum = 0;
  for (unsigned bits = 0; bits < 1U << means.size(); ++bits) {
    double probability = 1;
    for (std::size_t i = 0; i < means.size(); ++i) {
      probability *= (bits >> i & 1U) != 0 ? means[i] : 1 - means[i];
    }
    sum += probability * f(bits);
  }
  return sum;
}

}  // namespace tacit::actions::testing
