// Text files that options name. Every complaint names the option, the file and the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/actions/graph.hpp"

namespace tacit::specs {

/// A file that was read: rows of fields, blank lines and what follows # left out.
struct TextFile {
  struct Row {
    int line = 0;
    std::vector<std::string> fields;
  };
  std::string option;  // as named in messages, without dashes
  std::string path;
  std::vector<Row> rows;

  /// Throws InvalidParameter about a row's value.
  [[noreturn]] void refuse(const Row& row, const std::string& value,
                           const std::string& requirement) const;
  /// Throws InvalidParameter about the file as a whole.
  [[noreturn]] void refuse(const std::string& requirement) const;
  double number(const Row& row, std::size_t field) const;
  /// A whole number from 0 on.
  int whole(const Row& row, std::size_t field) const;
  /// The arms in a row's fields from `first` on: numbers below `arms`, none of them twice.
  std::vector<Arm> arms(const Row& row, std::size_t first, int arms) const;
  /// Throws unless every row has as many fields as the first.
  void require_equal_rows(const std::string& what) const;
};

/// Fields are separated by commas and trimmed. Throws for a file that cannot be read, or that has no
/// row.
/// @NAME is a graph that is part of the program.
TextFile read_file(const std::string& option, const std::string& path);

std::vector<std::string> split(std::string_view text, char separator);

/// Rows of outcomes in [0, 1], all of the same length.
std::vector<std::vector<double>> read_table(const std::string& path);

/// Rows of decimal numbers, each scaled by a power of ten of its own to whole numbers, which changes
/// nothing in what is linearly independent.
std::vector<std::vector<std::int64_t>> read_vectors(const std::string& path);

/// An edge list: from, to and perhaps a number. A first row that begins with "u,v", "from,to",
/// "source,target", "left,right", "set,item" or "node,node" is a heading. Nodes have names.
struct EdgeFile {
  std::string path;
  actions::Graph graph;
  std::vector<int> lines;          // of edges
  std::vector<std::string> names;  // of nodes; in a bipartite list, of those on the left
  std::vector<std::string> right;  // of nodes on the right of a bipartite list
  std::vector<double> numbers;     // the third column; empty when there is none
};

enum class Sides {
  kOne,
  kTwo
};  // two: what stands left is never the same node as what stands right

/// Lengths below 0 are refused.
EdgeFile read_edges(const std::string& option, const std::string& path, Sides sides = Sides::kOne);

}  // namespace tacit::specs
