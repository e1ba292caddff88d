#include "tacit/core/check.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace tacit::check {
namespace {

template <class T>
Refusal refusal(std::string_view function, std::string_view parameter, T value,
                std::string requirement) {
  return {Parameter{std::string(function), std::string(parameter)}, fmt::format("{}", value),
          std::move(requirement)};
}

/// The value, unless there is something against it.
template <class T>
T accepted(T value, const std::optional<Refusal>& refusal) {
  if (refusal) throw InvalidParameter(*refusal);
  return value;
}

}  // namespace

std::optional<Refusal> unless_positive(std::string_view function, std::string_view parameter,
                                       double value) {
  if (std::isfinite(value) && value > 0) return {};
  return refusal(function, parameter, value, "must be a finite number > 0");
}

std::optional<Refusal> unless_within(std::string_view function, std::string_view parameter,
                                     double value, double low, double high) {
  if (value >= low && value <= high) return {};
  return refusal(function, parameter, value,
                 fmt::format("must be a number in [{}, {}]", low, high));
}

std::optional<Refusal> unless_strictly_within(std::string_view function, std::string_view parameter,
                                              double value, double low, double high) {
  if (value > low && value < high) return {};
  return refusal(function, parameter, value,
                 fmt::format("must be a number in ({}, {})", low, high));
}

std::optional<Refusal> unless_at_least(std::string_view function, std::string_view parameter,
                                       std::int64_t value, std::int64_t least) {
  if (value >= least) return {};
  return refusal(function, parameter, value, fmt::format("must be an integer >= {}", least));
}

double positive(std::string_view function, std::string_view parameter, double value) {
  return accepted(value, unless_positive(function, parameter, value));
}

double positive_up_to(std::string_view function, std::string_view parameter, double value,
                      double high) {
  if (value > 0 && value <= high) return value;
  throw InvalidParameter(
      refusal(function, parameter, value, fmt::format("must be a number in (0, {}]", high)));
}

double within(std::string_view function, std::string_view parameter, double value, double low,
              double high) {
  return accepted(value, unless_within(function, parameter, value, low, high));
}

double strictly_within(std::string_view function, std::string_view parameter, double value,
                       double low, double high) {
  return accepted(value, unless_strictly_within(function, parameter, value, low, high));
}

std::int64_t at_least(std::string_view function, std::string_view parameter, std::int64_t value,
                      std::int64_t least) {
  return accepted(value, unless_at_least(function, parameter, value, least));
}

Round horizon(std::string_view function, Round value) {
  if (value >= 1 && value <= kLastRound) return value;
  throw InvalidParameter(refusal(function, "horizon", value, "must be an integer from 1 to 2^53"));
}

}  // namespace tacit::check
