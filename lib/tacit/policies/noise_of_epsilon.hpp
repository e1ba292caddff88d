// Noise follows from epsilon, and it is epsilon that was given: what is refused of the one is said of the other.
#pragma once

#include <optional>
#include <variant>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::policies {

template <class Make>
auto with_noise_of(const std::optional<double>& epsilon, Make make) {
  try {
    return make();
  } catch (const InvalidParameter& error) {
    const bool of_noise = error.parameter() == "scale" || error.parameter() == "sigma";
    if (!epsilon || !of_noise || !std::holds_alternative<Parameter>(error.about())) throw;
    throw InvalidParameter(Option{"epsilon"}, fmt::format("{}", *epsilon),
                           "its noise would have " + error.refusal().in_words());
  }
}

}  // namespace tacit::policies
