// The keys of an object that an application sent: known, each once, and named in what is said of them. No text of the body is
// repeated: what was meant as a value may stand where a key should be.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/service/api/json_in_place.hpp"
#include "tacit/service/directory.hpp"
#include "tacit/service/problem.hpp"
#include "tacit/service/token.hpp"

namespace tacit::service::api {

/// Where in the body an object is: at its top, or in a list.
struct Where {
  const char* list = nullptr;
  std::size_t index = 0;

  std::string self() const;
  std::string at(std::string_view key) const;
};

/// Throws Problem (422).
[[noreturn]] void refuse(const std::string& field, const std::string& why);
/// "; did you mean ...?", where that can be found out quickly.
std::string nearest(std::string_view given, const std::vector<std::string>& known);

using Field = std::optional<JsonInPlace>;
/// The values of an object's keys, passed over for now, in the order of `known`.
void read_fields(JsonInPlace& json, std::span<const std::string_view> known, const Where& where,
                 std::span<Field> fields);
template <std::size_t N>
std::array<Field, N> fields_of(JsonInPlace& json, const std::array<std::string_view, N>& known,
                               const Where& where) {
  std::array<Field, N> fields;
  read_fields(json, known, where, fields);
  return fields;
}

/// By its seal alone: nothing is looked up.
Event event_of(Field& json, const Where& where, const Directory& directory);
/// Null where there is none any more.
const ExperimentCard* experiment_of(const Event& event, const Directory& directory);

/// What `read` returns; 400 for what is no JSON.
template <class Read>
auto or_bad_request(Read read) {
  try {
    return read();
  } catch (const BadJson& bad) {
    throw Problem(400, "", std::string("body: is no JSON: ") + bad.what());
  }
}

/// Calls read_one with the fields of one object, or of each in the list that stands under `list`.
template <std::size_t N, class ReadOne>
void read_one_or_many(std::span<char> body, const std::array<std::string_view, N>& keys,
                      const char* list, std::size_t most, ReadOne read_one) {
  std::array<std::string_view, N + 1> all_keys;
  std::copy(keys.begin(), keys.end(), all_keys.begin());
  all_keys[N] = list;
  JsonInPlace json(body);
  std::array<Field, N + 1> fields = fields_of(json, all_keys, {});
  json.end();
  Field& items = fields[N];
  if (!items) {
    std::array<Field, N> of_one;
    std::copy(fields.begin(), fields.end() - 1, of_one.begin());
    read_one(of_one, Where{});
    return;
  }
  for (std::size_t i = 0; i < N; ++i) {
    if (fields[i]) refuse(list, std::string(keys[i]) + " belongs into its items");
  }
  if (items->kind() != JsonInPlace::Kind::kArray) refuse(list, "must be a list");
  items->begin_array();
  for (Where where{.list = list}; items->item(); ++where.index) {
    if (where.index == most) refuse(list, "must be at most " + std::to_string(most));
    read_one(fields_of(*items, keys, where), where);
  }
}

}  // namespace tacit::service::api
