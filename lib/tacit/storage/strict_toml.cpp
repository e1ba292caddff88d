#include "tacit/storage/strict_toml.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/text_file.hpp"

namespace tacit::storage {
namespace {

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point: return "a number";
    default: return "a date or time";
  }
}

}  // namespace

void refuse(const SourceLine& place, const std::string& key, const std::string& value,
            const std::string& requirement) {
  throw InvalidParameter(FileLine{key, place.file, place.line}, value, requirement);
}

StrictTable::StrictTable(const toml::table& table, std::string file, std::string heading)
    : table_(table), heading_(std::move(heading)), place_{std::move(file), line_of(table)} {}

SourceLine StrictTable::place_of(const std::string& key) const {
  const toml::node* node = table_.get(key);
  return {place_.file, node == nullptr ? place_.line : line_of(*node)};
}

const toml::node* StrictTable::find(const std::string& key) {
  known_.push_back(key);
  return table_.get(key);
}

std::string StrictTable::value_text(const std::string& key, const toml::node& node) const {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  refuse({place_.file, line_of(node)}, key, kind_of(node), "must be a number or a text");
}

std::optional<std::string> StrictTable::text(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  return value_text(key, *node);
}

std::optional<double> StrictTable::number(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (const auto number = node->value<double>(); number && node->is_number()) return *number;
  refuse(place_of(key), key, kind_of(*node), "must be a number");
}

std::optional<bool> StrictTable::flag(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  if (const auto* flag = node->as_boolean()) return flag->get();
  refuse(place_of(key), key, kind_of(*node), "must be true or false");
}

std::vector<std::string> StrictTable::values(const std::string& key, const toml::node& node) const {
  const toml::array* array = node.as_array();
  if (array == nullptr) return {value_text(key, node)};
  if (array->empty()) {
    refuse({place_.file, line_of(node)}, key, "[]", "needs at least one value");
  }
  std::vector<std::string> all;
  for (const toml::node& element : *array) all.push_back(value_text(key, element));
  return all;
}

std::optional<std::vector<std::string>> StrictTable::list(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  return values(key, *node);
}

std::vector<std::pair<std::string, std::vector<std::string>>> StrictTable::lists(
    const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    refuse(place_of(key), key, kind_of(*node), "must be a table like { name = value }");
  }
  std::vector<std::pair<std::string, std::vector<std::string>>> all;
  for (const auto& [name, value] : *table) {
    all.emplace_back(std::string(name.str()), values(std::string(name.str()), value));
  }
  return all;
}

std::vector<StrictTable> StrictTable::tables(const std::string& key) {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    refuse(place_of(key), key, kind_of(*node), fmt::format("must be written [[{}]]", key));
  }
  std::vector<StrictTable> all;
  for (const toml::node& element : *array) {
    all.emplace_back(*element.as_table(), place_.file, fmt::format("[[{}]]", key));
  }
  return all;
}

void StrictTable::close() const {
  for (const auto& [key, value] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    refuse({place_.file, line_of(value)}, "key", name,
           fmt::format("unknown{}; did you mean {}?", heading_.empty() ? "" : " in " + heading_,
                       nearest_name(name, known_)));
  }
}

std::string read_toml(const std::string& option, const std::string& path, const std::string& what) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidParameter(Option{option}, path, fmt::format("{}; must be {}", why, what));
  };
  if (is_device(path)) refuse("is a device, not a file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown) || !file || !(text << file.rdbuf())) {
    refuse("cannot be read");
  }
  if (const auto foreign = foreign_encoding(text.str())) refuse("is " + *foreign);
  return text.str();
}

toml::table parse_toml(const std::string& text, const std::string& file) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InvalidParameter(Option{"experiment"}, file,
                           fmt::format("{} (line {}, column {})", error.description(),
                                       error.source().begin.line, error.source().begin.column));
  }
}

}  // namespace tacit::storage
