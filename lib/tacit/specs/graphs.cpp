#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/cover.hpp"
#include "tacit/actions/influence.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/max_cut.hpp"
#include "tacit/actions/neighbours.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/specs/action_argument.hpp"

namespace tacit::specs {
namespace {

int node(const Argument& a, const EdgeFile& file, const std::string& name) {
  for (std::size_t i = 0; i < file.names.size(); ++i) {
    if (file.names[i] == name) return static_cast<int>(i);
  }
  refuse(a, fmt::format("no edge of {} touches node '{}'; did you mean {}?", file.path, name,
                        nearest_name(name, file.names)));
}

bool connects(const actions::Graph& graph, int source, int target) {
  const auto found = actions::reachable(actions::Incidence::leaving(graph), std::vector{source});
  return std::find(found.begin(), found.end(), target) != found.end();
}

}  // namespace

Actions paths(const Argument& a) {
  Argument rest = a;
  const bool undirected = rest.text.ends_with(":undirected");
  if (undirected) rest.text.resize(rest.text.size() - std::string(":undirected").size());
  const auto [path, ends] = from_the_right(rest, 2, "paths:FILE:SOURCE:TARGET[:undirected]");
  EdgeFile file = read_edges("actions", path);
  file.graph.directed = !undirected;
  const int source = node(a, file, ends[0]);
  const int target = node(a, file, ends[1]);
  // The library knows nodes by number only, so what is wrong with them is said here.
  if (source == target) refuse(a, fmt::format("source and target are both '{}'", ends[0]));
  if (!connects(file.graph, source, target)) {
    file.graph.directed = false;
    const bool both_ways = connects(file.graph, source, target);
    refuse(a, fmt::format("no path of {} leads from '{}' to '{}'{}", path, ends[0], ends[1],
                          both_ways ? "; :undirected at the end lets edges lead both ways" : ""));
  }
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::Paths>(file.graph, source, target);
  });
}

Actions matching(const Argument& a) {
  const EdgeFile file = read_edges("actions", a.text, Sides::kTwo);
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::BipartiteMatching>(
        file.graph.nodes, static_cast<int>(file.right.size()), file.graph.edges);
  });
}

Actions cover(const Argument& a) {
  const auto [path, fields] = from_the_right(a, 1, "cover:FILE:K");
  const EdgeFile file = read_edges("actions", path, Sides::kTwo);
  const int k = count_at(a, fields[0], file.graph.nodes, "the number of sets in the file");
  std::map<std::pair<int, int>, int> line_of;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const auto [set, item] = file.graph.edges[i];
    const auto [found, is_new] = line_of.try_emplace({set, item}, file.lines[i]);
    if (is_new) continue;
    throw InvalidParameter(FileLine{"actions", path, file.lines[i]},
                           fmt::format("{},{}", file.names[static_cast<std::size_t>(set)],
                                       file.right[static_cast<std::size_t>(item)]),
                           fmt::format("is the edge of line {}; list it once", found->second));
  }
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::Cover>(file.graph.nodes, static_cast<int>(file.right.size()),
                                            file.graph.edges, k);
  });
}

Actions influence(const Argument& a) {
  const auto [path, fields] = from_the_right(a, 1, "influence:FILE:K");
  const EdgeFile file = read_edges("actions", path);
  if (file.graph.nodes < 2) refuse(a, fmt::format("{} has one node; needs two", path));
  std::set<int> tails;
  for (const actions::Edge& edge : file.graph.edges) tails.insert(edge.from);
  const int k = count_at(a, fields[0], static_cast<int>(tails.size()),
                         "the number of nodes in the file that an edge leaves");
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::Influence>(file.graph, k);
  });
}

Actions cut(const Argument& a) {
  const EdgeFile file = read_edges("actions", a.text);
  return in_the_name_of(Option{"actions"}, a.spec,
                        [&]() -> Actions { return std::make_shared<actions::MaxCut>(file.graph); });
}

Actions neighbours(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  if (std::ssize(file.rows) != a.arms) {
    refuse(a, fmt::format("has {} rows, the problem has {} arms; a row is what an arm shows",
                          file.rows.size(), a.arms));
  }
  std::vector<std::vector<Arm>> rows;
  std::map<std::vector<Arm>, int> line_of;  // by sorted set
  for (const TextFile::Row& row : file.rows) {
    const auto arm = static_cast<Arm>(rows.size());
    std::vector<Arm> sorted = rows.emplace_back(file.arms(row, 0, a.arms));
    std::sort(sorted.begin(), sorted.end());
    if (!std::binary_search(sorted.begin(), sorted.end(), arm)) {
      file.refuse(row, joined(row), fmt::format("is the row of arm {} and must show it", arm));
    }
    const auto [found, is_new] = line_of.try_emplace(std::move(sorted), row.line);
    if (!is_new) {
      file.refuse(row, joined(row),
                  fmt::format("is the set of line {}; what is shown must tell which arm is played",
                              found->second));
    }
  }
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::Neighbours>(std::move(rows));
  });
}

}  // namespace tacit::specs
