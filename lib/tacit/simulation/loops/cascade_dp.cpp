#include "tacit/policies/recipes/cascade_dp.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::CascadeDp>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::CascadeDp>>(request);
}

}  // namespace tacit::simulation
