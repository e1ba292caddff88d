#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>

#include "tacit/actions/small_matroids_test.hpp"

namespace tacit::actions {
namespace {

using namespace testing;

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
  for (const Arm arm : oracle->choose(1, dice()).arms) total += lengths[at(arm)];
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

}  // namespace
}  // namespace tacit::actions
