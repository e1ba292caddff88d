#include "tacit/privacy/notions.hpp"

#include <string>

#include <fmt/format.h>

#include "tacit/core/check.hpp"
#include "tacit/privacy/composition.hpp"

namespace tacit::privacy {
namespace {

void check_privacy(const char* function, const Privacy& privacy) {
  if (privacy.notion == Notion::kNone) return;
  check::within(function, "epsilon", privacy.epsilon, 0, 1e300);
  check::within(function, "delta", privacy.delta, 0, 1);
}

[[noreturn]] void refuse(const char* function, const Privacy& from,
                         const std::string& requirement) {
  throw InvalidParameter(
      function, "from",
      fmt::format("{} epsilon {}, delta {}", name_of(from.notion), from.epsilon, from.delta),
      requirement);
}

}  // namespace

Privacy convert(const Privacy& from, Notion to, Round rounds) {
  check_privacy("convert", from);
  check::horizon("convert", rounds);
  if (to == from.notion) return from;
  if (to == Notion::kNone) return {};
  const bool reports = from.notion == Notion::kLocal;
  if (to == Notion::kCentral && reports) return {to, from.epsilon, from.delta};
  if (to == Notion::kCentral && from.notion == Notion::kInstantaneous) {
    const Cost total =
        basic_composition({.epsilon = from.epsilon, .delta = from.delta}, rounds - 1);
    return {to, total.epsilon, total.delta};
  }
  if (to == Notion::kInstantaneous && (reports || from.notion == Notion::kCentral)) {
    if (from.delta > 0) {
      refuse("convert", from,
             "must have delta 0: a history of that probability can tell everything");
    }
    return {to, 2 * from.epsilon, 0};
  }
  refuse("convert", from, fmt::format("must be a notion that implies the {} one", name_of(to)));
}

Privacy central_up_to(double delta, const Privacy& instantaneous, Round rounds) {
  check_privacy("central_up_to", instantaneous);
  check::horizon("central_up_to", rounds);
  if (instantaneous.notion != Notion::kInstantaneous) {
    refuse("central_up_to", instantaneous, "must be of the instantaneous notion");
  }
  if (rounds == 1) return {Notion::kCentral, 0, 0};
  const Cost each{.epsilon = instantaneous.epsilon, .delta = instantaneous.delta};
  return {Notion::kCentral, optimal_epsilon(each, rounds - 1, delta), delta};
}

Privacy outcomes_from_rewards(const Privacy& of_rewards) {
  check_privacy("outcomes_from_rewards", of_rewards);
  if (of_rewards.notion != Notion::kCentral || of_rewards.delta > 0) {
    refuse("outcomes_from_rewards", of_rewards, "must be of the central notion with delta 0");
  }
  return of_rewards;
}

}  // namespace tacit::privacy
