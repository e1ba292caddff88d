// Randomness for production: libsodium's generator, never seeded, never restored, not copyable.
//
// It shares no base, no concept and no conversion with the simulation's generators: what asks for a
// SecureSource cannot be given a SimulationStream, and the other way round (tests/compile_fail).
#pragma once

#include <cstdint>

namespace tacit::random {

class SecureSource {
 public:
  /// Throws std::runtime_error when the operating system gives no randomness.
  SecureSource();
  SecureSource(const SecureSource&) = delete;
  SecureSource& operator=(const SecureSource&) = delete;

  /// Uniform on 0..bound-1, without bias; bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  bool coin() { return below(2) == 1; }
};

}  // namespace tacit::random
