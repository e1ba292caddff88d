// What a policy answers: this arm, from the round it was asked at up to and including `until`.
#pragma once

#include <span>

#include "tacit/core/round.hpp"

namespace tacit::policies {

struct Decision {
  Arm action = 0;
  Round until = 0;  // the policy is not asked again before until + 1
};

/// These arms in turn, one a round, from the round it was asked at: a round-robin without a
/// decision a round.
struct RotatingDecision {
  std::span<const Arm> rotation;
  Round until = 0;
};

/// This set of arms, of which `observed` report their outcomes. Both stay valid until the policy is
/// asked again.
struct SetDecision {
  std::span<const Arm> action;
  std::span<const Arm> observed;
  Round until = 0;
};

/// Whether a policy may promise more than the round it was asked for.
enum class Pace { kSkipping, kPlain };

}  // namespace tacit::policies
