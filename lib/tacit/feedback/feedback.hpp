// What one round contains, and how far one user can move it.
#pragma once

#include <cmath>
#include <string>

#include "tacit/core/round.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/privacy/guarantee.hpp"
#include "tacit/privacy/secret.hpp"

namespace tacit::feedback {

enum class Kind { kBandit, kFull, kSemi, kCascade };

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

/// A ranked list of `size` items and the position at which the user stopped: one of size + 1 answers,
/// and nothing else. What was examined follows from it, so it is as secret.
struct Cascade {
  static constexpr Kind kKind = Kind::kCascade;
  /// Clicks, one a position: the one that was moves from one place to another.
  static privacy::Sensitivity sensitivity(int size) {
    return size == 1 ? Bandit::sensitivity(1)
                     : privacy::Sensitivity{.l0 = 2, .linf = 1, .l1 = 2, .l2 = std::sqrt(2.0)};
  }
  /// Whether each position was examined: the first always is, the others up to the stop.
  static privacy::Sensitivity examinations(int size) {
    return {.l0 = size - 1.0,
            .linf = size == 1 ? 0.0 : 1.0,
            .l1 = size - 1.0,
            .l2 = std::sqrt(size - 1.0),
            .monotone = true};
  }
  /// Clicks and examinations together. From a click at the first position to one at the last: two
  /// clicks and size - 1 examinations.
  static privacy::Sensitivity clicks_and_examinations(int size) {
    const double most = size == 1 ? 1 : size + 1.0;
    return {.l0 = most, .linf = 1, .l1 = most, .l2 = std::sqrt(most)};
  }
  static std::string moves(int size);
};

/// Of a ranked list, only whether the first item was clicked: it is always examined, so nothing else
/// needs to be told.
struct CascadeFirst {
  static constexpr Kind kKind = Kind::kCascade;
  static privacy::Sensitivity sensitivity(int /*size*/) { return Bandit::sensitivity(1); }
  static std::string moves(int size);
};

/// The guarantee when every round enters at most `releases` releases of one mechanism.
template <class Feedback, class Mechanism>
privacy::Guarantee guarantee(privacy::Notion notion, int arms, int releases,
                             const Mechanism& mechanism) {
  return privacy::compose(notion, Feedback::moves(arms), releases,
                          mechanism.loss(Feedback::sensitivity(arms)));
}

}  // namespace tacit::feedback
