// A production mechanism takes secure randomness only: whoever knows the seed of simulated noise
// can take it off again.
// refused: cannot convert 'tacit::random::SimulationStream' to 'tacit::random::SecureSource&'
// refused: SecureSource' cannot bind to a value of unrelated type 'random::SimulationStream'
#include "tacit/privacy/discrete_laplace.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

using namespace tacit;

std::int64_t publish(const privacy::Secret<Sum>& sum, random::SecureSource& secure,
                     random::SimulationStream& simulated) {
  const privacy::DiscreteLaplace noise(1, 2);
#ifdef MUST_NOT_COMPILE
  return noise.release(sum, simulated).value();
#else
  return noise.release(sum, secure).value();
#endif
}
