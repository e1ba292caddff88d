// TOML read strictly: a key that nobody asked for, or a value of the wrong type, is an error that
// names the line and the nearest right thing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "tacit/storage/source_line.hpp"

namespace tacit::storage {

/// One table of the file. Every key that is read is noted; close() refuses the others.
class StrictTable {
 public:
  StrictTable(const toml::table& table, std::string file, std::string name);

  const SourceLine& place() const { return place_; }
  SourceLine place_of(const std::string& key) const;
  bool has(const std::string& key) const { return table_.contains(key); }

  /// Numbers are handed on as the text that reads back as the same number.
  std::optional<std::string> text(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<bool> flag(const std::string& key);
  /// One value, or a list of them.
  std::optional<std::vector<std::string>> list(const std::string& key);
  /// A table of values or lists of values: (name, values), by name.
  std::vector<std::pair<std::string, std::vector<std::string>>> lists(const std::string& key);
  /// An array of tables, [[key]]; empty when there is none.
  std::vector<StrictTable> tables(const std::string& key);

  /// Throws for the first key that was not read.
  void close() const;

 private:
  const toml::node* find(const std::string& key);
  std::string value_text(const std::string& key, const toml::node& node) const;
  std::vector<std::string> values(const std::string& key, const toml::node& node) const;

  const toml::table& table_;
  std::string name_;
  SourceLine place_;
  std::vector<std::string> known_;
};

/// Throws InvalidParameter that names the line for text that is no TOML.
toml::table parse_toml(const std::string& text, const std::string& file);

}  // namespace tacit::storage
