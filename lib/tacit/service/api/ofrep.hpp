// OFREP 0.3.0, the OpenFeature Remote Evaluation Protocol: an experiment is a flag, its arms are variants, and whoever has an
// OpenFeature SDK asks for decisions with it. What the SDK cannot send, the outcome, goes to /v1/outcomes with the event that is
// in the flag's metadata ("tacit.event"). The protocol moves: all of it that is known here is in these two files.
//
// Of the evaluation's context only targetingKey is read, and hashed at once: it is the unit. All flags at once (what a browser
// asks for when it starts) are decisions that are not shown yet: their events are activated by POST /v1/activations.
//
// A `client` key is everybody's. What is kept of a unit (what it was shown, how often it was recorded) is asked for with one only under
// a name that the application has signed, unless the experiment says otherwise: a unit's own event would tell anybody that it was
// there, and when, and whoever has it may answer in its place.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tacit/service/answer.hpp"
#include "tacit/service/directory.hpp"

namespace tacit::service::api {

/// What the protocol calls an error.
class OfrepError : public std::runtime_error {
 public:
  OfrepError(int status, std::string_view code, const std::string& details, int retry_after = 0)
      : std::runtime_error(details), status_(status), code_(code), retry_after_(retry_after) {}

  int status() const noexcept { return status_; }
  std::string_view code() const noexcept { return code_; }
  int retry_after() const noexcept { return retry_after_; }  // seconds; 0: not said

 private:
  int status_;
  std::string_view code_;
  int retry_after_;
};

/// A unit as it was named: USER, or USER.SIGNATURE with what an application got for it from POST /v1/units. Both are the same unit.
struct NamedUnit {
  UnitHash unit{};
  bool is_signed = false;
};
NamedUnit named_unit(std::string_view targeting_key, const Directory& directory);

/// Of the context's targetingKey, if there is one. The body is overwritten. Throws OfrepError for what is no request.
std::optional<NamedUnit> unit_of_context(std::span<char> body, const Directory& directory);

/// `flag`: "" for all flags.
Answer answer_of(const OfrepError& error, std::string_view flag);

}  // namespace tacit::service::api
