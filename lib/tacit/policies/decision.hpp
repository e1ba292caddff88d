// What a policy answers: this arm, from the round it was asked at up to and including `until`.
#pragma once

#include "tacit/core/round.hpp"

namespace tacit::policies {

struct Decision {
  Arm action = 0;
  Round until = 0;  // the policy is not asked again before until + 1
};

/// Whether a policy may promise more than the round it was asked for.
enum class Pace { kSkipping, kPlain };

}  // namespace tacit::policies
