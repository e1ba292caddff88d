// A policy cannot branch on what a user's round contains, only on what a mechanism released of it.
// refused: could not convert 'sum' .* to 'bool'
// refused: Secret<Sum>' is not contextually convertible to 'bool'
#include "tacit/privacy/exact.hpp"

using namespace tacit;

Arm next_arm(const privacy::Secret<Sum>& sum) {
#ifdef MUST_NOT_COMPILE
  return sum ? 1 : 0;
#else
  return privacy::Exact::release(sum).value() > 0.5 ? 1 : 0;
#endif
}
