// What one round contains, and how far one user can move it.
#pragma once

#include <string>

#include "tacit/core/round.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::feedback {

enum class Kind { kBandit, kFull, kSemi, kCascade };

const char* name_of(Kind kind);

/// The outcome of the played arm, and nothing else: one user moves one sum by at most 1.
struct Bandit {
  static constexpr Kind kKind = Kind::kBandit;
  static privacy::Sensitivity sensitivity(int /*arms*/) { return privacy::kOneOutcome; }
  static std::string moves(int arms);
};

/// The outcome of every arm: one user moves every sum, some up and some down.
struct FullInformation {
  static constexpr Kind kKind = Kind::kFull;
  static privacy::Sensitivity sensitivity(int arms) { return privacy::Sensitivity::entries(arms); }
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
    return privacy::Sensitivity::entries(size == 1 ? 1 : 2);
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
