#include "tacit/service/api/router.hpp"

#include <algorithm>
#include <array>

#include "tacit/core/nearest_name.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr std::size_t kMostParameters = 4;

struct Parameters {
  std::array<std::string_view, kMostParameters> texts;
  std::size_t size = 0;
};

/// Takes one step off a path that begins with '/'.
std::string_view step(std::string_view& path) {
  const std::size_t end = path.find('/', 1);
  const std::string_view first = path.substr(1, end == std::string_view::npos ? end : end - 1);
  path.remove_prefix(1 + first.size());
  return first;
}

bool leads(std::string_view pattern, std::string_view path, Parameters& parameters) {
  parameters.size = 0;
  while (!pattern.empty() && !path.empty()) {
    if (path[0] != '/') return false;
    const std::string_view wanted = step(pattern);
    const std::string_view given = step(path);
    if (wanted.starts_with('{')) {
      if (given.empty() || parameters.size == kMostParameters) return false;
      parameters.texts[parameters.size++] = given;
    } else if (wanted != given) {
      return false;
    }
  }
  return pattern.empty() && path.empty();
}

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string percent_decoded(std::string_view text, const std::string& field) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      throw Problem(400, field, field + ": % must be followed by two hexadecimal digits");
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

void Router::add(std::string_view method, std::string_view pattern) {
  rows_.push_back({method, pattern});
}

Router::Found Router::find(std::string_view method, std::string_view path) const {
  Found found;
  Parameters parameters;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!leads(rows_[i].pattern, path, parameters)) continue;
    if (rows_[i].method != method) {
      if (!found.allow.empty()) found.allow += ", ";
      found.allow += rows_[i].method;
      continue;
    }
    found.route = i;
    found.allow.clear();
    for (std::size_t k = 0; k < parameters.size; ++k) {
      found.parameters.push_back(percent_decoded(parameters.texts[k], "path"));
    }
    return found;
  }
  return found;
}

std::string Router::nearest(std::string_view path) const {
  constexpr std::size_t kLongest = 100;
  std::vector<std::string> patterns;
  for (const Row& row : rows_) patterns.emplace_back(row.pattern);
  if (patterns.empty()) return "";
  const std::string pattern = nearest_name(path.substr(0, kLongest), patterns);
  const auto at = std::find(patterns.begin(), patterns.end(), pattern) - patterns.begin();
  return std::string(rows_[static_cast<std::size_t>(at)].method) + " " + pattern;
}

}  // namespace tacit::service::api
