#include "tacit/simulation/checkpoints.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "tacit/core/check.hpp"

namespace tacit::simulation {
namespace {

template <class At>
std::vector<Round> spaced(Round horizon, int count, At at) {
  check::horizon("checkpoints", horizon);
  check::at_least("checkpoints", "count", count, 1);
  std::vector<Round> rounds;
  for (int i = 1; i < count; ++i) {
    const auto round = std::clamp<Round>(std::llround(at(i)), 1, horizon);
    if (round < horizon && (rounds.empty() || round > rounds.back())) rounds.push_back(round);
  }
  rounds.push_back(horizon);
  return rounds;
}

}  // namespace

std::vector<Round> linear_checkpoints(Round horizon, int count) {
  return spaced(horizon, count, [=](int i) {
    return static_cast<double>(horizon) * (static_cast<double>(i) / count);
  });
}

std::vector<Round> log_checkpoints(Round horizon, int count) {
  return spaced(horizon, count, [=](int i) {
    return std::exp(std::log(static_cast<double>(horizon)) * (i - 1) / std::max(1, count - 1));
  });
}

std::vector<Round> parse_checkpoints(std::string_view text, Round horizon) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  int count = 0;
  if (colon != std::string_view::npos) {
    const std::string_view digits = text.substr(colon + 1);
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || rest != digits.data() + digits.size()) count = 0;
  }
  if ((kind != "log" && kind != "linear") || count < 1 || count > 100000) {
    throw InvalidParameter(Option{"checkpoints"}, std::string(text),
                           "must be log:N or linear:N with N from 1 to 100000");
  }
  return kind == "log" ? log_checkpoints(horizon, count) : linear_checkpoints(horizon, count);
}

}  // namespace tacit::simulation
