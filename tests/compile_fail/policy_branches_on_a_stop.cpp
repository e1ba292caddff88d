// Whether the user clicked at all is part of the secret: a policy cannot ask it without declassifying.
// refused: no match for 'operator<' .operand types are 'const tacit::privacy::Secret<tacit::Stop>' and 'int'
// refused: invalid operands to binary expression .'const privacy::Secret<Stop>'
#include "tacit/core/stop.hpp"
#include "tacit/privacy/exact.hpp"

using namespace tacit;

bool clicked(int size, const privacy::Secret<Stop>& stop) {
#ifdef MUST_NOT_COMPILE
  return stop < size;
#else
  return privacy::declassify(stop).value().position < size;
#endif
}
