#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/graphic_matroid.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/transversal_matroid.hpp"
#include "tacit/random/simulation.hpp"
#include "tacit/specs/action_argument.hpp"
#include "tacit/specs/action_sets.hpp"

namespace tacit::specs {
namespace {

/// Calls `make`, which throws for a matroid of rank 0 alone: then `reason` says how that came.
template <class Make>
Actions unless_empty(const Argument& a, const char* reason, Make make) {
  try {
    return make();
  } catch (const InvalidParameter&) {
    refuse(a, fmt::format("no arm may be played: {}", reason));
  }
}

Actions bases(const Argument& a, std::shared_ptr<const actions::Matroid> matroid,
              const std::string& kind, const std::string& content, const char* when_empty) {
  return unless_empty(a, when_empty, [&]() -> Actions {
    return std::make_shared<actions::MatroidBases>(
        matroid, fmt::format("matroid:{}({} arms,{:016x})", kind, matroid->arms(),
                             random::fingerprint(content)));
  });
}

/// Whether two sorted sets share an arm and neither contains the other.
bool cross(const std::vector<Arm>& a, const std::vector<Arm>& b) {
  std::vector<Arm> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return !both.empty() && both.size() < a.size() && both.size() < b.size();
}

Actions linear_matroid(const std::vector<std::vector<std::int64_t>>& vectors,
                       std::shared_ptr<const actions::LinearMatroid> matroid) {
  std::string content;
  for (const auto& vector : vectors) content += fmt::format("{};", fmt::join(vector, ","));
  return std::make_shared<actions::MatroidBases>(
      std::move(matroid), fmt::format("matroid:linear({}x{},{:016x})", vectors.size(),
                                      vectors.front().size(), random::fingerprint(content)));
}

}  // namespace

Actions linear(const Argument& a) {
  const auto vectors = read_vectors(a.text);
  const auto matroid = in_the_name_of(Option{"actions"}, a.spec, [&vectors] {
    return std::make_shared<const actions::LinearMatroid>(vectors);
  });
  return unless_empty(a, "every row is zero", [&] { return linear_matroid(vectors, matroid); });
}

Actions graphic(const Argument& a) {
  const EdgeFile file = read_edges("actions", a.text);
  std::string content;
  for (const actions::Edge& edge : file.graph.edges) {
    content += fmt::format("{},{};", edge.from, edge.to);
  }
  return bases(a, std::make_shared<actions::GraphicMatroid>(file.graph.nodes, file.graph.edges),
               "graphic", content, "every edge leads from a node to itself");
}

Actions uniform(const Argument& a) {
  const int k = count_at(a, a.text, a.arms, "the number of arms of the problem");
  return bases(a, std::make_shared<actions::UniformMatroid>(a.arms, k), "uniform", a.text,
               "K is 0");
}

Actions partition(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  std::map<std::string, int> numbers;
  std::vector<int> block_of_arm;
  std::vector<int> capacity;
  std::vector<int> line;  // on which a block's capacity was said first
  std::string content;
  for (const TextFile::Row& row : file.rows) {
    if (row.fields.size() > 2 || row.fields[0].empty()) {
      file.refuse(row, joined(row),
                  "an arm's row is its block, or block,how many of it may be played");
    }
    const int most = row.fields.size() == 1 ? 1 : file.whole(row, 1);
    const auto [found, is_new] =
        numbers.try_emplace(row.fields[0], static_cast<int>(capacity.size()));
    if (is_new) {
      capacity.push_back(most);
      line.push_back(row.line);
    }
    const auto block = static_cast<std::size_t>(found->second);
    if (capacity[block] != most) {
      file.refuse(row, row.fields[0],
                  fmt::format("{} of this block may be played here, {} on line {}", most,
                              capacity[block], line[block]));
    }
    block_of_arm.push_back(found->second);
    content += fmt::format("{},{};", found->second, most);
  }
  return bases(a, std::make_shared<actions::PartitionMatroid>(block_of_arm, capacity), "partition",
               content, "0 of every block are allowed");
}

Actions transversal(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  std::map<std::string, int> numbers;
  std::vector<std::vector<int>> slots_of_arm;
  std::string content;
  for (const TextFile::Row& row : file.rows) {
    std::vector<int>& slots = slots_of_arm.emplace_back();
    for (const std::string& name : row.fields) {
      if (name.empty()) file.refuse(row, "", "a slot needs a name");
      slots.push_back(numbers.try_emplace(name, static_cast<int>(numbers.size())).first->second);
    }
    content += fmt::format("{};", fmt::join(slots, ","));
  }
  const int slots = static_cast<int>(numbers.size());
  return bases(a, std::make_shared<actions::TransversalMatroid>(slots, slots_of_arm), "transversal",
               content, "there is no slot");
}

Actions laminar(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  std::vector<actions::LaminarSet> sets;
  std::string content;
  for (const TextFile::Row& row : file.rows) {
    if (row.fields.size() < 2) file.refuse(row, joined(row), "a set is written capacity,arm,...");
    const int capacity = file.whole(row, 0);
    sets.push_back({file.arms(row, 1, a.arms), capacity});
    std::sort(sets.back().members.begin(), sets.back().members.end());
    content += fmt::format("{},{};", capacity, fmt::join(sets.back().members, ","));
  }
  std::shared_ptr<const actions::Matroid> matroid;
  try {
    matroid = std::make_shared<actions::LaminarMatroid>(a.arms, sets);
  } catch (const InvalidParameter&) {
    // The library knows sets by number only.
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (!cross(sets[i].members, sets[j].members)) continue;
        file.refuse(file.rows[i], joined(file.rows[i]),
                    fmt::format("crosses the set of line {}; sets must be nested or disjoint",
                                file.rows[j].line));
      }
    }
    throw;
  }
  return bases(a, matroid, "laminar", content, "the sets allow none");
}

Actions linear_matroid(const std::vector<std::vector<std::int64_t>>& vectors) {
  return linear_matroid(vectors, std::make_shared<const actions::LinearMatroid>(vectors));
}

}  // namespace tacit::specs
