// What one round contains, and how far one user can move it.
#pragma once

#include <cmath>
#include <string>

#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::feedback {

enum class Kind { kBandit, kFull, kSemi };

const char* name_of(Kind kind);

/// The outcome of the played arm, and nothing else: one user moves one sum by at most 1.
struct Bandit {
  static constexpr Kind kKind = Kind::kBandit;
  static privacy::Sensitivity sensitivity(int /*arms*/) {
    return {.l0 = 1, .linf = 1, .l1 = 1, .l2 = 1, .monotone = true};
  }
  static std::string moves(int arms);
};

/// The outcome of every arm: one user moves every sum, some up and some down.
struct FullInformation {
  static constexpr Kind kKind = Kind::kFull;
  static privacy::Sensitivity sensitivity(int arms) {
    return {.l0 = static_cast<double>(arms),
            .linf = 1,
            .l1 = static_cast<double>(arms),
            .l2 = std::sqrt(static_cast<double>(arms)),
            .monotone = arms == 1};
  }
  static std::string moves(int arms);
};

/// The outcome of every arm of the played set that is recorded, `recorded` of them: all K of the set,
/// or a single one that was chosen from public values. One user moves that many sums, some up and
/// some down.
struct SemiBandit {
  static constexpr Kind kKind = Kind::kSemi;
  static privacy::Sensitivity sensitivity(int recorded) {
    return FullInformation::sensitivity(recorded);
  }
  static std::string moves(int recorded);
};

/// The guarantee when every round enters at most `releases` releases of one mechanism.
template <class Feedback, class Mechanism>
privacy::Guarantee guarantee(privacy::Notion notion, int arms, int releases,
                             const Mechanism& mechanism) {
  return privacy::compose(notion, Feedback::moves(arms), releases,
                          mechanism.loss(Feedback::sensitivity(arms)));
}

}  // namespace tacit::feedback
