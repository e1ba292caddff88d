// The Vault opens for the mechanisms that it names, not for a policy. A policy that wants the exact
// value has to name Exact, which tests/leaks allows in baselines only.
// refused: Vault::open.* is private within this context
// refused: 'open' is a private member of 'tacit::privacy::Vault'
#include "tacit/privacy/exact.hpp"

using namespace tacit;

double peek(const privacy::Secret<Sum>& sum) {
#ifdef MUST_NOT_COMPILE
  return privacy::Vault::open(sum).value();
#else
  return privacy::Exact::release(sum).value();
#endif
}
