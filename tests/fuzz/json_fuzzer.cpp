// JSON in a request's body. JsonInPlace takes what nlohmann takes, with the same values, but for what it says that it refuses: nine
// levels, a byte order mark, and a zero byte as the end. And what operators send is refused by a Problem or read.
#include <cstdlib>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "fuzz/property.hpp"
#include "tacit/service/api/json_in_place.hpp"
#include "tacit/service/api/operating.hpp"
#include "tacit/service/problem.hpp"

namespace {

using namespace tacit;  // NOLINT: a program of its own
using fuzz::require;
using service::api::BadJson;
using service::api::JsonInPlace;
using Tree = nlohmann::json;

/// Some values are passed over first and read later, in an order of their own, as the readers of bodies do.
Tree tree_of(JsonInPlace& json, unsigned& count);

Tree later(JsonInPlace& json, unsigned& count) {
  if (++count % 3 != 0) return tree_of(json, count);
  JsonInPlace rest = json.skip();
  const JsonInPlace::Kind kind = rest.kind();
  require(kind == rest.kind(), "to ask for a kind moves nothing");
  Tree tree = tree_of(rest, count);
  rest.end();
  return tree;
}

Tree tree_of(JsonInPlace& json, unsigned& count) {
  switch (json.kind()) {
    case JsonInPlace::Kind::kObject: {
      Tree tree = Tree::object();
      json.begin_object();
      while (const auto key = json.key()) {
        const std::string name(*key);
        tree[name] = later(json, count);
      }
      return tree;
    }
    case JsonInPlace::Kind::kArray: {
      Tree tree = Tree::array();
      json.begin_array();
      while (json.item()) tree.push_back(later(json, count));
      return tree;
    }
    case JsonInPlace::Kind::kText: return std::string(json.text());
    case JsonInPlace::Kind::kNumber: return json.number();
    case JsonInPlace::Kind::kBoolean: return json.boolean();
    case JsonInPlace::Kind::kNull: json.null(); return nullptr;
  }
  std::abort();
}

std::size_t depth_of(const Tree& tree) {
  if (!tree.is_structured()) return 0;
  std::size_t deepest = 0;
  for (const Tree& each : tree) deepest = std::max(deepest, depth_of(each));
  return 1 + deepest;
}

/// Not by ==, which takes integers beyond 2^53 for more than they are as doubles.
bool same(const Tree& a, const Tree& b) {
  if (a.is_number() && b.is_number()) return a.get<double>() == b.get<double>();
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) return false;
    }
    return true;
  }
  if (a.is_object()) {
    for (const auto& [key, value] : a.items()) {
      const auto found = b.find(key);
      if (found == b.end() || !same(value, *found)) return false;
    }
    return true;
  }
  return a == b;
}

void check_operators(std::string_view text) {
  try {
    const service::Json json = service::api::json_of_body({text.data(), text.size()});
    const std::string again = json.dump();
    require(service::api::json_of_body({again.data(), again.size()}) == json,
            "what is written is what was read");
    const auto refused_or_read = [](auto read) {
      try {
        read();
      } catch (const service::Problem& problem) {
        fuzz::require_one_line(problem.what());
      }
    };
    refused_or_read([&] { service::api::population_request(json); });
    refused_or_read([&] { service::api::key_request(json); });
    refused_or_read([&] { service::api::change_request(json); });
    refused_or_read([&] { service::api::stop_request(json); });
    refused_or_read([&] {
      const service::ArmSpec arm = service::api::arm_request(json);
      require(service::Json::accept(arm.value), "an arm's value is JSON");
    });
  } catch (const service::Problem& problem) {
    fuzz::require_one_line(problem.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  check_operators(text);

  Tree expected;
  bool is_json = true;
  try {
    expected = Tree::parse(text);
  } catch (const Tree::exception&) {
    is_json = false;
  }
  std::string body(text);
  try {
    JsonInPlace json(body);
    unsigned count = 0;
    const Tree tree = later(json, count);
    json.end();
    require(is_json, "nothing else is taken for JSON", text);
    require(same(tree, expected), "the values are what nlohmann reads", text);
    json.wipe();
    require(body.find_first_not_of('\0') == std::string::npos, "all of it can be wiped", body);
  } catch (const BadJson& bad) {
    fuzz::require_one_line(bad.what());
    require(bad.position() <= size, "a mistake lies in the body", text);
    require(!is_json || depth_of(expected) > JsonInPlace::kDeepest ||
                text.starts_with("\xef\xbb\xbf") || text.find('\0') != std::string_view::npos,
            "JSON is taken", text);
  }
  return 0;
}
