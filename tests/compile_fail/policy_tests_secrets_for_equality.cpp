// Sums can be tested for equality, secrets of sums cannot: that would leak as much as their order.
// refused: no match for 'operator==' .operand types are 'const tacit::privacy::Secret
// refused: invalid operands to binary expression .'const privacy::Secret
#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"

using namespace tacit;

bool nothing_happened(const privacy::Secret<Sum>& secret, Sum sum) {
#ifdef MUST_NOT_COMPILE
  return secret == privacy::Secret<Sum>();
#else
  return sum == Sum();
#endif
}
