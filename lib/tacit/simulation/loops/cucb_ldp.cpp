#include "tacit/policies/recipes/cucb_ldp.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbLdp1>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbLdp1>>(request);
}
template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbLdp2>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbLdp2>>(request);
}

}  // namespace tacit::simulation
