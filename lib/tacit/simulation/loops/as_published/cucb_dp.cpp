#include "tacit/policies/recipes/as_published/cucb_dp.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CucbDpAsPublished>(
    const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CucbDpAsPublished>>(request);
}

}  // namespace tacit::simulation
