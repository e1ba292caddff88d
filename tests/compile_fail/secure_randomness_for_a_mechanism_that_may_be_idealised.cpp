// Secure randomness is for real users, and noise in doubles does not protect them: it is taken by mechanisms
// that are exact by their type alone.
// refused: constraints not satisfied.*SecureSource
#include "tacit/privacy/laplace.hpp"
#include "tacit/random/secure.hpp"

using namespace tacit;

double publish(const privacy::Secret<Sum>& sum, random::SecureSource& source) {
#ifdef MUST_NOT_COMPILE
  const privacy::Laplace noise(1.0);
#else
  const privacy::ExactLaplace noise(1.0);
#endif
  return noise.release(sum, source).value();
}
