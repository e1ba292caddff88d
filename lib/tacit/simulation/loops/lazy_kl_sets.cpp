#include "tacit/policies/recipes/lazy_kl_sets.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LazyKlMat>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LazyKlMat>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LazyKlCucb>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LazyKlCucb>>(request);
}

}  // namespace tacit::simulation
