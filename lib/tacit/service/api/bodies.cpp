#include "tacit/service/api/bodies.hpp"

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tacit/service/api/fields.hpp"

namespace tacit::service::api {
namespace {

using Kind = JsonInPlace::Kind;

constexpr std::size_t kMostNumbersOfAReport = 10'000;

bool is_there(Field& field) { return field && field->kind() != Kind::kNull; }

bool boolean_of(JsonInPlace& json, std::string_view field) {
  if (json.kind() != Kind::kBoolean) refuse(std::string(field), "must be true or false");
  return json.boolean();
}

UnitHash unit_of(JsonInPlace& json, const Directory& directory) {
  if (json.kind() != Kind::kText) refuse("unit", "must be a text");
  const std::string_view name = json.text();
  if (name.empty() || name.size() > kLongestUnit) {
    refuse("unit", fmt::format("must be a text of 1 to {} bytes", kLongestUnit));
  }
  const UnitHash unit = directory.unit(name);
  json.wipe();
  return unit;
}

std::vector<Arm> eligible_of(JsonInPlace& json, const ExperimentCard& experiment) {
  if (json.kind() != Kind::kArray) refuse("eligible", "must be a list of arms' names");
  std::vector<Arm> arms;
  std::vector<bool> named(experiment.arms.size());
  json.begin_array();
  while (json.item()) {
    const auto field = [&] { return fmt::format("eligible[{}]", arms.size()); };
    if (json.kind() != Kind::kText) refuse(field(), "must be the name of an arm");
    const std::string_view name = json.text();
    const auto arm = experiment.arm_named.find(name);
    if (arm == experiment.arm_named.end()) {
      refuse(field(),
             fmt::format("is no arm of {}{}", experiment.name, nearest(name, experiment.arms)));
    }
    if (named[static_cast<std::size_t>(arm->second)]) refuse(field(), "is there twice");
    named[static_cast<std::size_t>(arm->second)] = true;
    arms.push_back(arm->second);
  }
  if (arms.empty())
    refuse("eligible", "must name an arm at least; without it all arms are eligible");
  return arms;
}

int count_of(JsonInPlace& json) {
  const double count = json.kind() == Kind::kNumber ? json.number() : NAN;
  if (!(count >= 1 && count <= kMostDecisions && count == std::floor(count))) {
    refuse("count", fmt::format("must be a whole number from 1 to {}", kMostDecisions));
  }
  return static_cast<int>(count);
}

double number_of_report(JsonInPlace& json, const Where& where) {
  if (json.kind() != Kind::kNumber) {
    refuse(where.at("report"), "must be a number, or a list of numbers, as the device made it");
  }
  return json.number();
}

void read_report(std::array<Field, 2> fields, const Where& where, const Directory& directory,
                 ReportsBody& out) {
  auto& [token, report] = fields;
  ReportsBody::One one{.event = event_of(token, where, directory), .report = {}};
  if (one.event.deferred) {
    refuse(where.at("event"), "is not shown yet: POST it to /v1/activations first");
  }
  const ExperimentCard* experiment = experiment_of(one.event, directory);
  if (experiment != nullptr && !experiment->local) {
    refuse(where.at("event"),
           "its outcomes do not come from users' devices: POST them to /v1/outcomes");
  }
  if (!report) refuse(where.at("report"), "must be given");
  if (report->kind() == Kind::kArray) {
    report->begin_array();
    while (report->item()) {
      if (one.report.size() == kMostNumbersOfAReport) {
        refuse(where.at("report"),
               fmt::format("must be at most {} numbers", kMostNumbersOfAReport));
      }
      one.report.push_back(number_of_report(*report, where));
    }
  } else {
    one.report.push_back(number_of_report(*report, where));
  }
  out.each.push_back(std::move(one));
}

}  // namespace

DecisionsBody decisions_of(std::span<char> body, const ExperimentCard& experiment,
                           const Directory& directory) {
  DecisionsBody out;
  out.request.experiment = experiment.id;
  if (body.empty()) return out;
  return or_bad_request([&] {
    static constexpr std::array<std::string_view, 5> kKeys{"unit", "eligible", "defer", "record",
                                                           "count"};
    JsonInPlace json(body);
    auto [unit, eligible, defer, record, count] = fields_of(json, kKeys, {});
    json.end();
    if (is_there(unit)) out.request.unit = unit_of(*unit, directory);
    if (is_there(eligible)) out.request.eligible = eligible_of(*eligible, experiment);
    if (is_there(defer)) out.request.defer = boolean_of(*defer, "defer");
    if (is_there(record)) out.request.record = boolean_of(*record, "record");
    if (is_there(count)) out.count = count_of(*count);
    return std::move(out);
  });
}

UnitHash unit_of_body(std::span<char> body, const Directory& directory) {
  return or_bad_request([&] {
    static constexpr std::array<std::string_view, 1> kKeys{"unit"};
    JsonInPlace json(body);
    auto [unit] = fields_of(json, kKeys, {});
    json.end();
    if (!unit) refuse("unit", "must be given");
    return unit_of(*unit, directory);
  });
}

Event activation_of(std::span<char> body, const Directory& directory) {
  return or_bad_request([&] {
    static constexpr std::array<std::string_view, 1> kKeys{"event"};
    JsonInPlace json(body);
    auto [event] = fields_of(json, kKeys, {});
    json.end();
    return event_of(event, {}, directory);
  });
}

ReportsBody reports_of(std::span<char> body, const Directory& directory) {
  return or_bad_request([&] {
    static constexpr std::array<std::string_view, 2> kKeys{"event", "report"};
    ReportsBody out;
    read_one_or_many(body, kKeys, "reports", kMostOutcomes,
                     [&](const std::array<Field, 2>& fields, const Where& where) {
                       read_report(fields, where, directory, out);
                     });
    return out;
  });
}

}  // namespace tacit::service::api
