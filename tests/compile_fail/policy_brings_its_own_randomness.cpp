// A generator of known numbers would give a mechanism known noise, to be taken off afterwards.
// refused: constraints not satisfied.*NoRandomness
#include <cstdint>

#include "tacit/privacy/laplace.hpp"
#include "tacit/random/simulation.hpp"

using namespace tacit;

struct NoRandomness {
  using result_type = std::uint64_t;
  result_type operator()() { return 0; }
};

double peek(const privacy::Secret<Sum>& sum, random::SimulationStream& simulated) {
  const privacy::Laplace noise(1.0);
#ifdef MUST_NOT_COMPILE
  NoRandomness none;
  return noise.release(sum, none).value();
#else
  return noise.release(sum, simulated).value();
#endif
}
