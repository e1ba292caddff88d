// A policy may add secrets up, as estimators do, but the value inside is the Vault's alone.
// refused: Secret<tacit::Sum>::value_' is private within this context
// refused: 'value_' is a private member of 'tacit::privacy::Secret
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"

using namespace tacit;

void learn(privacy::Secret<Sum>& total, const privacy::Secret<Sum>& sum) {
#ifdef MUST_NOT_COMPILE
  total.value_ += sum.value_;
#else
  total += sum;
#endif
}
