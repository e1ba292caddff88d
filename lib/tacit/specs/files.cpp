#include "tacit/specs/files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/text_file.hpp"
#include "tacit/specs/embedded_file.hpp"

namespace tacit::specs {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// A decimal like -12.5 as (digits, digits after the point); false when it is none or too long.
bool read_decimal(const std::string& text, std::int64_t& digits, int& places) {
  std::string whole = text;
  places = 0;
  if (const std::size_t point = text.find('.'); point != std::string::npos) {
    places = static_cast<int>(text.size() - point - 1);
    if (text.find('-', point) != std::string::npos) return false;
    whole.erase(point, 1);
  }
  const auto [rest, error] = std::from_chars(whole.data(), whole.data() + whole.size(), digits);
  return error == std::errc() && rest == whole.data() + whole.size();
}

bool is_heading(const std::vector<std::string>& fields) {
  constexpr std::array<std::pair<const char*, const char*>, 6> kHeadings{{{"u", "v"},
                                                                          {"from", "to"},
                                                                          {"source", "target"},
                                                                          {"left", "right"},
                                                                          {"set", "item"},
                                                                          {"node", "node"}}};
  return fields.size() >= 2 && std::ranges::any_of(kHeadings, [&](const auto& heading) {
           return fields[0] == heading.first && fields[1] == heading.second;
         });
}

/// Numbers names in the order of their first appearance.
class Naming {
 public:
  explicit Naming(std::vector<std::string>& names) : names_(names) {}
  int number(const std::string& name) {
    const auto [found, is_new] = numbers_.try_emplace(name, static_cast<int>(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::map<std::string, int> numbers_;
};

/// Of the file that a name with an @ in front stands for.
const std::string& embedded_text(const TextFile& wanted) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_graphs()) {
    names.push_back("@" + file.name.substr(0, file.name.find('.')));
    if (names.back() == wanted.path) return file.text;
  }
  wanted.refuse(
      fmt::format("there is none of this name; must be {} or a file", fmt::join(names, ", ")));
}

void read_rows(std::istream& stream, TextFile& text) {
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (number == 1) {
      if (const auto foreign = foreign_encoding(line)) text.refuse("is " + *foreign);
    }
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // a byte order mark
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (!content.empty()) text.rows.push_back({number, split(content, ',')});
  }
  if (stream.bad()) text.refuse("cannot be read");
  if (text.rows.empty()) text.refuse("the file contains no data");
}

}  // namespace

void TextFile::refuse(const Row& row, const std::string& value,
                      const std::string& requirement) const {
  // A message has its limit, and the line comes last.
  constexpr std::size_t kLongest = 80;
  throw InvalidParameter(FileLine{option, path, row.line},
                         value.empty()              ? "an empty field"
                         : value.size() <= kLongest ? value
                                                    : value.substr(0, kLongest) + "...",
                         requirement);
}

void TextFile::refuse(const std::string& requirement) const {
  throw InvalidParameter(Option{option}, path, requirement);
}

double TextFile::number(const Row& row, std::size_t field) const {
  const std::string& text = row.fields[field];
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size()) {
    refuse(row, text, "is not a number");
  }
  return value;
}

int TextFile::whole(const Row& row, std::size_t field) const {
  const std::string& text = row.fields[field];
  int value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || value < 0) {
    refuse(row, text,
           fmt::format("must be a whole number from 0 to {}", std::numeric_limits<int>::max()));
  }
  return value;
}

std::vector<Arm> TextFile::arms(const Row& row, std::size_t first, int arms) const {
  std::vector<Arm> found;
  for (std::size_t i = first; i < row.fields.size(); ++i) {
    const std::string& text = row.fields[i];
    Arm arm = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), arm);
    if (error != std::errc() || rest != text.data() + text.size() || arm < 0 || arm >= arms) {
      refuse(
          row, text,
          fmt::format("is not an arm; the problem's {} arms are numbered 0 to {}", arms, arms - 1));
    }
    if (std::find(found.begin(), found.end(), arm) != found.end()) {
      refuse(row, text, "an arm may be listed once in a row");
    }
    found.push_back(arm);
  }
  return found;
}

void TextFile::require_equal_rows(const std::string& what) const {
  for (const Row& row : rows) {
    if (row.fields.size() != rows.front().fields.size()) {
      refuse(fmt::format("{} on line {}: {}, on line {}: {}; every line must have the same number",
                         what, row.line, row.fields.size(), rows.front().line,
                         rows.front().fields.size()));
    }
  }
}

TextFile read_file(const std::string& option, const std::string& path) {
  TextFile text{option, path, {}};
  if (path.starts_with('@')) {
    std::istringstream embedded(embedded_text(text));
    read_rows(embedded, text);
    return text;
  }
  std::error_code unknown;  // not set when there is no such file
  if (std::filesystem::is_directory(path, unknown)) text.refuse("is a folder, not a file");
  if (!std::filesystem::exists(path, unknown) && !unknown) text.refuse("there is no such file");
  if (is_device(path)) text.refuse("is a device, not a file");
  std::ifstream file(path);
  if (!file) text.refuse("cannot be read");
  read_rows(file, text);
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::vector<double>> read_table(const std::string& path) {
  const TextFile file = read_file("problem", path);
  file.require_equal_rows("outcomes");
  std::vector<std::vector<double>> table;
  for (const TextFile::Row& row : file.rows) {
    std::vector<double>& outcomes = table.emplace_back();
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      outcomes.push_back(file.number(row, i));
      if (!(outcomes.back() >= 0 && outcomes.back() <= 1)) {
        file.refuse(row, row.fields[i], "every outcome must be in [0, 1]");
      }
    }
  }
  return table;
}

std::vector<std::vector<std::int64_t>> read_vectors(const std::string& path) {
  const TextFile file = read_file("actions", path);
  file.require_equal_rows("numbers");
  std::vector<std::vector<std::int64_t>> vectors;
  for (const TextFile::Row& row : file.rows) {
    std::vector<std::int64_t>& vector = vectors.emplace_back();
    std::vector<int> places(row.fields.size());
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (!read_decimal(row.fields[i], vector.emplace_back(), places[i])) {
        file.refuse(row, row.fields[i], "is not a whole or decimal number of up to 18 digits");
      }
    }
    const int most = *std::max_element(places.begin(), places.end());
    for (std::size_t i = 0; i < vector.size(); ++i) {
      for (int p = places[i]; p < most; ++p) {
        if (__builtin_mul_overflow(vector[i], std::int64_t{10}, &vector[i])) {
          file.refuse(row, row.fields[i], "the row has too many digits to be exact");
        }
      }
    }
  }
  return vectors;
}

EdgeFile read_edges(const std::string& option, const std::string& path, Sides sides) {
  TextFile file = read_file(option, path);
  if (is_heading(file.rows.front().fields)) file.rows.erase(file.rows.begin());
  if (file.rows.empty()) file.refuse("the file contains no edge");
  EdgeFile edges;
  edges.path = path;
  Naming left(edges.names);
  Naming right(sides == Sides::kTwo ? edges.right : edges.names);
  Naming& other = sides == Sides::kTwo ? right : left;
  for (const TextFile::Row& row : file.rows) {
    if (row.fields.size() < 2 || row.fields.size() > 3) {
      file.refuse(row, fmt::format("{}", fmt::join(row.fields, ",")),
                  "an edge is written from,to or from,to,number");
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if (row.fields[i].empty()) file.refuse(row, "", "a node needs a name");
    }
    if (row.fields.size() != file.rows.front().fields.size()) {
      file.refuse(row, fmt::format("{}", fmt::join(row.fields, ",")),
                  "either all edges have a number or none has");
    }
    const int from = left.number(row.fields[0]);
    edges.graph.edges.push_back({from, other.number(row.fields[1])});
    edges.lines.push_back(row.line);
    if (row.fields.size() == 3) {
      edges.numbers.push_back(file.number(row, 2));
      if (!(edges.numbers.back() >= 0 && std::isfinite(edges.numbers.back()))) {
        file.refuse(row, row.fields[2], "an edge's number must be finite and >= 0");
      }
    }
  }
  edges.graph.nodes = static_cast<int>(edges.names.size());
  return edges;
}

}  // namespace tacit::specs
