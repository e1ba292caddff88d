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

/// What happens to a vector of sums when one user's round is replaced by any other.
struct Sensitivity {
  double l0 = 0;          // how many entries can change
  double linf = 0;        // by how much each
  double l1 = 0;          // in total
  double l2 = 0;          // in Euclidean length
  bool monotone = false;  // all changed entries move in the same direction
};

/// One outcome in [0, 1] of one arm.
inline constexpr Sensitivity kOneOutcome{.l0 = 1, .linf = 1, .l1 = 1, .l2 = 1, .monotone = true};

/// Idealised: noise in doubles, as papers' proofs imagine it. Exact: integers, as they really are.
enum class Arithmetic { kIdealised, kExact };

/// What one release costs. Infinite epsilon: it protects nothing.
struct Loss {
  double epsilon = std::numeric_limits<double>::infinity();
  double delta = 0;
  std::string mechanism;  // e.g. "Laplace(scale 2)", for the argument
  Arithmetic arithmetic = Arithmetic::kIdealised;
};

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
