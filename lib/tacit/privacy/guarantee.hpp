// A guarantee is computed, never typed by hand, from three factors:
//   sensitivity    how far one user's round can move what is released    (from the feedback)
//   participation  into how many releases one round enters               (from the estimator)
//   loss           what one release costs at that sensitivity            (from the mechanism)
//
// One composition rule serves every policy: queries may be chosen adaptively from earlier releases;
// what counts is the total movement that one round can cause over all of them (Chandak's thesis, Thm 7).
#pragma once

#include <limits>
#include <string>

namespace tacit::privacy {

/// What happens to a vector of sums when one user's round is replaced by any other. It is made by saying what
/// moves, never by naming some of its numbers: one that was left out would promise that nothing changes.
class Sensitivity {
 public:
  /// One outcome in [0, 1] of one arm.
  static constexpr Sensitivity one_outcome() { return {1, 1, 1, 1, true}; }
  /// That many entries by at most 1 each, some up and some down.
  static Sensitivity entries(int count);
  /// That many entries by at most 1 each, all in the same direction.
  static Sensitivity entries_in_one_direction(int count);
  /// That many entries, by at most `radius` in total.
  static Sensitivity l1_ball(double radius, int count);
  /// Any number of entries, by at most `radius` in Euclidean length.
  static Sensitivity l2_ball(double radius);

  /// How many entries can change.
  constexpr double l0() const noexcept { return l0_; }
  /// By how much each.
  constexpr double linf() const noexcept { return linf_; }
  /// In total.
  constexpr double l1() const noexcept { return l1_; }
  /// In Euclidean length.
  constexpr double l2() const noexcept { return l2_; }
  /// Whether all changed entries move in the same direction.
  constexpr bool monotone() const noexcept { return monotone_; }

 private:
  constexpr Sensitivity(double l0, double linf, double l1, double l2, bool monotone)
      : l0_(l0), linf_(linf), l1_(l1), l2_(l2), monotone_(monotone) {}

  double l0_;
  double linf_;
  double l1_;
  double l2_;
  bool monotone_;
};

inline constexpr Sensitivity kOneOutcome = Sensitivity::one_outcome();

/// Idealised: noise in doubles, as papers' proofs imagine it. Exact: integers, as they really are.
enum class Arithmetic { kIdealised, kExact };

/// What one release costs. Infinite epsilon: it protects nothing.
struct Loss {
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 0;
  std::string mechanism;  // e.g. "Laplace(scale 2)", for the argument
  Arithmetic arithmetic = Arithmetic::kIdealised;

  template <class Archive>
  void state(Archive& archive) {
    bool exact = arithmetic == Arithmetic::kExact;
    archive(epsilon, delta, mechanism, exact);
    arithmetic = exact ? Arithmetic::kExact : Arithmetic::kIdealised;
  }
};

/// What is hidden, and from whom: docs/guarantees.md has a picture, accounting/notions.hpp what follows from what.
///   kCentral        one round's outcomes, from who sees all actions and releases
///   kLocal          one round's outcomes, from everybody, the operator too
///   kInstantaneous  one round's outcomes, from who sees the next action and was given those before it
///   kEnvironment    the means, per unit of their L1 distance; single rounds are not hidden
enum class Notion { kNone, kCentral, kLocal, kInstantaneous, kEnvironment };
enum class Randomness { kSimulated, kSecure };

const char* name_of(Notion notion);
const char* name_of(Arithmetic arithmetic);
const char* name_of(Randomness randomness);

struct Guarantee {
  Notion notion = Notion::kNone;
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 0;
  std::string neighbours = "the outcomes of one round replaced";
  Arithmetic arithmetic = Arithmetic::kIdealised;
  Randomness randomness = Randomness::kSimulated;
  std::string because;

  bool is_private() const { return notion != Notion::kNone; }
};

/// What a paper promises: epsilon as a multiple of its parameter.
struct Claim {
  Notion notion = Notion::kNone;
  double epsilon_multiple = 0;
  bool up_to_delta = false;  // but for a probability delta, the second parameter
};

/// The guarantee of `releases` releases of loss `each` that one round takes part in. Infinite loss
/// gives notion none. `moves` says in words what one round can change.
Guarantee compose(Notion notion, const std::string& moves, int releases, const Loss& each);

}  // namespace tacit::privacy
