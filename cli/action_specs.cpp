#include "action_specs.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arguments.hpp"
#include "files.hpp"
#include "tacit/actions/counting_matroids.hpp"
#include "tacit/actions/cover.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/graphic_matroid.hpp"
#include "tacit/actions/influence.hpp"
#include "tacit/actions/linear_matroid.hpp"
#include "tacit/actions/matching.hpp"
#include "tacit/actions/matroid.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/actions/transversal_matroid.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/random/simulation.hpp"

namespace tacit::cli {
namespace {

using Actions = std::shared_ptr<const actions::ActionSet>;

/// What follows the form's name, and how many arms the problem has.
struct Argument {
  std::string spec;
  std::string text;
  int arms;
};

[[noreturn]] void refuse(const Argument& a, const std::string& requirement) {
  throw InvalidParameter("", "actions", a.spec, requirement);
}

/// What the library says of its parameters, said of the option.
template <class Make>
auto in_the_name_of(const Argument& a, Make make) {
  try {
    return make();
  } catch (const InvalidParameter& error) {
    if (error.function().empty()) throw;  // names the option already
    refuse(a, error.value().empty() ? error.requirement()
                                    : fmt::format("{} = {}: {}", error.parameter(), error.value(),
                                                  error.requirement()));
  }
}

/// Splits off the last `count` fields: file names may contain colons.
std::pair<std::string, std::vector<std::string>> from_the_right(const Argument& a,
                                                                std::size_t count,
                                                                const char* form) {
  std::vector<std::string> fields = split(a.text, ':');
  if (fields.size() < count + 1) refuse(a, fmt::format("is written {}", form));
  const auto middle = fields.end() - static_cast<std::ptrdiff_t>(count);
  const std::string path = fmt::format("{}", fmt::join(fields.begin(), middle, ":"));
  const bool gap = path.empty() || std::find(middle, fields.end(), "") != fields.end();
  if (gap) refuse(a, fmt::format("is written {}", form));
  // Rather too many fields than a colon in the file's name.
  std::error_code ignored;
  if (fields.size() > count + 1 && !std::filesystem::exists(path, ignored)) {
    refuse(a, fmt::format("there is no file '{}'; is written {}", path, form));
  }
  return {path, {middle, fields.end()}};
}

int count_at(const Argument& a, const std::string& text, int most, const std::string& of_what) {
  try {
    return static_cast<int>(read_integer("actions", text, 1, most));
  } catch (const InvalidParameter&) {
    refuse(a, fmt::format("'{}' must be an integer from 1 to {}, {}", text, most, of_what));
  }
}

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

Actions top(const Argument& a) {
  return std::make_shared<actions::TopK>(
      a.arms, count_at(a, a.text, a.arms, "the number of arms of the problem"));
}

Actions linear(const Argument& a) {
  const auto vectors = read_vectors(a.text);
  return unless_empty(a, "every row is zero", [&] { return linear_matroid(vectors); });
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

std::string joined(const TextFile::Row& row) {
  return fmt::format("{}", fmt::join(row.fields, ","));
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

/// Whether two sorted sets share an arm and neither contains the other.
bool cross(const std::vector<Arm>& a, const std::vector<Arm>& b) {
  std::vector<Arm> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return !both.empty() && both.size() < a.size() && both.size() < b.size();
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

Actions paths(const Argument& a) {
  Argument rest = a;
  const bool undirected = rest.text.ends_with(":undirected");
  if (undirected) rest.text.resize(rest.text.size() - std::string(":undirected").size());
  const auto [path, ends] = from_the_right(rest, 2, "paths:FILE:SOURCE:TARGET[:undirected]");
  EdgeFile file = read_edges("actions", path);
  file.graph.directed = !undirected;
  const int source = node(a, file, ends[0]);
  const int target = node(a, file, ends[1]);
  try {
    return std::make_shared<actions::Paths>(file.graph, source, target);
  } catch (const InvalidParameter& error) {
    // The library knows nodes by number only.
    if (source == target) refuse(a, fmt::format("source and target are both '{}'", ends[0]));
    if (error.parameter() != "target") {
      refuse(a, fmt::format("{} = {}: {}", error.parameter(), error.value(), error.requirement()));
    }
    file.graph.directed = false;
    const bool both_ways = connects(file.graph, source, target);
    refuse(a, fmt::format("no path of {} leads from '{}' to '{}'{}", path, ends[0], ends[1],
                          both_ways ? "; :undirected at the end lets edges lead both ways" : ""));
  }
}

Actions matching(const Argument& a) {
  const EdgeFile file = read_edges("actions", a.text, Sides::kTwo);
  return in_the_name_of(a, [&]() -> Actions {
    return std::make_shared<actions::BipartiteMatching>(
        file.graph.nodes, static_cast<int>(file.right.size()), file.graph.edges);
  });
}

Actions list(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  std::vector<std::vector<Arm>> sets;
  std::map<std::vector<Arm>, int> line_of;  // by sorted set
  for (const TextFile::Row& row : file.rows) {
    std::vector<Arm> sorted = sets.emplace_back(file.arms(row, 0, a.arms));
    std::sort(sorted.begin(), sorted.end());
    const auto [found, is_new] = line_of.try_emplace(std::move(sorted), row.line);
    if (!is_new) {
      file.refuse(row, joined(row),
                  fmt::format("is the set of line {}; list it once", found->second));
    }
  }
  return in_the_name_of(
      a, [&]() -> Actions { return std::make_shared<actions::ExplicitList>(a.arms, sets); });
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
    throw InvalidParameter("", "actions",
                           fmt::format("{},{}", file.names[static_cast<std::size_t>(set)],
                                       file.right[static_cast<std::size_t>(item)]),
                           fmt::format("is the edge of line {}; list it once ({}, line {})",
                                       found->second, path, file.lines[i]));
  }
  return in_the_name_of(a, [&]() -> Actions {
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
  return in_the_name_of(
      a, [&]() -> Actions { return std::make_shared<actions::Influence>(file.graph, k); });
}

struct Form {
  std::string prefix;  // up to the argument
  std::string argument;
  std::string meaning;
  Actions (*make)(const Argument&);
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"top:", "K", "any K arms", top},
      {"matroid:linear:", "FILE", "linearly independent rows; one row of numbers an arm", linear},
      {"matroid:graphic:", "FILE", "spanning trees (forests); one edge from,to an arm", graphic},
      {"matroid:partition:", "FILE", "one arm a block; a row block[,how many] an arm", partition},
      {"matroid:transversal:", "FILE", "arms in different slots; a row of slots an arm",
       transversal},
      {"matroid:laminar:", "FILE", "nested limits; a row capacity,arm,arm,... a set", laminar},
      {"matroid:uniform:", "K", "the same as top:K", uniform},
      {"paths:", "FILE:SOURCE:TARGET[:undirected]", "paths; one edge from,to an arm", paths},
      {"matching:", "FILE", "matchings; one edge left,right an arm", matching},
      {"list:", "FILE", "sets as listed; one row of arms (from 0) a set", list},
      {"cover:", "FILE:K", "K sets that cover items; one edge set,item an arm", cover},
      {"influence:", "FILE:K", "K seeds of a cascade; one edge from,to an arm", influence},
  };
  return all;
}

/// The form whose name is nearest: what follows the name is the user's own.
const std::string& nearest_form(const std::string& spec, const std::vector<std::string>& known) {
  const std::vector<std::string> given = split(spec, ':');
  std::map<std::string, const std::string*> form_of;  // by name
  std::map<std::string, const std::string*> matroid_of;
  std::vector<std::string> names{"matroid"};
  std::vector<std::string> matroids;
  for (const std::string& form : known) {
    const std::vector<std::string> parts = split(form, ':');
    const bool matroid = parts[0] == "matroid";
    const std::string& name = parts[matroid ? 1 : 0];
    names.push_back(name);
    form_of[name] = &form;
    if (!matroid) continue;
    matroids.push_back(name);
    matroid_of[name] = &form;
  }
  const std::string name = nearest_name(given[0], names);
  if (name != "matroid") return *form_of.at(name);
  return *matroid_of.at(nearest_name(given.size() > 1 ? given[1] : "", matroids));
}

}  // namespace

const std::vector<ActionSpecHelp>& action_spec_help() {
  static const std::vector<ActionSpecHelp> help = [] {
    std::vector<ActionSpecHelp> all{{"single", "one arm (the default)"}};
    for (const Form& form : forms()) all.push_back({form.prefix + form.argument, form.meaning});
    return all;
  }();
  return help;
}

Actions linear_matroid(const std::vector<std::vector<std::int64_t>>& vectors) {
  std::string content;
  for (const auto& vector : vectors) content += fmt::format("{};", fmt::join(vector, ","));
  return std::make_shared<actions::MatroidBases>(
      std::make_shared<actions::LinearMatroid>(vectors),
      fmt::format("matroid:linear({}x{},{:016x})", vectors.size(), vectors.front().size(),
                  random::fingerprint(content)));
}

Actions read_actions(const std::string& spec, int arms) {
  if (spec == "single") return nullptr;
  std::vector<std::string> known;
  for (const ActionSpecHelp& help : action_spec_help()) known.push_back(help.form);
  for (const Form& form : forms()) {
    if (!spec.starts_with(form.prefix)) continue;
    const Argument argument{spec, spec.substr(form.prefix.size()), arms};
    if (argument.text.empty()) refuse(argument, "is written " + form.prefix + form.argument);
    Actions actions = form.make(argument);
    if (actions->arms() != arms) {
      refuse(argument, fmt::format("has {} arms, the problem has {}", actions->arms(), arms));
    }
    return actions;
  }
  const std::string all = fmt::format("{}", fmt::join(known, ", "));
  throw InvalidParameter("", "actions", spec,
                         spec.empty() ? "must be one of " + all
                                      : fmt::format("unknown; did you mean {}? Allowed: {}",
                                                    nearest_form(spec, known), all));
}

}  // namespace tacit::cli
