// Matroids small enough to try every set, and what that says of their greedy: shared by the tests of
// matroids.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/graphic_matroid.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/transversal_matroid.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions::testing {

using Arms = std::vector<Arm>;
using Rows = std::vector<std::vector<std::int64_t>>;
using Mask = std::uint32_t;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The two largest primes below 2^31.
inline constexpr std::int64_t kFirstPrime = 2147483647;
inline constexpr std::int64_t kSecondPrime = 2147483629;

inline random::SimulationKey key(std::uint64_t run = 0) { return {1, "actions", "test", run}; }
inline random::Dice dice(std::uint64_t run = 0) { return random::Dice(key(run)); }

/// Uniform on low..high, up to a bias that does not matter; the same on every platform.
inline int pick(std::mt19937& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<std::uint32_t>(high - low + 1));
}

inline Arms arms_of(Mask mask) {
  Arms arms;
  for (Arm arm = 0; arm < 32; ++arm) {
    if ((mask >> arm & 1U) != 0) arms.push_back(arm);
  }
  return arms;
}

inline Mask bit(Arm arm) { return Mask{1} << arm; }

inline Mask mask_of(std::span<const Arm> arms) {
  Mask mask = 0;
  for (const Arm arm : arms) mask |= bit(arm);
  return mask;
}

inline Arms sorted(std::span<const Arm> arms) {
  Arms copy(arms.begin(), arms.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

struct Instance {
  std::shared_ptr<const Matroid> matroid;
  std::function<bool(const Arms&)> independent;
};

inline Instance uniform(std::mt19937& random) {
  const int arms = pick(random, 1, 8);
  const int size = pick(random, 1, arms);
  return {std::make_shared<UniformMatroid>(arms, size),
          [size](const Arms& set) { return static_cast<int>(set.size()) <= size; }};
}

inline Instance partition(std::mt19937& random) {
  std::vector<int> capacity(at(pick(random, 1, 4)));
  for (int& c : capacity) c = pick(random, 0, 3);
  std::vector<int> block(at(pick(random, 1, 8)));
  for (int& b : block) b = pick(random, 0, static_cast<int>(capacity.size()) - 1);
  return {std::make_shared<PartitionMatroid>(block, capacity), [=](const Arms& set) {
            std::map<int, int> count;
            for (const Arm arm : set) ++count[block[at(arm)]];
            return std::all_of(count.begin(), count.end(), [&](auto entry) {
              return entry.second <= capacity[at(entry.first)];
            });
          }};
}

inline Instance laminar(std::mt19937& random) {
  // Halving ranges of shuffled arms, down to single arms, and each range kept with even odds.
  const int arms = pick(random, 1, 8);
  Arms order(at(arms));
  for (Arm arm = 0; arm < arms; ++arm) order[at(arm)] = arm;
  std::shuffle(order.begin(), order.end(), random);
  std::vector<LaminarSet> sets;
  const std::function<void(int, int)> split = [&](int begin, int end) {
    for (int copies = pick(random, 0, 5) == 0 ? 2 : pick(random, 0, 1); copies > 0; --copies) {
      sets.push_back({Arms(order.begin() + begin, order.begin() + end),
                      pick(random, 0, std::max(1, (end - begin) * 2 / 3))});
    }
    if (end - begin < 2) return;
    const int middle = pick(random, begin + 1, end - 1);
    split(begin, middle);
    split(middle, end);
  };
  split(0, arms);
  std::shuffle(sets.begin(), sets.end(), random);
  return {std::make_shared<LaminarMatroid>(arms, sets), [=](const Arms& set) {
            for (const LaminarSet& s : sets) {
              const auto inside = std::count_if(set.begin(), set.end(), [&s](Arm arm) {
                return std::find(s.members.begin(), s.members.end(), arm) != s.members.end();
              });
              if (inside > s.capacity) return false;
            }
            return true;
          }};
}

inline Instance graphic(std::mt19937& random) {
  const int nodes = pick(random, 1, 6);
  std::vector<Edge> edges(at(pick(random, 1, 9)));
  for (Edge& e : edges) e = {pick(random, 0, nodes - 1), pick(random, 0, nodes - 1)};
  return {std::make_shared<GraphicMatroid>(nodes, edges), [=](const Arms& set) {
            // A depth-first walk that meets a node twice, other than by the edge it came along, has
            // found a cycle.
            std::vector<char> seen(at(nodes));
            const std::function<bool(int, Arm)> acyclic_from = [&](int node, Arm came_along) {
              if (seen[at(node)]) return false;
              seen[at(node)] = true;
              for (const Arm arm : set) {
                const Edge& e = edges[at(arm)];
                if (arm == came_along || (e.from != node && e.to != node)) continue;
                if (!acyclic_from(e.from == node ? e.to : e.from, arm)) return false;
              }
              return true;
            };
            for (int node = 0; node < nodes; ++node) {
              if (!seen[at(node)] && !acyclic_from(node, -1)) return false;
            }
            return true;
          }};
}

/// By cross-multiplication in integers that never overflow.
inline bool independent_rows(const Rows& all, const Arms& set) {
  using Integer = boost::multiprecision::cpp_int;
  std::vector<std::vector<Integer>> rows;
  for (const Arm arm : set) rows.emplace_back(all[at(arm)].begin(), all[at(arm)].end());
  std::size_t done = 0;
  for (std::size_t column = 0; column < all.front().size() && done < rows.size(); ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end(),
                                    [column](const auto& row) { return row[column] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(rows[done], *pivot);
    for (std::size_t i = done + 1; i < rows.size(); ++i) {
      const Integer a = rows[done][column];
      const Integer b = rows[i][column];
      for (std::size_t j = 0; j < rows[i].size(); ++j) {
        rows[i][j] = rows[i][j] * a - rows[done][j] * b;
      }
    }
    ++done;
  }
  return done == rows.size();
}

inline Instance linear_of(const Rows& rows) {
  return {std::make_shared<LinearMatroid>(rows),
          [rows](const Arms& set) { return independent_rows(rows, set); }};
}

inline Instance linear(std::mt19937& random) {
  Rows rows(at(pick(random, 1, 8)), std::vector<std::int64_t>(at(pick(random, 1, 5))));
  const int size = pick(random, 1, 4);
  for (auto& row : rows) {
    for (auto& entry : row) entry = std::max(-size, pick(random, -2 * size, size));
    if (pick(random, 0, 9) == 0) std::fill(row.begin(), row.end(), 0);
  }
  return linear_of(rows);
}

inline Instance transversal(std::mt19937& random) {
  const int slots = pick(random, 1, 6);
  std::vector<std::vector<int>> slots_of_arm(at(pick(random, 1, 8)));
  for (auto& list : slots_of_arm) {
    for (int slot = 0; slot < slots; ++slot) {
      if (pick(random, 0, 2) == 0) list.push_back(slot);
    }
  }
  return {std::make_shared<TransversalMatroid>(slots, slots_of_arm), [=](const Arms& set) {
            // Hall: any m of the arms know at least m slots.
            for (Mask some = 0; some < (Mask{1} << set.size()); ++some) {
              Mask known = 0;
              for (const int i : arms_of(some)) {
                for (const int slot : slots_of_arm[at(set[at(i)])]) known |= bit(slot);
              }
              if (std::popcount(known) < std::popcount(some)) return false;
            }
            return true;
          }};
}

/// A kind of matroids, of which make() draws one.
struct SmallMatroid {
  const char* name;
  Instance (*make)(std::mt19937&);
};
inline constexpr SmallMatroid kSmallMatroids[] = {
    {"Uniform", uniform}, {"Partition", partition}, {"Laminar", laminar},
    {"Graphic", graphic}, {"Linear", linear},       {"Transversal", transversal}};

/// What the brute force knows of an instance.
class Answers {
 public:
  explicit Answers(const Instance& instance) : arms_(instance.matroid->arms()) {
    for (Mask mask = 0; mask < bit(arms_); ++mask) {
      independent_.push_back(instance.independent(arms_of(mask)));
      if (independent_.back()) rank_ = std::max(rank_, std::popcount(mask));
    }
  }

  int rank() const { return rank_; }
  bool independent(Mask mask) const { return independent_[mask]; }
  bool basis(Mask mask) const { return independent_[mask] && std::popcount(mask) == rank_; }

  /// Infinite scores first, then the sum of the others.
  using Value = std::pair<int, double>;
  static Value value(Mask mask, std::span<const double> scores) {
    Value value{0, 0};
    for (const Arm arm : arms_of(mask)) {
      const double score = scores[at(arm)];
      if (score == kInfinity) {
        ++value.first;
      } else {
        value.second += score;
      }
    }
    return value;
  }

  struct Best {
    Value value{-1, 0};
    int bases = 0;
  };
  Best best(std::span<const double> scores) const {
    Best best;
    for (Mask mask = 0; mask < bit(arms_); ++mask) {
      if (!basis(mask)) continue;
      const Value v = value(mask, scores);
      if (best.bases == 0 || v > best.value) {
        best = {v, 1};
      } else if (v == best.value) {
        ++best.bases;
      }
    }
    return best;
  }

  Arms circuit(Mask basis, Arm outside) const {
    Arms members;
    for (const Arm member : arms_of(basis)) {
      if (independent((basis & ~bit(member)) | bit(outside))) members.push_back(member);
    }
    return members;
  }

 private:
  int arms_;
  int rank_ = 0;
  std::vector<char> independent_;
};

/// Multiples of 1/64, so that sums are exact: all different, with many ties, or with infinities.
inline std::vector<double> random_scores(std::mt19937& random, int arms) {
  std::vector<double> scores;
  const int kind = pick(random, 0, 2);
  for (Arm arm = 0; arm < arms; ++arm) {
    const int high = kind == 0 ? 1 << 20 : 3;
    scores.push_back(static_cast<double>(pick(random, -high, high)) / 64);
    if (kind == 2 && pick(random, 0, 2) == 0) scores.back() = kInfinity;
  }
  return scores;
}

/// Whether guards may hold more than the circuit.
enum class Guards { kExact, kSuperset };

inline void check_against_brute_force(const Instance& instance, std::mt19937& random,
                                      Guards guards) {
  const Answers answers(instance);
  const int arms = instance.matroid->arms();
  if (answers.rank() == 0) {
    EXPECT_THROW(MatroidBases(instance.matroid, "m"), InvalidParameter);
    return;
  }
  const MatroidBases bases(instance.matroid, "m");
  ASSERT_EQ(bases.arms(), arms);
  ASSERT_EQ(bases.size(), answers.rank());

  const auto set = instance.matroid->empty_set();
  Arms order(at(arms));
  for (Arm arm = 0; arm < arms; ++arm) order[at(arm)] = arm;
  for (int i = 0; i < 4; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    set->clear();
    Mask members = 0;
    for (const Arm arm : order) {
      const bool fits = answers.independent(members | bit(arm));
      ASSERT_EQ(set->add(arm), fits) << members << " " << arm;
      if (fits) members |= bit(arm);
    }
  }

  const auto oracle = bases.oracle();
  ASSERT_EQ(oracle->skipping(), Skipping::kByOrder);
  Mask last = 0;
  for (Round t = 1; t <= 12; ++t) {
    const auto scores = random_scores(random, arms);
    bool stands = last != 0;
    for (Arm arm = 0; arm < arms; ++arm) {
      for (const Arm guard : oracle->guards(arm)) {
        stands = stands && scores[at(arm)] < scores[at(guard)];
      }
    }
    oracle->set_scores(scores);
    const ChosenSet choice = oracle->choose(t, dice());
    const Mask chosen = mask_of(choice.arms);
    const auto best = answers.best(scores);
    ASSERT_TRUE(std::is_sorted(choice.arms.begin(), choice.arms.end()));
    ASSERT_EQ(static_cast<int>(choice.arms.size()), answers.rank());
    ASSERT_TRUE(answers.basis(chosen));
    ASSERT_EQ(Answers::value(chosen, scores), best.value);
    for (Arm arm = 0; arm < arms; ++arm) {
      const auto guard = oracle->guards(arm);
      if ((chosen & bit(arm)) != 0) {
        ASSERT_TRUE(guard.empty());
        continue;
      }
      const Arms circuit = answers.circuit(chosen, arm);
      const Arms found = sorted(guard);
      if (guards == Guards::kExact) {
        ASSERT_EQ(found, circuit);
      } else {
        ASSERT_TRUE(std::includes(found.begin(), found.end(), circuit.begin(), circuit.end()));
        ASSERT_EQ(mask_of(found) & ~chosen, 0U);
        ASSERT_EQ(static_cast<int>(found.size()), std::popcount(mask_of(found)));
      }
    }
    if (guards == Guards::kExact) {
      ASSERT_EQ(choice.tied, best.bases > 1);
      if (last != 0) {
        ASSERT_EQ(stands, chosen == last && !choice.tied);
      }
    } else {
      ASSERT_TRUE(choice.tied || best.bases == 1);
      ASSERT_TRUE(!stands || (chosen == last && best.bases == 1));
    }

    const auto fresh = bases.oracle();
    fresh->set_scores(scores);
    ASSERT_EQ(mask_of(fresh->choose(t, dice()).arms), chosen) << "the past decided a tie";
    last = chosen;
  }
}

}  // namespace tacit::actions::testing
