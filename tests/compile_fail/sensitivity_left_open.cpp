// How far one user can move a release is said in words that have no gaps. Numbers that were left out would be
// zeros, and promise that nothing changes.
// refused: no matching function for call to 'tacit::privacy::Sensitivity::Sensitivity..'
// refused: no matching constructor for initialization of '(const )?privacy::Sensitivity'
#include "tacit/privacy/laplace.hpp"

using namespace tacit;

double epsilon(const privacy::Laplace& noise) {
#ifdef MUST_NOT_COMPILE
  const privacy::Sensitivity nothing;
  return noise.loss(nothing).epsilon;
#else
  return noise.loss(privacy::Sensitivity::entries(2)).epsilon;
#endif
}
