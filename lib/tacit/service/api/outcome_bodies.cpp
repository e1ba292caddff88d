#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sodium.h>

#include "tacit/service/api/bodies.hpp"
#include "tacit/service/api/fields.hpp"

namespace tacit::service::api {
namespace {

using Kind = JsonInPlace::Kind;

/// Whether it says what of its decision is asked for: one that nobody chose, of another generation, or of a policy that has its
/// verdict and asks for nothing more, does not.
bool has_shape(const Event& event, const ExperimentCard* experiment) {
  return experiment != nullptr && !event.fallback && event.generation == experiment->generation &&
         !event.places.empty();
}

/// Of one decision's outcomes.
class OutcomeReader {
 public:
  OutcomeReader(const Where& where, const Directory& directory, OutcomesBody& out)
      : where_(where), directory_(directory), out_(out) {}

  static constexpr std::array<std::string_view, 4> kKeys{"event", "value", "values", "stop"};

  void read(std::array<Field, 4> fields) {
    auto& [token, value, values, stop] = fields;
    Event event = event_of(token, where_, directory_);
    const ExperimentCard* experiment = experiment_of(event, directory_);
    if (event.deferred) {
      refuse(where_.at("event"), "is not shown yet: POST it to /v1/activations first");
    }
    if (experiment != nullptr && experiment->local) {
      refuse(where_.at("event"), "its reports come from users' devices: POST them to /v1/reports");
    }
    const int given = int{value.has_value()} + int{values.has_value()} + int{stop.has_value()};
    if (given != 1) {
      refuse(where_.self(), given == 0 ? "value, values or stop must be given"
                                       : "must have one of value, values and stop");
    }
    experiment_ = has_shape(event, experiment) ? experiment : nullptr;
    event_ = &event;
    const std::size_t first = out_.outcomes.size();
    if (experiment_ != nullptr) out_.outcomes.resize(first + asked());
    outcomes_ = std::span(out_.outcomes).subspan(first);
    if (value) read_value(*value);
    if (values) read_values(*values);
    if (stop) read_stop(*stop);
    const std::size_t size = outcomes_.size();
    out_.each.push_back({std::move(event), first, size});
  }

 private:
  std::size_t asked() const {
    return experiment_->all_arms ? experiment_->arms.size() : event_->places.size();
  }

  /// In [0, 1]; `field` makes its name up when it is needed.
  template <class Name>
  privacy::Secret<Sum> outcome_of(JsonInPlace& json, Name field) const {
    if (json.kind() != Kind::kNumber) refuse(field(), "must be a number from 0 to 1");
    const double x = json.number();
    if (!(x >= 0 && x <= 1)) refuse(field(), "must be a number from 0 to 1");
    return privacy::Secret<Sum>(Sum(Outcome::nearest(x)));
  }

  void read_value(JsonInPlace& json) {
    if (experiment_ != nullptr && asked() != 1) {
      refuse(where_.at("value"),
             fmt::format("this decision asks for the outcomes of {} arms: give values", asked()));
    }
    const privacy::Secret<Sum> outcome = outcome_of(json, [&] { return where_.at("value"); });
    if (experiment_ != nullptr) outcomes_[0] = outcome;
    json.wipe();
  }

  /// The place of an arm's outcome, or none.
  std::optional<std::size_t> place_of(std::string_view name) const {
    const auto arm = experiment_->arm_named.find(name);
    if (arm == experiment_->arm_named.end()) return std::nullopt;
    if (experiment_->all_arms) return static_cast<std::size_t>(arm->second);
    for (std::size_t i = 0; i < asked(); ++i) {
      if (observed(i) == arm->second) return i;
    }
    return std::nullopt;
  }
  /// Those who are held out are asked for what they were shown.
  Arm observed(std::size_t place) const {
    const Arm arm =
        experiment_->all_arms ? static_cast<Arm>(place) : event_->places[place].slot.arm;
    return arm == kHoldout ? event_->arms[0] : arm;
  }
  const std::string& name_of(std::size_t place) const {
    return experiment_->arms.at(static_cast<std::size_t>(observed(place)));
  }

  void read_values(JsonInPlace& json) {
    if (json.kind() != Kind::kObject) {
      refuse(where_.at("values"), "must be an object of arms' names and outcomes");
    }
    std::vector<bool> given(outcomes_.size());
    json.begin_object();
    for (std::size_t number = 1; const auto name = json.key(); ++number) {
      const auto field = [&] { return fmt::format("{}, key {}", where_.at("values"), number); };
      if (experiment_ == nullptr) {
        outcome_of(json, field);
        continue;
      }
      const std::optional<std::size_t> place = place_of(*name);
      if (!place) {
        std::vector<std::string> asked_for;
        for (std::size_t i = 0; i < asked(); ++i) asked_for.push_back(name_of(i));
        refuse(field(), "is no arm that this decision asks for" + nearest(*name, asked_for));
      }
      if (given[*place]) refuse(field(), "is there twice");
      given[*place] = true;
      outcomes_[*place] = outcome_of(json, field);
    }
    json.wipe();
    const auto missing = std::find(given.begin(), given.end(), false);
    if (missing != given.end()) {
      const auto place = static_cast<std::size_t>(missing - given.begin());
      refuse(fmt::format("{}.{}", where_.at("values"), name_of(place)),
             "must be given: this decision asks for it");
    }
  }

  void read_stop(JsonInPlace& json) {
    const auto field = [&] { return where_.at("stop"); };
    if (experiment_ != nullptr && !experiment_->cascade) {
      refuse(field(), "is for ranked lists that are read up to a stop: give value or values");
    }
    const std::size_t length = event_->arms.size();
    double stop = static_cast<double>(length);  // nobody stopped
    if (json.kind() != Kind::kNull) {
      stop = json.kind() == Kind::kNumber ? json.number() : NAN;
      if (!(stop >= 0 && stop < static_cast<double>(length) && stop == std::floor(stop))) {
        refuse(field(), fmt::format("must be a position from 0 to {}, or null", length - 1));
      }
    }
    json.wipe();
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const auto at = std::find(event_->arms.begin(), event_->arms.end(), observed(i));
      const auto position = static_cast<double>(std::distance(event_->arms.begin(), at));
      outcomes_[i] = privacy::Secret<Sum>(Sum(Outcome::bit(position == stop)));
    }
    privacy::wipe(stop);
  }

  const Where& where_;
  const Directory& directory_;
  OutcomesBody& out_;
  const Event* event_ = nullptr;
  const ExperimentCard* experiment_ =
      nullptr;  // null: the outcomes would be dropped, so only numbers are checked
  std::span<privacy::Secret<Sum>> outcomes_;
};

/// A frame of its own, so that what it leaves on the stack lies below whoever calls it.
[[gnu::noinline]] OutcomesBody read_outcomes(std::span<char> body, const Directory& directory) {
  return or_bad_request([&] {
    OutcomesBody out;
    read_one_or_many(body, OutcomeReader::kKeys, "outcomes", kMostOutcomes,
                     [&](const std::array<Field, 4>& fields, const Where& where) {
                       OutcomeReader(where, directory, out).read(fields);
                     });
    return out;
  });
}

/// Wipes the stack below, also when it is left by a throw.
struct StackWiper {
  StackWiper() = default;
  StackWiper(const StackWiper&) = delete;
  StackWiper& operator=(const StackWiper&) = delete;
  ~StackWiper() { sodium_stackzero(8192); }
};

}  // namespace

OutcomesBody outcomes_of(std::span<char> body, const Directory& directory) {
  const StackWiper wiper;
  return read_outcomes(body, directory);
}

}  // namespace tacit::service::api
