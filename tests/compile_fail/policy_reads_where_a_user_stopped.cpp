// Which items a user examined follows from the secret stop. To count them a policy has to declassify it,
// as the recipes called *_as_published do; it cannot look by itself.
// refused: Secret<tacit::Stop>' has no member named 'position'
// refused: no member named 'position' in 'tacit::privacy::Secret<tacit::Stop>'
#include <cstddef>
#include <vector>

#include "tacit/core/round.hpp"
#include "tacit/core/stop.hpp"
#include "tacit/privacy/exact.hpp"

using namespace tacit;

void learn(const std::vector<Arm>& list, const privacy::Secret<Stop>& stop,
           std::vector<int>& examined) {
#ifdef MUST_NOT_COMPILE
  const int position = stop.position;
#else
  const int position = privacy::declassify(stop).value().position;
#endif
  for (std::size_t k = 0; k < list.size() && static_cast<int>(k) <= position; ++k) {
    ++examined[static_cast<std::size_t>(list[k])];
  }
}
