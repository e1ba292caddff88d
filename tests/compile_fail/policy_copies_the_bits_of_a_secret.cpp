// A Secret wipes itself when it dies, so it is not trivially copyable and std::bit_cast refuses it.
// refused: no matching function for call to 'bit_cast<tacit::Sum>.const tacit::privacy::Secret
// refused: __is_trivially_copyable.tacit::privacy::Secret<tacit::Sum>.' evaluated to false
#include <bit>

#include "tacit/core/sum.hpp"
#include "tacit/privacy/secret.hpp"

using namespace tacit;

Sum peek(const privacy::Secret<Sum>& secret, const Sum& sum) {
#ifdef MUST_NOT_COMPILE
  return std::bit_cast<Sum>(secret);
#else
  return std::bit_cast<Sum>(sum);
#endif
}
