#include "tacit/policies/recipes/dp_ucb_int.hpp"

#include "tacit/simulation/simulator_of.hpp"

namespace tacit::simulation {

template <>
std::unique_ptr<Simulator> simulator_of<policies::recipes::DpUcbInt>(const Request& request) {
  return std::make_unique<SimulatorOf<policies::recipes::DpUcbInt>>(request);
}

}  // namespace tacit::simulation
