#include "tacit/simulation/delay.hpp"

#include <charconv>

#include <fmt/format.h>

#include "tacit/core/invalid_parameter.hpp"

namespace tacit::simulation {
namespace {

constexpr const char* kAllowed =
    "must be a number of rounds, geometric:N or geometric:N:WAIT, with N and WAIT from 0 to 1e9";

Round rounds_in(std::string_view part, std::string_view whole) {
  double value = -1;
  const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  constexpr double kMost = 1e9;
  const bool whole_number =
      value >= 0 && value <= kMost && value == static_cast<double>(static_cast<Round>(value));
  if (part.empty() || error != std::errc() || rest != part.data() + part.size() || !whole_number) {
    throw InvalidParameter(Option{"delay"}, std::string(whole), kAllowed);
  }
  return static_cast<Round>(value);
}

}  // namespace

Delay Delay::parse(std::string_view text) {
  constexpr std::string_view kGeometric = "geometric:";
  if (!text.starts_with(kGeometric)) return {.rounds = rounds_in(text, text)};
  const std::string_view rest = text.substr(kGeometric.size());
  const std::size_t colon = rest.find(':');
  Delay delay{.rounds = rounds_in(rest.substr(0, colon), text), .geometric = true};
  if (colon != std::string_view::npos) delay.wait = rounds_in(rest.substr(colon + 1), text);
  return delay;
}

std::string Delay::name() const {
  if (!geometric) return fmt::format("{}", rounds);
  return wait ? fmt::format("geometric:{}:{}", rounds, *wait) : fmt::format("geometric:{}", rounds);
}

std::string Delay::in_words() const {
  if (!geometric) return fmt::format("{} rounds late", rounds);
  return wait ? fmt::format(
                    "{} rounds late on average; {} rounds after its last choice a sum is released "
                    "without "
                    "those that are missing",
                    rounds, *wait)
              : fmt::format("{} rounds late on average", rounds);
}

}  // namespace tacit::simulation
