// An idealised mechanism takes simulated randomness only: a run that used secure randomness could
// not be repeated, and noise in doubles protects nobody anyway.
// refused: constraints not satisfied.*SecureSource
#include "tacit/privacy/laplace.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

using namespace tacit;

double publish(const privacy::Secret<Sum>& sum, random::SecureSource& secure,
               random::SimulationStream& simulated) {
  const privacy::Laplace noise(1.0);
#ifdef MUST_NOT_COMPILE
  return noise.release(sum, secure).value();
#else
  return noise.release(sum, simulated).value();
#endif
}
