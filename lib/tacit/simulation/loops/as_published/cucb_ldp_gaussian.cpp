#include "tacit/policies/recipes/as_published/cucb_ldp_gaussian.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbLdpGaussianAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbLdpGaussianAsPublished>>(request);
}

}  // namespace tacit::simulation
