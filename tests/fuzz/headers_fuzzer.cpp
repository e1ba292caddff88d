// What stands around a body: keys, tags, numbers in queries, and paths. Each line of the input is one of them, in this order.
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/property.hpp"
#include "tacit/service/api/entity_tag.hpp"
#include "tacit/service/api/reading.hpp"
#include "tacit/service/api/router.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/problem.hpp"

namespace {

using namespace tacit;           // NOLINT: a program of its own
using namespace tacit::service;  // NOLINT
using fuzz::require;

void check_key(std::string_view text, unsigned char change) {
  if (const auto parts = parse_api_key(text)) {
    const std::string again = "tacit_" + std::string(parts->role) + "_" + std::string(parts->id) +
                              "_" + std::string(parts->secret);
    require(again == text, "a key is its parts", text);
  }
  static const NewApiKey key = new_api_key("app", "fuzzed", 1);
  require(opens(*parse_api_key(key.text), key.row), "a key opens");
  std::string other = key.text;
  other[change % other.size()] = text.empty() ? 'x' : text[0];
  if (other == key.text) return;
  const auto parts = parse_api_key(other);
  require(!parts || parts->id != key.row.id || !opens(*parts, key.row),
          "a key that was changed opens nothing");
}

/// The tags of a well-formed If-None-Match (RFC 9110, 8.8.3 and 5.6.1), or none.
std::optional<std::vector<std::string_view>> tags_of(std::string_view list) {
  std::vector<std::string_view> tags;
  const auto skip = [&](std::string_view any) {
    while (!list.empty() && any.find(list[0]) != std::string_view::npos) list.remove_prefix(1);
  };
  for (skip(" \t,"); !list.empty(); skip(" \t")) {
    if (list.starts_with("W/")) list.remove_prefix(2);
    const std::size_t end = list.find('"', 1);
    if (list.empty() || list[0] != '"' || end == std::string_view::npos) return std::nullopt;
    tags.push_back(list.substr(0, end + 1));
    list.remove_prefix(end + 1);
    skip(" \t");
    if (!list.empty() && list[0] != ',') return std::nullopt;
    skip(" \t,");
  }
  return tags;
}

void check_tags(std::string_view header) {
  static const std::string tag = api::entity_tag("17", "what is told");
  std::string filled;  // "@" is the tag
  for (const char c : header) c == '@' ? filled += tag : filled += c;
  const auto tags = tags_of(filled);
  if (!tags) {
    api::names_tag(filled, tag);
    return;
  }
  const bool named = std::find(tags->begin(), tags->end(), tag) != tags->end();
  require(api::names_tag(filled, tag) == named, "a tag is named when it is in the list", filled);
}

void check_query(std::string_view query) {
  const bool escapes = query.find('%') != std::string_view::npos;
  constexpr std::int64_t kOtherwise = -5;
  for (const std::int64_t high : {std::int64_t{100}, std::numeric_limits<std::int64_t>::max()}) {
    try {
      const std::int64_t n = api::number_in_query(query, "after", 0, high, kOtherwise);
      const std::string padded = "&" + std::string(query) + "&";
      if (n == kOtherwise) {
        const bool given = padded.find("&after=") != std::string::npos;
        require(!given, "a number is not overlooked", query);
      } else {
        require(n >= 0 && n <= high, "a number is in its range", query);
        const bool given = padded.find("&after=") != std::string::npos;
        require(given || escapes, "a number was given", query);
      }
    } catch (const Problem& problem) {
      fuzz::require_one_line(problem.what());
      if (escapes && problem.status() == 400) continue;  // an escape that is none
      require(problem.status() == 422, "it is the client's mistake");
      const std::string_view said = problem.what();
      require(said.starts_with("after") &&
                  said.ends_with(": must be a whole number from 0 to " + std::to_string(high)),
              "what is allowed is said", said);
    }
  }
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string all;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    all += '%';
    all += kHex[byte >> 4U];
    all += kHex[byte & 15U];
  }
  return all;
}

void check_path(std::string_view path) {
  static const api::Router router = [] {
    api::Router made;
    for (const char* pattern : {"/v1/experiments", "/v1/experiments/{name}",
                                "/v1/experiments/{name}/arms/{arm}", "/v1/outcomes", "/metrics"}) {
      made.add("GET", pattern);
      made.add("POST", pattern);
    }
    return made;
  }();
  try {
    const api::Router::Found found = router.find("GET", path);
    if (found.route == api::Router::kNone) {
      // It costs more than all the rest together.
      if (path.size() % 8 == 0) fuzz::require_one_line(router.nearest(path));
      return;
    }
    if (found.parameters.size() == 1) {
      const auto again = router.find("GET", "/v1/experiments/" + escaped(found.parameters[0]));
      require(again.parameters == found.parameters, "a name is the one that was sent", path);
    }
  } catch (const Problem& problem) {
    require(problem.status() == 400, "it is the client's mistake");
    fuzz::require_one_line(problem.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Choices choices(fuzz::text_of(data, size));
  const unsigned char change = choices.byte();
  check_key(choices.line(), change);
  check_tags(choices.line());
  check_query(choices.line());
  check_path(choices.line());
  return 0;
}
