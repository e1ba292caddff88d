// How many histories a test plays.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace tacit::model {

/// Some thousands; of a soak as many as it says.
inline std::uint64_t stories() {
  constexpr std::uint64_t kOfATest = 5000;
  const char* const soak = std::getenv("TACIT_STORIES");
  return soak == nullptr ? kOfATest : std::stoull(soak);
}

}  // namespace tacit::model
