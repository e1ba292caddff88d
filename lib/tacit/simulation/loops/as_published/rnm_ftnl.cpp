#include "tacit/policies/recipes/as_published/rnm_ftnl.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::RnmFtnlAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::RnmFtnlAsPublished>>(request);
}

}  // namespace tacit::simulation
