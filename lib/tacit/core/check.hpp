// Parameter checks: each returns the value it accepts, so that a constructor can check in its
// initialiser list, and throws InvalidParameter otherwise. unless_* ask the same and return what would be
// refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/round.hpp"

namespace tacit::check {

/// Finite and > 0.
double positive(std::string_view function, std::string_view parameter, double value);
/// In (0, high].
double positive_up_to(std::string_view function, std::string_view parameter, double value,
                      double high);
/// Finite and in [low, high].
double within(std::string_view function, std::string_view parameter, double value, double low,
              double high);
/// Finite and in (low, high).
double strictly_within(std::string_view function, std::string_view parameter, double value,
                       double low, double high);
/// An integer of at least `least`.
std::int64_t at_least(std::string_view function, std::string_view parameter, std::int64_t value,
                      std::int64_t least);
/// A round count in 1..kLastRound.
Round horizon(std::string_view function, Round value);

std::optional<Refusal> unless_positive(std::string_view function, std::string_view parameter,
                                       double value);
std::optional<Refusal> unless_within(std::string_view function, std::string_view parameter,
                                     double value, double low, double high);
std::optional<Refusal> unless_strictly_within(std::string_view function, std::string_view parameter,
                                              double value, double low, double high);
std::optional<Refusal> unless_at_least(std::string_view function, std::string_view parameter,
                                       std::int64_t value, std::int64_t least);

}  // namespace tacit::check
