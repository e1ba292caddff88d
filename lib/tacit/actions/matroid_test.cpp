// Every matroid against a brute force over all sets of arms, whose independence test is written
// from the definition and shares nothing with the library's.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/multiprecision/cpp_int.hpp>

#include "statistics/goodness_of_fit.hpp"
#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/graphic_matroid.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/position.hpp"
#include "tacit/actions/transversal_matroid.hpp"
#include "tacit/core/invalid_parameter.hpp"

namespace tacit::actions {
namespace {

using Arms = std::vector<Arm>;
using Rows = std::vector<std::vector<std::int64_t>>;
using Mask = std::uint32_t;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The two largest primes below 2^31.
constexpr std::int64_t kFirstPrime = 2147483647;
constexpr std::int64_t kSecondPrime = 2147483629;

random::SimulationKey key(std::uint64_t run = 0) { return {1, "actions", "test", run}; }

/// Uniform on low..high, up to a bias that does not matter; the same on every platform.
int pick(std::mt19937& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<std::uint32_t>(high - low + 1));
}

Arms arms_of(Mask mask) {
  Arms arms;
  for (Arm arm = 0; arm < 32; ++arm) {
    if ((mask >> arm & 1U) != 0) arms.push_back(arm);
  }
  return arms;
}

Mask bit(Arm arm) { return Mask{1} << arm; }

Mask mask_of(std::span<const Arm> arms) {
  Mask mask = 0;
  for (const Arm arm : arms) mask |= bit(arm);
  return mask;
}

Arms sorted(std::span<const Arm> arms) {
  Arms copy(arms.begin(), arms.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

struct Instance {
  std::shared_ptr<const Matroid> matroid;
  std::function<bool(const Arms&)> independent;
};

Instance uniform(std::mt19937& random) {
  const int arms = pick(random, 1, 8);
  const int size = pick(random, 1, arms);
  return {std::make_shared<UniformMatroid>(arms, size),
          [size](const Arms& set) { return static_cast<int>(set.size()) <= size; }};
}

Instance partition(std::mt19937& random) {
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

Instance laminar(std::mt19937& random) {
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

Instance graphic(std::mt19937& random) {
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
bool independent_rows(const Rows& all, const Arms& set) {
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

Instance linear_of(const Rows& rows) {
  return {std::make_shared<LinearMatroid>(rows),
          [rows](const Arms& set) { return independent_rows(rows, set); }};
}

Instance linear(std::mt19937& random) {
  Rows rows(at(pick(random, 1, 8)), std::vector<std::int64_t>(at(pick(random, 1, 5))));
  const int size = pick(random, 1, 4);
  for (auto& row : rows) {
    for (auto& entry : row) entry = std::max(-size, pick(random, -2 * size, size));
    if (pick(random, 0, 9) == 0) std::fill(row.begin(), row.end(), 0);
  }
  return linear_of(rows);
}

Instance transversal(std::mt19937& random) {
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
std::vector<double> random_scores(std::mt19937& random, int arms) {
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

void check_against_brute_force(const Instance& instance, std::mt19937& random, Guards guards) {
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
    const ChosenSet choice = oracle->choose(t, key());
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
    ASSERT_EQ(mask_of(fresh->choose(t, key()).arms), chosen) << "the past decided a tie";
    last = chosen;
  }
}

struct Kind {
  const char* name;
  Instance (*make)(std::mt19937&);
};

class EveryMatroid : public ::testing::TestWithParam<Kind> {};

TEST_P(EveryMatroid, AgreesWithABruteForceOverAllSets) {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    check_against_brute_force(GetParam().make(random), random, Guards::kExact);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Matroids, EveryMatroid,
                         ::testing::Values(Kind{"Uniform", uniform}, Kind{"Partition", partition},
                                           Kind{"Laminar", laminar}, Kind{"Graphic", graphic},
                                           Kind{"Linear", linear},
                                           Kind{"Transversal", transversal}),
                         [](const auto& kind) { return std::string(kind.param.name); });

int rank_of(const Rows& rows) {
  return MatroidBases(std::make_shared<LinearMatroid>(rows), "linear").size();
}

TEST(LinearMatroid, TellsHugeRowsApartThatDoublesTakeForEqual) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(static_cast<double>(huge), static_cast<double>(huge - 2));
  EXPECT_EQ(rank_of({{huge, huge - 1}, {huge - 1, huge - 2}}), 2);  // determinant -1
  EXPECT_EQ(rank_of({{huge, huge - 2}, {huge / 2, huge / 2 - 1}}), 1);
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(rank_of({{lowest, highest}, {lowest + 1, highest}}), 2);
  EXPECT_EQ(rank_of({{lowest, lowest}, {1, 1}, {highest, highest}}), 1);
}

TEST(LinearMatroid, IsNotFooledByDeterminantsThatItsPrimesDivide) {
  EXPECT_EQ(rank_of({{kFirstPrime}}), 1);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kFirstPrime}}), 2);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kSecondPrime}}), 2);
  EXPECT_EQ(rank_of({{1, 1}, {1, 1 + kFirstPrime * kSecondPrime}}), 2);
  EXPECT_EQ(rank_of({{kFirstPrime, 0, 0}, {0, kSecondPrime, 0}, {0, 0, kFirstPrime}}), 3);
}

TEST(LinearMatroid, FindsMembersWhoseCoefficientsItsPrimesDivide) {
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(Rows{{1, 0, 0},
                                           {0, 1, 0},
                                           {0, 0, 1},
                                           {kFirstPrime, 1, 0},
                                           {kFirstPrime * kSecondPrime, 0, kFirstPrime}}),
      "linear");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{9, 8, 7, 2, 1});
  ASSERT_EQ(sorted(oracle->choose(1, key()).arms), (Arms{0, 1, 2}));
  EXPECT_EQ(sorted(oracle->guards(3)), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(4)), (Arms{0, 2}));
}

TEST(LinearMatroid, KnowsTheCircuitsOfLongRowsExactly) {
  const std::int64_t huge = std::int64_t{1} << 60;
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(Rows{{huge, 1}, {1, huge}, {4 * huge - 4, 4}, {3, 3 * huge}}),
      "linear");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{9, 8, 2, 1});
  ASSERT_EQ(sorted(oracle->choose(1, key()).arms), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(2)), (Arms{0, 1}));
  EXPECT_EQ(sorted(oracle->guards(3)), (Arms{1}));
}

TEST(LinearMatroid, AgreesWithABruteForceOnMultiplesOfItsPrimes) {
  std::mt19937 random(11);
  const std::vector<std::int64_t> entries{0,
                                          0,
                                          1,
                                          -1,
                                          2,
                                          kFirstPrime,
                                          -kFirstPrime,
                                          kSecondPrime,
                                          kFirstPrime + 1,
                                          kFirstPrime * kSecondPrime,
                                          kFirstPrime * kSecondPrime + 1,
                                          2 * kFirstPrime};
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    Rows rows(at(pick(random, 2, 7)), std::vector<std::int64_t>(at(pick(random, 1, 4))));
    for (auto& row : rows) {
      for (auto& entry : row) {
        entry = entries[at(pick(random, 0, static_cast<int>(entries.size()) - 1))];
      }
    }
    check_against_brute_force(linear_of(rows), random, Guards::kSuperset);
    if (HasFatalFailure()) return;
  }
}

TEST(LinearMatroid, AgreesWithABruteForceOnRowsOfManyDigits) {
  std::mt19937 random(12);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    // Rows of rank 3 in 5 columns: combinations of three long rows.
    const int arms = pick(random, 4, 8);
    Rows base(3, std::vector<std::int64_t>(5));
    for (auto& row : base) {
      for (auto& entry : row) entry = pick(random, -1'000'000'000, 1'000'000'000) * 1'000'003LL;
    }
    Rows rows(at(arms), std::vector<std::int64_t>(5));
    for (auto& row : rows) {
      for (const auto& b : base) {
        const int factor = pick(random, -1, 1);
        for (std::size_t j = 0; j < 5; ++j) row[j] += factor * b[j];
      }
    }
    check_against_brute_force(linear_of(rows), random, Guards::kExact);
    if (HasFatalFailure()) return;
  }
}

// The vectors and means of table 6.1 in Chandak's thesis.
TEST(LinearMatroid, FindsTheBasisOfAPublishedExample) {
  const MatroidBases bases(
      std::make_shared<LinearMatroid>(
          Rows{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {2, 0, 0}, {0, 0, 0}}),
      "linear");
  const std::vector<double> means{.8, .75, .6, .2, .3, .4, .7};
  EXPECT_EQ(bases.size(), 3);
  const auto oracle = bases.oracle();
  oracle->set_scores(means);
  const ChosenSet choice = oracle->choose(1, key());
  EXPECT_EQ(sorted(choice.arms), (Arms{0, 1, 2}));
  EXPECT_FALSE(choice.tied);
  EXPECT_TRUE(oracle->guards(6).empty());
  EXPECT_EQ(sorted(oracle->guards(5)), (Arms{0}));
  EXPECT_EQ(bases.benchmark(means), bases.value(Arms{0, 1, 2}, means));
}

using Graph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                          boost::property<boost::edge_weight_t, double>>;

double shortest_spanning_forest(int nodes, const std::vector<Edge>& edges,
                                const std::vector<double>& lengths) {
  Graph graph(at(nodes));
  for (std::size_t i = 0; i < edges.size(); ++i) {
    boost::add_edge(at(edges[i].from), at(edges[i].to), lengths[i], graph);
  }
  std::vector<Graph::edge_descriptor> tree;
  boost::kruskal_minimum_spanning_tree(graph, std::back_inserter(tree));
  double total = 0;
  for (const auto& edge : tree) total += get(boost::edge_weight, graph, edge);
  return total;
}

double greedy_length(const MatroidBases& bases, const std::vector<double>& lengths) {
  const auto oracle = bases.oracle();
  for (Arm arm = 0; arm < bases.arms(); ++arm) oracle->set_score(arm, -lengths[at(arm)]);
  double total = 0;
  for (const Arm arm : oracle->choose(1, key()).arms) total += lengths[at(arm)];
  return total;
}

TEST(GraphicMatroid, FindsSpanningForestsAsShortAsBoosts) {
  std::mt19937 random(13);
  for (int i = 0; i < 50; ++i) {
    const int nodes = pick(random, 2, 60);
    std::vector<Edge> edges(at(pick(random, 1, 3 * nodes)));
    std::vector<double> lengths;
    const int longest = i % 2 == 0 ? 5 : 1 << 20;
    for (Edge& e : edges) {
      e.from = pick(random, 0, nodes - 1);
      e.to = (e.from + pick(random, 1, nodes - 1)) % nodes;
      lengths.push_back(pick(random, 1, longest));
    }
    const MatroidBases bases(std::make_shared<GraphicMatroid>(nodes, edges), "graphic");
    EXPECT_EQ(greedy_length(bases, lengths), shortest_spanning_forest(nodes, edges, lengths)) << i;
  }
}

TEST(GraphicMatroid, SpansARealNetworkAtItsShortestLatency) {
  std::ifstream file(TACIT_TEST_DATA "/rocketfuel_1221.csv");
  ASSERT_TRUE(file);
  std::string line;
  std::getline(file, line);  // the source
  std::getline(file, line);  // the names of the columns
  std::vector<Edge> edges;
  std::vector<double> latencies;
  int nodes = 0;
  int marked = 0;
  double marked_latency = 0;
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Edge edge;
    double latency = 0;
    bool in_tree = false;
    ASSERT_TRUE(fields >> edge.from >> edge.to >> latency >> in_tree) << line;
    edges.push_back(edge);
    latencies.push_back(latency);
    nodes = std::max({nodes, edge.from + 1, edge.to + 1});
    if (in_tree) {
      ++marked;
      marked_latency += latency;
    }
  }
  ASSERT_EQ(edges.size(), 153U);
  const MatroidBases bases(std::make_shared<GraphicMatroid>(nodes, edges), "graphic");
  EXPECT_EQ(bases.size(), marked);
  EXPECT_EQ(greedy_length(bases, latencies), marked_latency);
  EXPECT_EQ(greedy_length(bases, latencies), shortest_spanning_forest(nodes, edges, latencies));
}

TEST(TransversalMatroid, MovesArmsAlongLongPaths) {
  // Arm i can fill slots i and i + 1, and the last arm only slot 0: all must move up by one.
  constexpr int kArms = 50;
  std::vector<std::vector<int>> slots_of_arm;
  for (int i = 0; i + 1 < kArms; ++i) slots_of_arm.push_back({i, i + 1});
  slots_of_arm.push_back({0});
  slots_of_arm.push_back({0, 3});
  const TransversalMatroid matroid(kArms, slots_of_arm);
  const auto set = matroid.empty_set();
  for (Arm arm = 0; arm < kArms; ++arm) EXPECT_TRUE(set->add(arm)) << arm;
  EXPECT_FALSE(set->add(kArms));
  Arms circuit;
  set->circuit(kArms, circuit);
  EXPECT_EQ(sorted(circuit), (Arms{0, 1, 2, kArms - 1}));
}

TEST(MatroidBases, BreaksTiesEvenlyAmongAllBestSets) {
  // Arm 0 is best; two of the five arms that tie behind it join it: ten sets.
  const MatroidBases bases(std::make_shared<UniformMatroid>(7, 3), "uniform");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{2, 1, 1, 1, 0, 1, 1});
  std::map<Mask, std::int64_t> seen;
  constexpr Round kRounds = 20000;
  for (Round t = 1; t <= kRounds; ++t) {
    const ChosenSet choice = oracle->choose(t, key());
    EXPECT_TRUE(choice.tied);
    ++seen[mask_of(choice.arms)];
  }
  ASSERT_EQ(seen.size(), 10U);
  std::vector<std::int64_t> counts;
  for (const auto& [mask, count] : seen) {
    EXPECT_NE(mask & bit(0), 0U);
    EXPECT_EQ(mask & bit(4), 0U);
    counts.push_back(count);
  }
  EXPECT_LT(testing::chi_square(counts, std::vector<double>(10, 0.1)),
            testing::chi_square_critical(10, testing::kFamilyError));
}

TEST(MatroidBases, BreaksTheTieOfARoundAlikeWhateverCameBefore) {
  const MatroidBases bases(std::make_shared<UniformMatroid>(20, 5), "uniform");
  const auto asked_every_round = bases.oracle();
  const auto asked_rarely = bases.oracle();
  const std::vector<double> level(20, 0.5);
  std::vector<double> uneven(20);
  for (std::size_t i = 0; i < 20; ++i) uneven[i] = static_cast<double>(i * 7 % 20);
  int same_as_before = 0;
  int same_with_other_key = 0;
  Arms before;
  for (Round t = 1; t <= 300; ++t) {
    asked_every_round->set_scores(t % 3 == 0 ? level : uneven);
    const ChosenSet choice = asked_every_round->choose(t, key());
    EXPECT_EQ(choice.tied, t % 3 == 0);
    const Arms chosen(choice.arms.begin(), choice.arms.end());
    if (t % 30 == 0) {
      asked_rarely->set_scores(level);
      EXPECT_EQ(sorted(asked_rarely->choose(t, key()).arms), chosen);
      same_with_other_key += sorted(asked_rarely->choose(t, key(1)).arms) == chosen ? 1 : 0;
      same_as_before += chosen == before ? 1 : 0;
      before = chosen;
    }
  }
  // Two of the 15504 sets are the same by chance; three times in ten that happens to no one.
  EXPECT_LT(same_as_before, 3);
  EXPECT_LT(same_with_other_key, 3);
}

TEST(MatroidBases, KnowsATieThatDoesNotMatter) {
  // The tied arms are of different blocks, each with room for both or with a better arm.
  const MatroidBases bases(
      std::make_shared<PartitionMatroid>(std::vector<int>{0, 0, 1, 1}, std::vector<int>{1, 2}),
      "partition");
  const auto oracle = bases.oracle();
  oracle->set_scores(std::vector<double>{3, 1, 1, 1});
  ChosenSet choice = oracle->choose(1, key());
  EXPECT_EQ(sorted(choice.arms), (Arms{0, 2, 3}));
  EXPECT_FALSE(choice.tied);
  oracle->set_score(0, 1);
  choice = oracle->choose(2, key());
  EXPECT_TRUE(choice.tied);
}

template <class Make>
InvalidParameter refusal(Make make) {
  try {
    make();
  } catch (const InvalidParameter& error) {
    return error;
  }
  return {"", "", "", "accepted"};
}

TEST(MatroidBases, RefusesAMatroidWithNothingToPlay) {
  const auto error = refusal([] {
    MatroidBases(std::make_shared<PartitionMatroid>(std::vector<int>{0}, std::vector<int>{0}), "p");
  });
  EXPECT_STREQ(error.what(),
               "rank = 0: a matroid of rank 0 has no arm that may be played (MatroidBases)");
}

TEST(Matroids, NameWhatTheyRefuse) {
  EXPECT_STREQ(refusal([] { UniformMatroid(3, 0); }).what(),
               "size = 0: must be an integer from 1 to the number of arms, 3 (UniformMatroid)");
  EXPECT_EQ(refusal([] { UniformMatroid(3, 4); }).parameter(), "size");
  EXPECT_EQ(refusal([] { PartitionMatroid({0, 2}, {1, 1}); }).parameter(), "block of arm 1");
  EXPECT_EQ(refusal([] { PartitionMatroid({0}, {-1}); }).parameter(), "capacity");
  EXPECT_EQ(refusal([] { LaminarMatroid(0, {}); }).parameter(), "arms");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{0}, -1}}); }).parameter(), "capacity");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{0, 2}, 1}}); }).parameter(), "arm of set 0");
  EXPECT_EQ(refusal([] { LaminarMatroid(2, {{{1, 1}, 1}}); }).parameter(), "arm of set 0");
  EXPECT_EQ(refusal([] { GraphicMatroid(0, {}); }).parameter(), "nodes");
  EXPECT_EQ(refusal([] { GraphicMatroid(2, {{0, 1}, {0, 2}}); }).parameter(), "end of edge 1");
  EXPECT_EQ(refusal([] { LinearMatroid(Rows{}); }).parameter(), "rows");
  EXPECT_EQ(refusal([] { LinearMatroid(Rows(1)); }).parameter(), "rows");
  EXPECT_STREQ(refusal([] {
                 LinearMatroid(Rows{{1, 2}, {1}});
               }).what(),
               "row = 1: must have 2 integers like row 0, has 1 (LinearMatroid)");
  EXPECT_EQ(refusal([] { TransversalMatroid(0, {}); }).parameter(), "slots");
  EXPECT_EQ(refusal([] { TransversalMatroid(1, {{0}, {1}}); }).parameter(), "slot of arm 1");
}

TEST(LaminarMatroid, NamesTwoSetsThatCross) {
  const auto crossing = [](const std::vector<LaminarSet>& sets) {
    return refusal([&sets] { LaminarMatroid(6, sets); }).value();
  };
  EXPECT_EQ(crossing({{{0, 1}, 1}, {{1, 2}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{0, 1, 2, 3}, 1}, {{0}, 1}, {{3, 4}, 1}}), "0 and 2");
  EXPECT_EQ(crossing({{{5, 2}, 1}, {{0, 1, 2}, 1}, {{0, 1, 2, 3, 4, 5}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{2, 5}, 1}, {{0, 1, 2}, 1}, {{0, 1, 2, 3, 4, 5}, 1}}), "0 and 1");
  EXPECT_EQ(crossing({{{0, 1, 2}, 1}, {{0, 1, 2}, 2}, {{1}, 1}, {{4, 5}, 1}, {{}, 1}}), "");
}

}  // namespace
}  // namespace tacit::actions
