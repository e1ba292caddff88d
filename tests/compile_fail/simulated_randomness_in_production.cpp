// What is to be shared takes secure randomness only: whoever knows the seed of simulated noise can take it
// off again.
// refused: no matching function for call to 'release_environment
#include "tacit/problems/environment_private.hpp"
#include "tacit/random/secure.hpp"
#include "tacit/random/simulation.hpp"

using namespace tacit;

problems::ReleasedEnvironment publish(const std::vector<double>& means,
                                      random::SecureSource& secure,
                                      random::SimulationStream& simulated) {
#ifdef MUST_NOT_COMPILE
  (void)secure;
  return problems::release_environment(means, 1, problems::Rewards::kPoint, simulated);
#else
  (void)simulated;
  return problems::release_environment(means, 1, problems::Rewards::kPoint, secure);
#endif
}
