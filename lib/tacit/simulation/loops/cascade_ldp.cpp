#include "tacit/policies/recipes/cascade_ldp.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeLdp>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeLdp>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeLdpStop>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeLdpStop>>(request);
}

}  // namespace tacit::simulation
