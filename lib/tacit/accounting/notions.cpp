#include "tacit/accounting/notions.hpp"

#include <string>

#include <fmt/format.h>

#include "tacit/accounting/composition.hpp"
#include "tacit/core/check.hpp"

namespace tacit::accounting {
namespace {

void check_privacy(const char* function, const Privacy& privacy) {
  if (privacy.notion == privacy::Notion::kNone) return;
  check::within(function, "epsilon", privacy.epsilon, 0, 1e300);
  check::within(function, "delta", privacy.delta, 0, 1);
}

[[noreturn]] void refuse(const char* function, const Privacy& from,
                         const std::string& requirement) {
  throw InvalidParameter(function, "from",
                         fmt::format("{} epsilon {}, delta {}", privacy::name_of(from.notion),
                                     from.epsilon, from.delta),
                         requirement);
}

}  // namespace

Privacy convert(const Privacy& from, privacy::Notion to, Round rounds) {
  check_privacy("convert", from);
  check::horizon("convert", rounds);
  if (to == from.notion) return from;
  if (to == privacy::Notion::kNone) return {};
  const bool reports = from.notion == privacy::Notion::kLocal;
  if (to == privacy::Notion::kCentral && reports) return {to, from.epsilon, from.delta};
  if (to == privacy::Notion::kCentral && from.notion == privacy::Notion::kInstantaneous) {
    const Cost total =
        basic_composition({.epsilon = from.epsilon, .delta = from.delta}, rounds - 1);
    return {to, total.epsilon, total.delta};
  }
  if (to == privacy::Notion::kInstantaneous &&
      (reports || from.notion == privacy::Notion::kCentral)) {
    if (from.delta > 0) {
      refuse("convert", from,
             "must have delta 0: a history of that probability can tell everything");
    }
    return {to, 2 * from.epsilon, 0};
  }
  refuse("convert", from,
         fmt::format("must be a notion that implies the {} one", privacy::name_of(to)));
}

Privacy central_up_to(double delta, const Privacy& instantaneous, Round rounds) {
  check_privacy("central_up_to", instantaneous);
  check::horizon("central_up_to", rounds);
  if (instantaneous.notion != privacy::Notion::kInstantaneous) {
    refuse("central_up_to", instantaneous, "must be of the instantaneous notion");
  }
  if (rounds == 1) return {privacy::Notion::kCentral, 0, 0};
  const Cost each{.epsilon = instantaneous.epsilon, .delta = instantaneous.delta};
  return {privacy::Notion::kCentral, optimal_epsilon(each, rounds - 1, delta), delta};
}

Privacy outcomes_from_rewards(const Privacy& of_rewards) {
  check_privacy("outcomes_from_rewards", of_rewards);
  if (of_rewards.notion != privacy::Notion::kCentral || of_rewards.delta > 0) {
    refuse("outcomes_from_rewards", of_rewards, "must be of the central notion with delta 0");
  }
  return of_rewards;
}

}  // namespace tacit::accounting
