#include "tacit/core/check.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace tacit::check {
namespace {

[[noreturn]] void refuse(std::string_view function, std::string_view parameter, double value,
                         std::string requirement) {
  throw InvalidParameter(std::string(function), std::string(parameter), fmt::format("{}", value),
                         std::move(requirement));
}

}  // namespace

double positive(std::string_view function, std::string_view parameter, double value) {
  if (!(std::isfinite(value) && value > 0)) {
    refuse(function, parameter, value, "must be a finite number > 0");
  }
  return value;
}

double within(std::string_view function, std::string_view parameter, double value, double low,
              double high) {
  if (!(value >= low && value <= high)) {
    refuse(function, parameter, value, fmt::format("must be a number in [{}, {}]", low, high));
  }
  return value;
}

double strictly_within(std::string_view function, std::string_view parameter, double value,
                       double low, double high) {
  if (!(value > low && value < high)) {
    refuse(function, parameter, value, fmt::format("must be a number in ({}, {})", low, high));
  }
  return value;
}

std::int64_t at_least(std::string_view function, std::string_view parameter, std::int64_t value,
                      std::int64_t least) {
  if (value < least) {
    throw InvalidParameter(std::string(function), std::string(parameter), fmt::format("{}", value),
                           fmt::format("must be an integer >= {}", least));
  }
  return value;
}

Round horizon(std::string_view function, Round value) {
  if (value < 1 || value > kLastRound) {
    throw InvalidParameter(std::string(function), "horizon", fmt::format("{}", value),
                           "must be an integer from 1 to 2^53");
  }
  return value;
}

}  // namespace tacit::check
