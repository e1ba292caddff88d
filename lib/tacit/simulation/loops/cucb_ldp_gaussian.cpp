#include "tacit/policies/recipes/cucb_ldp_gaussian.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbLdpGaussian>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbLdpGaussian>>(request);
}

}  // namespace tacit::simulation
