// A user's device reports on one round. A sum is what a curator would hold, and local privacy
// trusts none.
// refused: cannot convert 'sum' .*Secret<tacit::Sum>
// refused: no known conversion from 'const Secret<tacit::Sum>'
#include "tacit/privacy/randomized_response.hpp"

using namespace tacit;

bool report(const privacy::Secret<Outcome>& outcome, const privacy::Secret<Sum>& sum,
            const random::SimulationKey& key) {
  const privacy::RandomizedResponse device(1.0);
#ifdef MUST_NOT_COMPILE
  return device.report(sum, key.at(random::Purpose::kRounding, 0)).value();
#else
  return device.report(outcome, key.at(random::Purpose::kRounding, 0)).value();
#endif
}
