// The Vault does not open for what derives from a mechanism: friendship is not inherited.
// refused: Vault::open.* is private within this context
// refused: 'open' is a private member of 'tacit::privacy::Vault'
#include "tacit/privacy/laplace.hpp"

using namespace tacit;

struct Burglar : privacy::Laplace {
  using Laplace::Laplace;
  double peek(const privacy::Secret<Sum>& sum, const random::SimulationKey& key) const {
#ifdef MUST_NOT_COMPILE
    (void)key;
    return privacy::Vault::open(sum).value();
#else
    return release(sum, key.at(random::Purpose::kNoise, 0)).value();
#endif
  }
};
