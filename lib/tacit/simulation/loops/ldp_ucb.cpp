#include "tacit/policies/recipes/ldp_ucb.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LdpUcbLaplace>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LdpUcbLaplace>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::LdpUcbBits>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::LdpUcbBits>>(request);
}

}  // namespace tacit::simulation
