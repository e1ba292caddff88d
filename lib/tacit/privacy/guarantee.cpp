#include "tacit/privacy/guarantee.hpp"

#include <cmath>

#include <fmt/format.h>

#include "tacit/core/check.hpp"

namespace tacit::privacy {

Sensitivity Sensitivity::entries(int count) {
  const auto n = static_cast<double>(check::at_least("Sensitivity", "entries", count, 1));
  return {n, 1, n, std::sqrt(n), count == 1};
}

Sensitivity Sensitivity::entries_in_one_direction(int count) {
  Sensitivity sensitivity = entries(count);
  sensitivity.monotone_ = true;
  return sensitivity;
}

Sensitivity Sensitivity::l1_ball(double radius, int count) {
  check::positive("Sensitivity", "radius", radius);
  const auto n = static_cast<double>(check::at_least("Sensitivity", "entries", count, 1));
  return {n, radius, radius, radius, count == 1};
}

Sensitivity Sensitivity::l2_ball(double radius) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  check::positive("Sensitivity", "radius", radius);
  return {kAny, radius, kAny, radius, false};
}

const char* name_of(Notion notion) {
  switch (notion) {
    case Notion::kNone: return "none";
    case Notion::kCentral: return "central";
    case Notion::kLocal: return "local";
    case Notion::kInstantaneous: return "instantaneous";
    case Notion::kEnvironment: return "environment";
  }
  return "none";
}

const char* name_of(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::kExact ? "exact" : "idealised";
}

const char* name_of(Randomness randomness) {
  return randomness == Randomness::kSecure ? "secure" : "simulated";
}

Guarantee compose(Notion notion, const std::string& moves, int releases, const Loss& each) {
  Guarantee guarantee;
  const char* what = notion == Notion::kLocal ? "report" : "release";
  guarantee.because = fmt::format(
      "one round moves {} and enters {}, {}{}", moves,
      releases == 1 ? fmt::format("one {}", what) : fmt::format("at most {} {}s", releases, what),
      releases == 1 ? "by " : "each by ", each.mechanism);
  if (!std::isfinite(each.epsilon)) return guarantee;
  guarantee.notion = notion;
  guarantee.epsilon = releases * each.epsilon;
  guarantee.delta = releases * each.delta;
  guarantee.arithmetic = each.arithmetic;
  return guarantee;
}

}  // namespace tacit::privacy
