// The item that a user clicked is list[stop]: a policy cannot look it up without declassifying the stop.
// refused: no match for 'operator..' .operand types are 'const std::vector<int>' and 'const tacit::privacy::Secret<tacit::Stop>
// refused: no viable overloaded operator.. for type 'const std::vector<
#include <cstddef>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/privacy/exact.hpp"

using namespace tacit;

Arm clicked(const std::vector<Arm>& list, const privacy::Secret<Stop>& stop) {
#ifdef MUST_NOT_COMPILE
  return list[stop];
#else
  return list[static_cast<std::size_t>(privacy::declassify(stop).value().position)];
#endif
}
