// What applications send, read where it lies (json_in_place.hpp). Of a user's name only its hash is kept, and an outcome is a
// Secret from the moment that it is a number.
//
// Everything here throws Problem: 400 for what is no JSON, 422 for what is none of the bodies. Which one is a function of the
// body, of keys and of what is public of the experiment, never of what was answered before; and no text of the body is repeated.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"
#include "tacit/service/directory.hpp"
#include "tacit/service/engine.hpp"
#include "tacit/service/token.hpp"

namespace tacit::service::api {

inline constexpr int kMostDecisions = 100;
inline constexpr std::size_t kMostOutcomes = 1000;

/// {unit?, eligible?, defer?, record?, count?}; nothing at all is {}.
struct DecisionsBody {
  DecideRequest request;
  int count = 1;
};
DecisionsBody decisions_of(std::span<char> body, const ExperimentCard& experiment,
                           const Directory& directory);

/// {unit}
UnitHash unit_of_body(std::span<char> body, const Directory& directory);

/// {event}
Event activation_of(std::span<char> body, const Directory& directory);

/// {event, value}, {event, values: {arm: x}}, {event, stop: n or null}, or {outcomes: [...]} of them.
struct OutcomesBody {
  struct One {
    Event event;
    std::size_t first = 0;  // of `outcomes`
    std::size_t size = 0;
  };
  std::vector<One> each;
  std::vector<privacy::Secret<Sum>> outcomes;

  /// In the order of the event's places, or of all arms. None for a decision of another generation, whose shape nobody knows any
  /// more: they would be dropped.
  std::span<const privacy::Secret<Sum>> of(const One& one) const {
    return std::span(outcomes).subspan(one.first, one.size);
  }
};
OutcomesBody outcomes_of(std::span<char> body, const Directory& directory);

/// {event, report: x or [x, ...]}, or {reports: [...]} of them: public, since a device made them. Whether one could have is for
/// Experiment::check_report.
struct ReportsBody {
  struct One {
    Event event;
    std::vector<double> report;
  };
  std::vector<One> each;
};
ReportsBody reports_of(std::span<char> body, const Directory& directory);

}  // namespace tacit::service::api
