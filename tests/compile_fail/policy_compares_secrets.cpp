// A policy cannot compare two arms' secret sums, only what a mechanism released of them.
// refused: no match for 'operator<' .operand types are 'const tacit::privacy::Secret
// refused: invalid operands to binary expression .'const privacy::Secret
#include "tacit/privacy/exact.hpp"

using namespace tacit;

bool second_is_better(const privacy::Secret<Sum>& first, const privacy::Secret<Sum>& second) {
#ifdef MUST_NOT_COMPILE
  return first < second;
#else
  return privacy::Exact::release(first).value() < privacy::Exact::release(second).value();
#endif
}
