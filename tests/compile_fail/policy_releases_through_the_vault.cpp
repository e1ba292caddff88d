// Only a mechanism can say that a value was released; the Vault does not say it for a policy.
// refused: Vault::release.* is private within this context
// refused: 'release' is a private member of 'tacit::privacy::Vault'
#include "tacit/privacy/exact.hpp"

using namespace tacit;

privacy::Released<double> publish(double value) {
#ifdef MUST_NOT_COMPILE
  return privacy::Vault::release(value);
#else
  return privacy::Exact::release(privacy::Secret<Outcome>(Outcome::nearest(value)));
#endif
}
