#include "tacit/service/api/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/core/nearest_name.hpp"

namespace tacit::service::api {

std::string Where::self() const {
  return list != nullptr ? fmt::format("{}[{}]", list, index) : "body";
}

std::string Where::at(std::string_view key) const {
  return list != nullptr ? fmt::format("{}[{}].{}", list, index, key) : std::string(key);
}

void refuse(const std::string& field, const std::string& why) {
  throw Problem(422, field, fmt::format("{}: {}", field, why));
}

std::string nearest(std::string_view given, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kMost = 1000;
  if (given.empty() || given.size() > kLongest || known.empty() || known.size() > kMost) return "";
  return fmt::format("; did you mean {}?", nearest_name(given, known));
}

void read_fields(JsonInPlace& json, std::span<const std::string_view> known, const Where& where,
                 std::span<Field> fields) {
  if (json.kind() != JsonInPlace::Kind::kObject) refuse(where.self(), "must be an object");
  json.begin_object();
  for (std::size_t number = 1; const auto key = json.key(); ++number) {
    const auto found = std::find(known.begin(), known.end(), *key);
    if (found == known.end()) {
      refuse(where.self(),
             fmt::format("key {} is not known{} (known: {})", number,
                         nearest(*key, {known.begin(), known.end()}), fmt::join(known, ", ")));
    }
    Field& field = fields[static_cast<std::size_t>(found - known.begin())];
    if (field) refuse(where.at(*found), "is there twice");
    field = json.skip();
  }
}

Event event_of(Field& json, const Where& where, const Directory& directory) {
  if (!json) refuse(where.at("event"), "must be given");
  if (json->kind() != JsonInPlace::Kind::kText) refuse(where.at("event"), "must be a text");
  const std::string_view token = json->text();
  std::optional<Event> event;
  if (!token.empty()) event = directory.tokens.read(token);
  if (!event) refuse(where.at("event"), "is no event that this service has given out");
  return *std::move(event);
}

const ExperimentCard* experiment_of(const Event& event, const Directory& directory) {
  const auto found = directory.by_id.find(event.experiment);
  return found == directory.by_id.end() ? nullptr : found->second.get();
}

}  // namespace tacit::service::api
