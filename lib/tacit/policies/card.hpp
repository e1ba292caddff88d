// What the catalogue shows of a policy without building it.
#pragma once

#include "tacit/feedback/feedback.hpp"
#include "tacit/privacy/guarantee.hpp"

namespace tacit::policies {

enum class Trust { kNone, kCentral, kLocal };

struct Card {
  const char* name;
  const char* title;
  const char* paper;
  feedback::Kind feedback;
  Trust trust;
  bool anytime;              // does not need the horizon
  privacy::Claim published;  // what the paper promises
};

inline constexpr privacy::Claim kNoClaim{privacy::Notion::kNone, 0, 0};
inline constexpr privacy::Claim kCentralClaim{privacy::Notion::kCentral, 1, 0};
inline constexpr privacy::Claim kLocalClaim{privacy::Notion::kLocal, 1, 0};

}  // namespace tacit::policies
