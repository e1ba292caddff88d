// Idealised distributions take simulated randomness only: a run that used secure randomness could not
// be repeated, and noise in doubles protects nobody anyway.
// refused: no match for call to '\(tacit::random::SecureSource\) \(\)'
// refused: type 'tacit::random::SecureSource' does not provide a call operator
#include "tacit/random/distributions.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

using namespace tacit;

double draw(random::SecureSource& secure, random::SimulationStream& simulated) {
#ifdef MUST_NOT_COMPILE
  (void)simulated;
  return random::laplace(secure, 1.0);
#else
  (void)secure;
  return random::laplace(simulated, 1.0);
#endif
}
